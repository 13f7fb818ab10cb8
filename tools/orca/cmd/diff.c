#include "tools/orca/cmd/commands.h"

#include "tools/orca/cmd/view_command.h"
#include "tools/orca/render/view/diff.h"

#define TOP 15 /* rows of a table */

static const char usage[] =
    "usage: orca diff [OPTION...] PREFIX PREFIX\n"
    "\n"
    "Compares a recording B with an earlier recording A: which methods use more CPU time, on which "
    "locks threads are blocked longer, which waits grew. Times are per second of the recording, "
    "because recordings differ in length. A difference that is as small as between two runs of the "
    "same program is marked with ~ and does not count as a change.\n";

static bool append_diff(struct page *p, const struct model *a, const struct model *b, size_t top,
                        const void *options) {
  struct comparison c;
  (void)options;
  bool ok = compare_runs(&c, a, b);
  if (ok) view_diff(p, &c, top);
  comparison_free(&c);
  return ok;
}

int cmd_diff(int argc, char **argv) {
  static const struct view_command command = {.name = "diff",
                                              .usage = usage,
                                              .top = TOP,
                                              .has_several_tables = true,
                                              .append_comparison = append_diff};
  return view_command_run(&command, NULL, argc, argv);
}
