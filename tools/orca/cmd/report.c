#include "tools/orca/cmd/report.h"

#include <stdio.h>

#include "agent/base/log.h"
#include "tools/orca/answer/answer.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/cmd/fail_if.h"
#include "tools/orca/cmd/output_file.h"
#include "tools/orca/html/html.h"
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

static const struct args_option option_rows[] = {
    FAIL_IF_ROW(struct report_options, fails_if_deadlock)};

static int judge_report(const struct model *m, const void *arg) {
  return fail_if_judge(m, ((const struct report_options *)arg)->fails_if_deadlock);
}

static void append_header(struct page *p, const struct model *m) {
  if (p->is_brief) {
    view_brief_header(&p->out, m, &p->style);
    view_filter(&p->out, m, &p->style);
  } else {
    view_header(&p->out, m, &p->style);
  }
}

static void append_report(struct page *p, struct model *m, size_t top, const void *options) {
  (void)options;
  struct answer a;
  p->out.failed |= !answer_read(&a, m, NULL);
  if (page_is_text(p)) append_header(p, m);
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

/* --- files -------------------------------------------------------------------------------- */

static bool write_report(struct output *o, void *arg) {
  struct page page;
  page_start(&page, fileno(o->file), FORMAT_TEXT, true);
  append_report(&page, arg, TOP, NULL);
  bool ok = !page.out.failed;
  if (ok) builder_bytes(&o->text, page.out.data, page.out.len);
  page_free(&page);
  return ok;
}

static bool write_html(struct output *o, void *arg) { return html_write(&o->text, arg); }

/* Each file gets a model of its own, to which the report adds what it needs. */
static bool write_file(struct dump *d, const char *name,
                       bool (*write)(struct output *o, void *arg)) {
  struct model model = {0};
  if (name == NULL) return true;
  bool ok = model_read(&model, d, NULL, ALL_ANALYSES);
  if (!ok) log_line("run: out of memory");
  ok = ok && output_file_write("run", &d, 1, name, write, &model) == DONE;
  model_free(&model);
  return ok;
}

bool report_write_files(const char *prefix, const char *report, const char *html) {
  struct open_dump open = {.takes_digest = false};
  if (report == NULL && html == NULL) return true;
  if (!dump_command_open(&open, prefix)) return false;
  bool ok = write_file(open.dump, report, write_report);
  ok &= write_file(open.dump, html, write_html);
  dump_command_close(&open);
  return ok;
}

/* --- the command -------------------------------------------------------------------------- */

const struct command cmd_report = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct report_options),
    .statuses = FAIL_IF_STATUSES,
    .run = view_command_run,
    .view = {
        .top = TOP, .has_several_tables = true, .append = append_report, .judge = judge_report}};
