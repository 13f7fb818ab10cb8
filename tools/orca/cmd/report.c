#include "tools/orca/cmd/commands.h"

#include "tools/orca/causal/bounds_find.h"
#include "tools/orca/cmd/view_command.h"
#include "tools/orca/model/replay/holder_places.h"
#include "tools/orca/render/view/view.h"

#define TOP 10 /* rows of a table */

static const char usage[] =
    "usage: orca report [OPTION...] PREFIX\n"
    "\n"
    "Prints the problems of a recording in words: deadlocks, what an idle program waited for, "
    "locks "
    "and their owners, methods that use the CPU, I/O, useless wake-ups. Then come tables, and at "
    "the "
    "end what the recording lacks.\n";

static void append_report(struct page *p, struct model *m, size_t top, const void *options) {
  (void)options;
  p->out.failed |= !holder_places_find(m) || !bounds_find(m);
  if (page_is_text(p)) view_header(&p->out, m, &p->style);
  view_facts(p, m);
  view_verdicts(p, m);
  view_periods(p, m);
  view_hot(p, m, top);
  view_methods(p, m, top, NULL);
  view_locks(p, m, top);
  view_waits(p, m, top);
  view_threads(p, m, top);
  view_missing(p, m);
}

static const struct view_command command = {.name = "report",
                                            .usage = usage,
                                            .top = TOP,
                                            .has_several_tables = true,
                                            .append_view = append_report};

int cmd_report(int argc, char **argv) { return view_command_run(&command, NULL, argc, argv); }
