#include "tools/cmd_report.h"

#include <stdio.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/args.h"
#include "tools/on_dump.h"
#include "tools/render/view/view.h"

static const char usage[] =
    "usage: orca report [--top N] PREFIX\n"
    "\n"
    "Says what one run of a Java program did: which methods use the CPU, which locks threads\n"
    "are blocked on and who holds them, where threads wait, and what the recording lacks.\n"
    "PREFIX is that of the files PREFIX.orca, PREFIX.methods, ...; the name of one will do.\n"
    "  --top N   at most N rows in each table (10)\n"
    "Exit status: 0 done, 1 something in the files is broken, 2 wrong use or no such dump.\n";

/* --- the page -------------------------------------------------------------------- */

static void put_page(struct builder *b, const struct model *m, const struct style *style,
                     size_t top) {
  view_header(b, m, style);
  view_verdict(b, m, style);
  view_hot(b, m, style, top);
  view_methods(b, m, style, top, NULL);
  view_locks(b, m, style, top);
  view_waits(b, m, style, top);
  view_threads(b, m, style, top);
  view_losses(b, m, style);
}

static bool print_page(const struct model *m, size_t top) {
  struct builder page = {0};
  struct style style = style_for(STDOUT_FILENO);
  put_page(&page, m, &style, top);
  bool good = !page.failed;
  if (good) fwrite(page.data, 1, page.len, stdout);
  builder_free(&page);
  return good;
}

static int report(struct dump *d, const void *top) {
  struct model model;
  bool good = model_read(&model, d, NULL) && print_page(&model, *(const size_t *)top);
  model_free(&model);
  if (!good) log_line("report: needs more memory than there is");
  return good && dump_faults(d)->num == 0 ? DONE : WRONG;
}

int report_dump(const char *prefix, size_t top) { return on_dump(prefix, report, &top); }

/* --- the command line ---------------------------------------------------------------- */

static int misused(const char *problem, const char *what) {
  log_line("report: %s%s", problem, what);
  fputs(usage, stderr);
  return MISUSED;
}

int cmd_report(int argc, char **argv) {
  size_t top = REPORT_TOP;
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; at++) {
    const char *option = argv[at], *value;
    if (args_is_help(option)) {
      fputs(usage, stdout);
      return DONE;
    }
    if ((value = args_value("--top", argv, &at)) == NULL) {
      return misused("no such option, or its value is missing: ", option);
    }
    if (!args_count(value, &top)) return misused("--top takes a number from 1, not ", value);
  }
  if (at == argc) return misused("which dump? PREFIX is missing", "");
  if (at + 1 < argc) return misused("one dump at a time, not also ", argv[at + 1]);
  return report_dump(argv[at], top);
}
