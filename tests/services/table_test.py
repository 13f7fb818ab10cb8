"""Tests table.py: the order of the runs, the ratios and the rows."""

import collections
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import table  # noqa: E402 (the path has to be set first)

Outcome = collections.namedtuple("Outcome", "throughput cpu p99 memory events dropped")


def make_outcome(factor=1.0, events=None, dropped=None, **more):
    """Returns the outcome of a run whose figures are this many times those of a run without an agent."""
    plain = Outcome(1000 * factor, 0.002 * factor, 3e6 * factor, 4e8 * factor, events, dropped)
    return plain._replace(**more)


def read_cells(row):
    """Returns the cells of a row of a table in Markdown."""
    assert row.startswith("| ") and row.endswith(" |"), row
    return [cell.strip() for cell in row.strip("|").split(" | ")]


class OrderTest(unittest.TestCase):
    names = ["without", "service", "default", "jfr", "A/A"]

    def test_the_first_round_has_the_order_of_the_names(self):
        self.assertEqual(table.order_names(self.names, 0), self.names)

    def test_every_second_round_is_the_one_before_in_reverse(self):
        for number in range(0, 12, 2):
            first, second = table.order_names(self.names, number), table.order_names(self.names, number + 1)
            self.assertEqual(second, first[::-1])

    def test_the_order_begins_one_name_later_after_two_rounds(self):
        self.assertEqual(table.order_names(self.names, 2), ["service", "default", "jfr", "A/A", "without"])

    def test_over_many_rounds_each_name_has_each_place_equally_often(self):
        for names in (self.names, self.names[:4]):
            rounds = [table.order_names(names, number) for number in range(2 * len(names))]
            for name in names:
                places = collections.Counter(one.index(name) for one in rounds)
                self.assertEqual(places, {place: 2 for place in range(len(names))})

    def test_the_names_stay_as_they_are(self):
        names = list(self.names)
        table.order_names(names, 3)
        self.assertEqual(names, self.names)


class RatioTest(unittest.TestCase):
    def test_a_ratio_is_to_the_run_without_an_agent_of_the_same_round(self):
        # The machine became twice as slow between the rounds.
        rounds = [
            {"without": make_outcome(throughput=1000), "jfr": make_outcome(throughput=900)},
            {"without": make_outcome(throughput=500), "jfr": make_outcome(throughput=400)},
        ]
        self.assertEqual(table.find_ratios(rounds, "jfr", "throughput"), [0.9, 0.8])

    def test_a_figure_that_a_service_does_not_have_has_no_ratio(self):
        rounds = [{"without": make_outcome(p99=None), "jfr": make_outcome(p99=None)}]
        self.assertEqual(table.find_ratios(rounds, "jfr", "p99"), [])

    def test_a_cell_has_the_median_and_the_range(self):
        self.assertEqual(table.format_ratios([0.5, 0.9, 0.8], [1.0, 1.1, 0.95]), "0.800 (0.50..0.90)")

    def test_a_median_within_the_noise_is_marked(self):
        # The runs without an agent differ by 0.15: from 0.95 to 1.1.
        self.assertEqual(table.format_ratios([0.9], [1.0, 1.1, 0.95]), "~0.900 (0.90..0.90)")
        self.assertEqual(table.format_ratios([1.1], [1.0, 1.1, 0.95]), "~1.100 (1.10..1.10)")
        self.assertEqual(table.format_ratios([1.2], [1.0, 1.1, 0.95]), "1.200 (1.20..1.20)")

    def test_noise_in_one_direction_counts_from_one(self):
        self.assertEqual(table.format_ratios([0.9], [1.2, 1.25]), "~0.900 (0.90..0.90)")

    def test_without_noise_nothing_is_marked(self):
        self.assertEqual(table.format_ratios([1.0], []), "1.000 (1.00..1.00)")


class TableTest(unittest.TestCase):
    def make_round(self, noise):
        return {
            "without": make_outcome(),
            "service": make_outcome(0.75, events=1000, dropped=3),
            "jfr": make_outcome(0.5),
            "A/A": make_outcome(noise),
        }

    def test_a_service_has_a_row_for_each_agent(self):
        rows = table.format_rows("h2", [self.make_round(1.25), self.make_round(0.75)], "request").split("\n")
        self.assertEqual(
            [read_cells(row) for row in rows],
            [
                ["h2", "without", "1,000.00 a second", "2.000 ms a request", "3.000 ms", "400.0 MB", "", ""],
                ["h2", "service", *["~0.750 (0.75..0.75)"] * 4, "1,000", "6"],
                ["h2", "jfr", *["0.500 (0.50..0.50)"] * 4, "", ""],
                ["h2", "A/A", *["1.000 (0.75..1.25)"] * 4, "", ""],
            ],
        )

    def test_cells_of_a_figure_that_the_service_does_not_have_are_empty(self):
        one = {name: outcome._replace(throughput=None) for name, outcome in self.make_round(1.0).items()}
        rows = [read_cells(row) for row in table.format_rows("idle", [one], "second").split("\n")]
        self.assertEqual([row[2] for row in rows], [""] * 4)
        self.assertEqual(rows[0][3], "2.000 ms a second")
        self.assertEqual(rows[2][3], "0.500 (0.50..0.50)")

    def test_an_agent_that_wrote_no_events_has_a_zero(self):
        one = {**self.make_round(1.0), "service": make_outcome(events=0, dropped=0)}
        row = table.format_rows("h2", [one], "request").split("\n")[1]
        self.assertEqual(read_cells(row)[-2:], ["0", "0"])

    def test_all_lines_of_the_table_have_the_same_columns(self):
        lines = table.format_head().split("\n") + table.format_rows("zookeeper", [self.make_round(1.0)], "request").split("\n")
        self.assertRegex(lines[1], r"^\|(-+\|)+$")
        places = [[i for i, letter in enumerate(line) if letter == "|"] for line in lines]
        self.assertEqual(places, [places[0]] * len(lines))


if __name__ == "__main__":
    unittest.main()
