#include "tools/orca/cmd/commands.h"

#include "tools/orca/cmd/view_command.h"
#include "tools/orca/model/replay/holder_places.h"
#include "tools/orca/render/view/view.h"

#define TOP 10 /* rows of a table */

static const char usage[] =
    "usage: orca report [OPTION...] PREFIX\n"
    "\n"
    "Says what hurts in one run of a Java program, first in words, what takes longest first: "
    "locks\n"
    "that threads are blocked on, and who held them, methods that use the CPU, deadlocks, useless\n"
    "wake-ups; then in tables; at last what the recording lacks.\n";

static void put(struct page *p, struct model *m, size_t top, const void *wish) {
  (void)wish;
  p->out.failed |= !holder_places_find(m);
  if (page_is_text(p)) view_header(&p->out, m, &p->style);
  view_facts(p, m);
  view_verdicts(p, m);
  view_hot(p, m, top);
  view_methods(p, m, top, NULL);
  view_locks(p, m, top);
  view_waits(p, m, top);
  view_threads(p, m, top);
  view_missing(p, m);
}

static const struct view_command command = {
    .name = "report", .usage = usage, .top = TOP, .several = true, .put = put};

int report_dump(const char *prefix) {
  struct view_args args = {.top = TOP};
  return view_command_on(&command, NULL, prefix, &args);
}

int cmd_report(int argc, char **argv) { return view_command(&command, NULL, argc, argv); }
