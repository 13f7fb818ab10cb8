#include "tools/orca/cmd/commands.h"

#include "tools/orca/render/view/view.h"

#define TOP 20

static const char about[] =
    "Prints what threads waited for, who woke whom, which wake-ups were useless because the thread "
    "waited again at once, which signals had no waiter, and how often each waiter succeeded. The "
    "time in which threads were blocked on locks is in orca locks.\n";

static void append_waits(struct page *p, struct model *m, size_t top, const void *options) {
  (void)options;
  if (page_is_text(p)) view_filter(&p->out, m, &p->style);
  view_waits(p, m, top);
  view_queued_tasks(p, m);
  view_wakeups(p, m, top);
  view_waiters(p, m, top);
  view_wakers(p, m, top);
  if (page_is_text(p)) view_wakeup_limits(&p->out, m, &p->style);
}

const struct command cmd_waits = {
    .about = about,
    .run = view_command_run,
    .view = {.top = TOP,
             .has_several_tables = true,
             .analyses = ANALYSES(STALLS) | ANALYSES(WAKEUPS) | ANALYSES(QUEUED_TASKS),
             .append = append_waits}};
