#include "tools/orca/cmd/commands.h"

#include "tools/orca/render/view/diff.h"

#define TOP 15 /* rows of a table */
#define MOST_LIMITS 16

static const char about[] =
    "Compares a recording B with an earlier recording A: which methods use more CPU time, on which "
    "locks threads are blocked longer, which waits grew. Times are per second of the recording, "
    "because recordings differ in length. A difference that is as small as between two runs of the "
    "same program is marked with ~ and does not count as a change. Either can be a file of orca "
    "digest.\n";

struct diff_options {
  struct diff_limit limits[MOST_LIMITS];
  size_t num_limits;
};

static bool parse_limit(const char *text, void *target) {
  struct diff_options *options = target;
  return options->num_limits < MOST_LIMITS &&
         diff_limit_parse(text, &options->limits[options->num_limits++]);
}

static const struct args_option option_rows[] = {
    {"--fail-on", "KIND+N%",
     "exit status 3 if this is more than N percent worse in B, and the change is not chance: lock, "
     "wait or method (each of them), blocked, waiting or cpu (the sum); several limits: several "
     "options",
     parse_limit, 0,
     "--fail-on takes up to 16 limits such as lock+10%, of the kinds lock, blocked, wait, waiting, "
     "method and cpu, not "}};

static bool append_diff(struct page *p, const struct model *a, const struct model *b, size_t top,
                        const void *arg) {
  const struct diff_options *options = arg;
  struct comparison c;
  bool ok = compare_runs(&c, a, b);
  if (ok) view_diff(p, &c, top);
  if (ok) p->has_broken_limit = view_diff_limits(p, &c, options->limits, options->num_limits);
  comparison_free(&c);
  return ok;
}

const struct command cmd_diff = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct diff_options),
    .statuses = VIEW_STATUSES ", 3 a limit of --fail-on is broken.",
    .run = view_command_run,
    .view = {.top = TOP, .has_several_tables = true, .append_comparison = append_diff}};
