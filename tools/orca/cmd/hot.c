#include "tools/orca/cmd/commands.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/view_command.h"
#include "tools/orca/render/view/view.h"

#define TOP 40 /* rows of a table */
#define DEFAULT_LEAST_SHARE 0.01

static const char usage[] =
    "usage: orca hot [OPTION...] PREFIX\n"
    "\n"
    "Prints the methods that use the CPU: their own time (self) and with the methods they call\n"
    "(total).\n"
    "  --wall             clock time instead of CPU time, whatever the threads do\n"
    "  --blocked          time in which threads were blocked on locks, instead of CPU time\n"
    "  --waits            time in waits, sleeps, joins and parks, instead of CPU time\n"
    "  --by-thread        threads instead of methods, each with the method that it is in most\n"
    "  --tree             the call tree from the outermost methods; with --by-thread from the\n"
    "                     threads\n"
    "  --callers PATTERN  the callers of methods such as get, HashMap.* or 'com.acme.*.price'\n"
    "  --sort ORDER       self or total (default: self)\n"
    "  --least SHARE      omits calls with a smaller share from a tree: 0.1% (default: 1%)\n";

struct hot_options {
  enum profile_value value;
  bool is_tree, by_total;
  struct view_tree tree;
};

static void append_hot(struct page *p, struct model *m, size_t top, const void *arg) {
  const struct hot_options *options = arg;
  size_t before = p->out.len;
  const char *callers = options->tree.callers;
  p->missed = callers != NULL && view_command_print_no_method("hot", m->dump, callers);
  if (p->missed && page_is_text(p)) return;
  if (page_is_text(p)) view_filter(&p->out, m, &p->style);
  size_t start = p->out.len;
  if (options->is_tree) {
    view_call_tree(p, m, options->value, &options->tree, top);
  } else if (options->tree.by_thread) {
    view_hot_threads(p, m, options->value, top);
  } else {
    view_hot_methods(p, m, options->value, options->by_total, top);
  }
  if (!page_is_text(p) || p->out.len > start) return;
  if (start > before) builder_char(&p->out, '\n');
  builder_format(&p->out, "The recording contains no %s.\n", view_value_name(options->value));
}

/* "0.1%" */
static bool parse_percent(const char *text, double *out) {
  char *end;
  double percent = strtod(text, &end);
  if (end == text || strcmp(end, "%") != 0 || !(percent >= 0 && percent <= 100)) return false;
  *out = percent / 100;
  return true;
}

static bool take_value_option(struct hot_options *options, const char *word) {
  if (strncmp(word, "--", 2) != 0) return false;
  return profile_value_find(word + 2, &options->value);
}

static bool parse_sort(const char *text, bool *by_total) {
  *by_total = strcmp(text, "total") == 0;
  return *by_total || strcmp(text, "self") == 0;
}

static enum args_result take_option_with_value(struct hot_options *options, char **argv, int *at,
                                               const char **problem, const char **subject) {
  const char *value = args_value("--callers", argv, at);
  if (value != NULL) {
    options->tree.callers = value;
    options->is_tree = true;
    return ARGS_TAKEN;
  }
  if ((value = args_value("--sort", argv, at)) != NULL) {
    if (parse_sort(value, &options->by_total)) return ARGS_TAKEN;
    *problem = "--sort takes self or total, not ";
    *subject = value;
    return ARGS_WRONG;
  }
  if ((value = args_value("--least", argv, at)) == NULL) return ARGS_UNKNOWN;
  if (parse_percent(value, &options->tree.least_share)) return ARGS_TAKEN;
  *problem = "--least takes a share such as 0.1%, not ";
  *subject = value;
  return ARGS_WRONG;
}

static enum args_result take_hot_option(void *arg, char **argv, int *at, const char **problem,
                                        const char **subject) {
  struct hot_options *options = arg;
  if (take_value_option(options, argv[*at])) return ARGS_TAKEN;
  bool has_tree = strcmp(argv[*at], "--tree") == 0,
       has_by_thread = strcmp(argv[*at], "--by-thread") == 0;
  options->is_tree |= has_tree;
  options->tree.by_thread |= has_by_thread;
  return has_tree || has_by_thread ? ARGS_TAKEN
                                   : take_option_with_value(options, argv, at, problem, subject);
}

int cmd_hot(int argc, char **argv) {
  static const struct view_command command = {.name = "hot",
                                              .usage = usage,
                                              .top = TOP,
                                              .take_option = take_hot_option,
                                              .append_view = append_hot};
  struct hot_options options = {.tree = {.least_share = DEFAULT_LEAST_SHARE}};
  return view_command_run(&command, &options, argc, argv);
}
