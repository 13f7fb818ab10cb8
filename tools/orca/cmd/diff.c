#include "tools/orca/cmd/commands.h"

#include "tools/orca/cmd/view_command.h"
#include "tools/orca/render/view/diff.h"

#define TOP 15 /* rows of a table */

static const char usage[] =
    "usage: orca diff [OPTION...] PREFIX PREFIX\n"
    "\n"
    "Says what changed from the first run, A, to the second, B: which methods got hotter, on "
    "which\n"
    "locks threads are blocked longer, which waits grew; in time per second of run, as runs "
    "differ\n"
    "in length. What two runs of the same program differ by is marked with ~ and called no "
    "change.\n";

static bool put(struct page *p, const struct model *a, const struct model *b, size_t top,
                const void *wish) {
  struct comparison c;
  (void)wish;
  bool good = compare_runs(&c, a, b);
  if (good) view_diff(p, &c, top);
  comparison_free(&c);
  return good;
}

int cmd_diff(int argc, char **argv) {
  static const struct view_command command = {
      .name = "diff", .usage = usage, .top = TOP, .several = true, .put_two = put};
  return view_command(&command, NULL, argc, argv);
}
