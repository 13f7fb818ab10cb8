#include "tools/orca/cmd/report.h"

#include <string.h>

#include "tools/orca/answer/answer.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/render/view/findings.h"
#include "tools/orca/render/view/graph.h"
#include "tools/orca/render/view/locks.h"

#define TOP 10 /* rows of a table */

static const char about[] =
    "Prints the problems of a recording in words: deadlocks, what an idle program waited for, "
    "locks and their owners, methods that use the CPU, I/O, useless wake-ups. Then come tables, "
    "and at the end what the recording lacks.\n";

struct report_options {
  bool fails_if_deadlock;
};

static bool parse_condition(const char *text, void *target) {
  *(bool *)target = true;
  return strcmp(text, "deadlock") == 0;
}

static const struct args_option option_rows[] = {
    {"--fail-if", "deadlock", "exit status 4 if threads of the recording deadlocked",
     parse_condition, offsetof(struct report_options, fails_if_deadlock),
     "--fail-if takes deadlock, not "}};

static int judge_report(const struct model *m, const void *arg) {
  const struct report_options *options = arg;
  return options->fails_if_deadlock && m->deadlocks.num_rings > 0 ? DEADLOCKED : DONE;
}

static void append_report(struct page *p, struct model *m, size_t top, const void *options) {
  (void)options;
  struct answer a;
  p->out.failed |= !answer_read(&a, m, NULL);
  if (page_is_text(p)) view_header(&p->out, m, &p->style);
  view_facts(p, m);
  view_findings(p, &a);
  view_periods(p, m);
  view_hot(p, m, top);
  view_methods(p, m, top, NULL);
  view_locks_of(
      p,
      &(struct view_locks){
          .model = m, .locks = &m->locks, .contention = &a.contention, .bounds = &a.bounds},
      top);
  view_waits(p, m, top);
  view_queued_tasks(p, m);
  view_threads(p, m, top);
  view_missing(p, m);
  if (page_is_json(p)) { /* as text, the sentences tell it */
    view_deadlocks(p, m);
    view_orders(p, m, SIZE_MAX);
  }
  answer_free(&a);
}

void report_append(struct page *p, struct model *m) { append_report(p, m, TOP, NULL); }

const struct command cmd_report = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct report_options),
    .run = view_command_run,
    .view = {
        .top = TOP, .has_several_tables = true, .append = append_report, .judge = judge_report}};
