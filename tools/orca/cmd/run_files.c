#include "tools/orca/cmd/run_files.h"

#include <stdio.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/cmd/output_file.h"
#include "tools/orca/cmd/report.h"
#include "tools/orca/html/html.h"

static bool write_report(struct output *o, void *arg) {
  struct page page;
  page_start(&page, fileno(o->file), FORMAT_TEXT, true);
  report_append(&page, arg);
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

bool run_files_write(const char *prefix, const char *report, const char *html) {
  struct open_dump open = {.takes_digest = false};
  if (report == NULL && html == NULL) return true;
  if (!dump_command_open(&open, prefix)) return false;
  bool ok = write_file(open.dump, report, write_report);
  ok &= write_file(open.dump, html, write_html);
  dump_command_close(&open);
  return ok;
}
