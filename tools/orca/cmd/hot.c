#include "tools/orca/cmd/commands.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/render/view/view.h"

#define TOP 40 /* rows of a table */
#define DEFAULT_LEAST_SHARE 0.01

static const char about[] =
    "Prints the methods that use the CPU: their own time (self) and with the methods they call "
    "(total).\n";

struct value_choice {
  enum profile_value value;
  bool is_made; /* an option names the value */
};

struct hot_options {
  struct value_choice choice;
  bool is_tree, by_total;
  struct view_tree tree;
};

/* "--wall". Returns false if an earlier option chose another value. */
static bool parse_value(const char *text, void *target) {
  struct value_choice *choice = target, before = *choice;
  choice->is_made = profile_value_find(text + strlen("--"), &choice->value);
  return choice->is_made && (!before.is_made || before.value == choice->value);
}

static bool parse_sort(const char *text, void *target) {
  bool *by_total = target;
  *by_total = strcmp(text, "total") == 0;
  return *by_total || strcmp(text, "self") == 0;
}

/* "0.1%" */
static bool parse_percent(const char *text, void *target) {
  char *end;
  double percent = strtod(text, &end);
  if (end == text || strcmp(end, "%") != 0 || !(percent >= 0 && percent <= 100)) return false;
  *(double *)target = percent / 100;
  return true;
}

#define VALUE(name, help)                                                                \
  {                                                                                      \
    name, NULL, help, parse_value, offsetof(struct hot_options, choice),                 \
        "--cpu, --wall, --blocked and --waits exclude each other: one was given before " \
  }

static const struct args_option option_rows[] = {
    VALUE("--cpu", NULL), /* the default */
    VALUE("--wall", "clock time instead of CPU time, whatever the threads do"),
    VALUE("--blocked", "time in which threads were blocked on locks, instead of CPU time"),
    VALUE("--waits", "time in waits, sleeps, joins and parks, instead of CPU time"),
    {"--by-thread", .help = "threads instead of methods, each with the method that it is in most",
     .offset = offsetof(struct hot_options, tree.by_thread)},
    {"--tree",
     .help = "the call tree from the outermost methods; with --by-thread from the threads",
     .offset = offsetof(struct hot_options, is_tree)},
    {"--callers", "PATTERN", "the callers of methods such as get, HashMap.* or 'com.acme.*.price'",
     args_parse_text, offsetof(struct hot_options, tree.callers), NULL},
    {"--sort", "ORDER", "self or total (default: self)", parse_sort,
     offsetof(struct hot_options, by_total), "--sort takes self or total, not "},
    {"--least", "SHARE", "omits calls with a smaller share from a tree: 0.1% (default: 1%)",
     parse_percent, offsetof(struct hot_options, tree.least_share),
     "--least takes a share such as 0.1%, not "}};

static void append_hot(struct page *p, struct model *m, size_t top, const void *arg) {
  const struct hot_options *options = arg;
  size_t before = p->out.len;
  const char *callers = options->tree.callers;
  p->missed = callers != NULL && view_command_print_no_method("hot", m->dump, callers);
  if (p->missed && page_is_text(p)) return;
  if (page_is_text(p)) view_filter(&p->out, m, &p->style);
  size_t start = p->out.len;
  if (options->is_tree || callers != NULL) {
    view_call_tree(p, m, options->choice.value, &options->tree, top);
  } else if (options->tree.by_thread) {
    view_hot_threads(p, m, options->choice.value, top);
  } else {
    view_hot_methods(p, m, options->choice.value, options->by_total, top);
  }
  view_short_limit(p, m, options->choice.value == PROFILE_BLOCKED,
                   options->choice.value == PROFILE_WAITS);
  if (!page_is_text(p) || p->out.len > start) return;
  if (start > before) builder_char(&p->out, '\n');
  builder_format(&p->out, "The recording contains no %s.\n",
                 view_value_name(options->choice.value));
}

const struct command cmd_hot = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct hot_options, .tree = {.least_share = DEFAULT_LEAST_SHARE}),
    .run = view_command_run,
    .view = {.top = TOP, .analyses = ANALYSES(PROFILE) | ANALYSES(STALLS), .append = append_hot}};
