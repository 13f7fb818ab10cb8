#include "tools/orca/cmd/commands.h"

#include "agent/base/text.h"
#include "tools/orca/render/view/view.h"

#define TOP 20 /* rows of a table */

static const char about[] =
    "Prints the calls of each method that the option track named: how often, how long, by which "
    "callers, and which exceptions were thrown. Times are clock time, waits included; CPU is the "
    "CPU time of the thread. For a single method also the distribution of the durations.\n";

struct methods_options {
  const char *pattern; /* NULL: all methods */
};

static const struct args_option option_rows[] = {
    {"--method", "PATTERN",
     "only methods such as price, OrderService.* or 'com.acme.*.price', each with the distribution "
     "of its durations",
     args_parse_text, offsetof(struct methods_options, pattern), NULL}};

static void append_if_empty(struct page *p, const struct model *m, size_t num, bool is_chosen) {
  bool has_several = m->calls.several.num > 0;
  if (!page_is_text(p)) return;
  if (m->calls.num == 0 && !has_several) {
    builder_string(&p->out, m->matcher.active
                                ? "No call of a method of the option track matches the filters.\n"
                                : "No calls were recorded: the option track names the methods to "
                                  "record.\n");
  } else if (num == 0 && is_chosen) {
    builder_format(
        &p->out, "No call %s; without --method all are listed.\n",
        has_several ? "is known to be of a matching method" : "of a matching method was recorded");
  }
}

/* Says what the figures lack. */
static void append_limit(struct page *p, const struct model *m) {
  if (coverage_has_short_pairs(dump_coverage(m->dump))) return;
  bool has_changed = coverage_threshold_changed(dump_coverage(m->dump));
  const char *words = m->recording.short_calls.num == 0
                          ? has_changed ? " were not recorded all the time" : " were not recorded"
                      : has_changed ? " are in no column where only their sums were recorded"
                                    : " are in no column: only their sums were recorded";
  builder_string(&p->out, "\nCalls");
  view_put_shorter(&p->out, m->dump);
  builder_format(&p->out, "%s (option threshold).\n", words);
}

static void append_methods(struct page *p, struct model *m, size_t top, const void *arg) {
  const struct methods_options *options = arg;
  size_t num = view_methods_num(m, options->pattern);
  p->missed = options->pattern != NULL && num == 0;
  if (page_is_text(p)) view_filter(&p->out, m, &p->style);
  append_if_empty(p, m, num, options->pattern != NULL);
  view_methods(p, m, top, options->pattern);
  bool has_details = options->pattern != NULL || num == 1;
  if (has_details) view_method_details(p, m, top, options->pattern);
  if (page_is_text(p)) append_limit(p, m);
}

const struct command cmd_methods = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct methods_options),
    .run = view_command_run,
    .view = {.top = TOP, .analyses = ANALYSES(CALLS), .append = append_methods}};
