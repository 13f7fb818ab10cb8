#include "tools/cmd_methods.h"

#include <stdio.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "agent/base/text.h"
#include "tools/args.h"
#include "tools/on_dump.h"
#include "tools/render/view/view.h"

#define TOP 20 /* rows of a table */

static const char usage[] =
    "usage: orca methods [--top N] [--method PATTERN] PREFIX\n"
    "\n"
    "Says how the methods fared that the option track named: how often each was called, how long\n"
    "the calls took, by whom it was called, and what it threw. Times are of the clock, waits and\n"
    "all; CPU is what the thread used of it. For one method also how its durations spread.\n"
    "  --top N            at most N rows in a table (20)\n"
    "  --method PATTERN   only methods such as price, OrderService.* or 'com.acme.*.price', and\n"
    "                     how the durations of each spread\n"
    "Exit status: 0 done, 1 something in the files is broken, 2 wrong use or no such dump.\n";

struct wish {
  size_t top;
  const char *pattern; /* NULL: all methods */
};

static void put_left_out(struct builder *b, const struct dump *d) {
  struct span threshold;
  if (!dump_threshold(d, &threshold)) return;
  builder_string(b, "\nCalls shorter than ");
  text_plain(b, threshold);
  builder_string(b, " were left out (option threshold).\n");
}

static void put_page(struct builder *b, const struct model *m, const struct wish *wish) {
  struct style style = style_for(STDOUT_FILENO);
  size_t num = view_methods_num(m, wish->pattern);
  if (m->calls.num == 0) {
    builder_string(b, "No calls were recorded: the option track names the methods to record.\n");
  } else if (num == 0) {
    builder_string(b, "No call of such a method was recorded; without --method all are listed.\n");
  }
  view_methods(b, m, &style, wish->top, wish->pattern);
  bool detailed = wish->pattern != NULL || num == 1;
  if (detailed) view_method_details(b, m, &style, wish->top, wish->pattern);
  put_left_out(b, m->dump);
}

/* Less the empty line before the first heading. */
static bool print_page(const struct model *m, const struct wish *wish) {
  struct builder page = {0};
  put_page(&page, m, wish);
  bool good = !page.failed;
  size_t start = good && page.len > 0 && page.data[0] == '\n';
  if (good) fwrite(page.data + start, 1, page.len - start, stdout);
  builder_free(&page);
  return good;
}

static void say_faults(struct dump *d) {
  uint64_t faults = faults_total(dump_faults(d));
  if (faults > 0) log_line("methods: something in the files is broken; see orca check");
}

static int methods(struct dump *d, const void *wish) {
  struct model model;
  bool good = model_read(&model, d, NULL) && print_page(&model, wish);
  model_free(&model);
  if (!good) log_line("methods: needs more memory than there is");
  say_faults(d);
  return good && dump_faults(d)->num == 0 ? DONE : WRONG;
}

/* --- the command line ---------------------------------------------------------------- */

static int misused(const char *problem, const char *what) {
  log_line("methods: %s%s", problem, what);
  fputs(usage, stderr);
  return MISUSED;
}

int cmd_methods(int argc, char **argv) {
  struct wish wish = {TOP, NULL};
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; at++) {
    const char *option = argv[at], *value;
    if (args_is_help(option)) {
      fputs(usage, stdout);
      return DONE;
    }
    if ((value = args_value("--method", argv, &at)) != NULL) {
      wish.pattern = value;
    } else if ((value = args_value("--top", argv, &at)) == NULL) {
      return misused("no such option, or its value is missing: ", option);
    } else if (!args_count(value, &wish.top)) {
      return misused("--top takes a number from 1, not ", value);
    }
  }
  if (at == argc) return misused("which dump? PREFIX is missing", "");
  if (at + 1 < argc) return misused("one dump at a time, not also ", argv[at + 1]);
  return on_dump(argv[at], methods, &wish);
}
