"""The order of the runs of a round, and the table of their figures, in Markdown: parts of tests/services/run."""

import statistics

# A column for a kind of figure. width: of its cells. name: the field of an outcome; None there: the service has no such
# figure. write: makes the cell of a run without an agent.
FIGURES = [
    ("throughput", 23, "throughput", lambda figure, of: f"{figure:,.2f} a second"),
    ("CPU time", 23, "cpu", lambda figure, of: f"{figure * 1e3:.3f} ms a {of}"),
    ("p99", 23, "p99", lambda figure, of: f"{figure / 1e6:.3f} ms"),
    ("memory", 23, "memory", lambda figure, of: f"{figure / 1e6:.1f} MB"),
]
HEAD = ["service", "agent", *(head for head, *_ in FIGURES), "events", "dropped"]
WIDTHS = [9, 9, *(width for _, width, *_ in FIGURES), 10, 7]

WITHOUT, AGAIN = "without", "A/A"  # both are runs without an agent

LEGEND = """
Row `without`: the figures without an agent, medians. Other rows: ratios to it in the same round, median (range).
A/A: a second run without an agent in each round, so the noise of the machine.
~: the noise could explain the median. Do not quote it.
CPU time: of the service's JVM, for a request; `maven`: for a build; `idle`: in a second. p99: of the latency.
memory: RSS of the service's JVM; `maven`: the largest. events: written in a round by Orca (median); dropped: in all rounds."""


def order_names(names, number):
    """Returns the names in the order of the round with this number, from 0.

    Every second round is the one before in reverse; after it, the order begins one name later. So over two rounds all
    have the same place on the average, and over many rounds each has each place.
    """
    first = number // 2 % len(names)
    turned = names[first:] + names[:first]
    return turned if number % 2 == 0 else turned[::-1]


def find_ratios(rounds, agent, name):
    """Returns the ratio of the agent's figure to that without an agent in each round; []: there is no such figure."""
    pairs = [(getattr(one[agent], name), getattr(one[WITHOUT], name)) for one in rounds]
    return [] if pairs[0][1] is None else [figure / base for figure, base in pairs]


def format_ratios(ratios, noise):
    """Returns the cell of some ratios. noise: the ratios of the runs without an agent to each other."""
    median = statistics.median(ratios)
    is_noisy = max([1, *noise]) - min([1, *noise]) > abs(median - 1)
    return f"{'~' if is_noisy else ''}{median:.3f} ({min(ratios):.2f}..{max(ratios):.2f})"


def make_ratio_cells(rounds, agent):
    cells = []
    for _, _, name, _ in FIGURES:
        noise = find_ratios(rounds, AGAIN, name) if agent != AGAIN else []
        ratios = find_ratios(rounds, agent, name)
        cells.append(format_ratios(ratios, noise) if ratios else "")
    return cells


def make_base_cells(rounds, cpu_of):
    cells = []
    for _, _, name, write in FIGURES:
        figures = [getattr(one[WITHOUT], name) for one in rounds]
        cells.append("" if figures[0] is None else write(statistics.median(figures), cpu_of))
    return cells


def format_row(cells):
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS)) + " |"


def format_head():
    return format_row(HEAD) + "\n|" + "|".join("-" * (width + 2) for width in WIDTHS) + "|"


def format_rows(service, rounds, cpu_of):
    """Returns the rows of a service. rounds: for each, {agent: outcome}. cpu_of: what the CPU time is divided by."""
    rows = []
    for agent in rounds[0]:
        cells = make_base_cells(rounds, cpu_of) if agent == WITHOUT else make_ratio_cells(rounds, agent)
        events, dropped = [one[agent].events for one in rounds], [one[agent].dropped for one in rounds]
        is_orca = events[0] is not None
        counts = [f"{statistics.median(events):,.0f}", f"{sum(dropped):,}"] if is_orca else ["", ""]
        rows.append(format_row([service, agent, *cells, *counts]))
    return "\n".join(rows)
