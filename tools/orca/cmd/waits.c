#include "tools/orca/cmd/commands.h"

#include "tools/orca/cmd/view_command.h"
#include "tools/orca/render/view/view.h"

#define TOP 20

static const char usage[] =
    "usage: orca waits [OPTION...] PREFIX\n"
    "\n"
    "Says what threads waited for, who woke whom, which wake-ups were of no use (the thread went\n"
    "straight back to wait), which signals nobody waited for, and how often each of those who\n"
    "waited got through. Time spent until a lock was had is in orca locks.\n";

static void put(struct page *p, struct model *m, size_t top, const void *wish) {
  (void)wish;
  if (page_is_text(p)) view_filter(&p->out, m, &p->style);
  view_waits(p, m, top);
  view_wakeups(p, m, top);
  view_waiters(p, m, top);
  view_wakers(p, m, top);
  if (page_is_text(p)) view_wakeup_limits(&p->out, m, &p->style);
}

int cmd_waits(int argc, char **argv) {
  static const struct view_command command = {
      .name = "waits", .usage = usage, .top = TOP, .several = true, .put = put};
  return view_command(&command, NULL, argc, argv);
}
