#include "tools/orca/cmd/commands.h"

#include "agent/base/text.h"
#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/view_command.h"
#include "tools/orca/render/view/view.h"

#define TOP 20 /* rows of a table */

static const char usage[] =
    "usage: orca methods [OPTION...] PREFIX\n"
    "\n"
    "Says of each method that the option track named how often it was called, how long the calls\n"
    "took, by whom it was called, and what it threw. Times are of the clock, waits and all; CPU "
    "is\n"
    "what the thread used of it. For one method also how its durations spread.\n"
    "  --method PATTERN   only methods such as price, OrderService.* or 'com.acme.*.price', and\n"
    "                     how the durations of each spread\n";

struct wish {
  const char *pattern; /* NULL: all methods */
};

static void put_left_out(struct builder *b, const struct dump *d) {
  struct span threshold;
  if (!dump_threshold(d, &threshold)) return;
  builder_string(b, "\nCalls shorter than ");
  text_plain(b, threshold);
  builder_string(b, " were left out (option threshold).\n");
}

static void put_none(struct page *p, const struct model *m, size_t num) {
  if (!page_is_text(p)) return;
  if (m->calls.num == 0) {
    builder_string(&p->out, m->matcher.active
                                ? "No call of a method of the option track is asked for.\n"
                                : "No calls were recorded: the option track names the methods to "
                                  "record.\n");
  } else if (num == 0) {
    builder_string(&p->out,
                   "No call of such a method was recorded; without --method all are listed.\n");
  }
}

static void put(struct page *p, struct model *m, size_t top, const void *arg) {
  const struct wish *wish = arg;
  size_t num = view_methods_num(m, wish->pattern);
  p->missed = wish->pattern != NULL && num == 0;
  if (page_is_text(p)) view_filter(&p->out, m, &p->style);
  put_none(p, m, num);
  view_methods(p, m, top, wish->pattern);
  bool detailed = wish->pattern != NULL || num == 1;
  if (detailed) view_method_details(p, m, top, wish->pattern);
  if (page_is_text(p)) put_left_out(&p->out, m->dump);
}

static enum args_took take(void *arg, char **argv, int *at, const char **problem,
                           const char **what) {
  struct wish *wish = arg;
  const char *value = args_value("--method", argv, at);
  (void)problem, (void)what;
  if (value == NULL) return ARGS_OTHER;
  wish->pattern = value;
  return ARGS_TOOK;
}

int cmd_methods(int argc, char **argv) {
  static const struct view_command command = {
      .name = "methods", .usage = usage, .top = TOP, .take = take, .put = put};
  struct wish wish = {NULL};
  return view_command(&command, &wish, argc, argv);
}
