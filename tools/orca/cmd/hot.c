#include "tools/orca/cmd/commands.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/view_command.h"
#include "tools/orca/render/view/view.h"

#define TOP 40 /* rows of a table */
#define LEAST_SHARE 0.01

static const char usage[] =
    "usage: orca hot [OPTION...] PREFIX\n"
    "\n"
    "Says where the time goes: the methods that use the CPU, by themselves and with what they "
    "call.\n"
    "  --wall             time on the clock instead of CPU time, whatever the threads do\n"
    "  --blocked          time that threads waited for locks instead\n"
    "  --waits            time in waits, sleeps, joins and parks instead\n"
    "  --by-thread        the threads, and the method that each is in most\n"
    "  --tree             who calls whom, from the outermost methods down; with --by-thread from\n"
    "                     the threads\n"
    "  --callers PATTERN  who calls methods such as get, HashMap.* or 'com.acme.*.price'\n"
    "  --sort total       by the time with what they call; --sort self: by their own (self)\n"
    "  --least SHARE      leaves calls out of a tree that take less, such as 0.1% (1%)\n";

struct wish {
  enum profile_value value;
  bool is_tree, by_total;
  struct view_tree tree;
};

static void put(struct page *p, struct model *m, size_t top, const void *arg) {
  const struct wish *wish = arg;
  size_t before = p->out.len;
  const char *callers = wish->tree.callers;
  p->missed = callers != NULL && view_command_say_no_method("hot", m->dump, callers);
  if (p->missed && page_is_text(p)) return;
  if (page_is_text(p)) view_filter(&p->out, m, &p->style);
  size_t start = p->out.len;
  if (wish->is_tree) {
    view_call_tree(p, m, wish->value, &wish->tree, top);
  } else if (wish->tree.by_thread) {
    view_hot_threads(p, m, wish->value, top);
  } else {
    view_hot_methods(p, m, wish->value, wish->by_total, top);
  }
  if (!page_is_text(p) || p->out.len > start) return;
  if (start > before) builder_char(&p->out, '\n');
  builder_string(&p->out, "Nothing is known of this time: ");
  builder_string(&p->out, view_value_name(wish->value));
  builder_string(&p->out, ".\n");
}

/* "0.1%" */
static bool read_share(const char *text, double *out) {
  char *end;
  double percent = strtod(text, &end);
  if (end == text || strcmp(end, "%") != 0 || !(percent >= 0 && percent <= 100)) return false;
  *out = percent / 100;
  return true;
}

static bool take_value(struct wish *wish, const char *word) {
  if (strncmp(word, "--", 2) != 0) return false;
  return profile_value_find(word + 2, &wish->value);
}

static bool read_sort(const char *text, bool *by_total) {
  *by_total = strcmp(text, "total") == 0;
  return *by_total || strcmp(text, "self") == 0;
}

static enum args_took take_valued(struct wish *wish, char **argv, int *at, const char **problem,
                                  const char **what) {
  const char *value = args_value("--callers", argv, at);
  if (value != NULL) {
    wish->tree.callers = value;
    wish->is_tree = true;
    return ARGS_TOOK;
  }
  if ((value = args_value("--sort", argv, at)) != NULL) {
    if (read_sort(value, &wish->by_total)) return ARGS_TOOK;
    *problem = "--sort takes self or total, not ";
    *what = value;
    return ARGS_WRONG;
  }
  if ((value = args_value("--least", argv, at)) == NULL) return ARGS_OTHER;
  if (read_share(value, &wish->tree.least_share)) return ARGS_TOOK;
  *problem = "--least takes a share such as 0.1%, not ";
  *what = value;
  return ARGS_WRONG;
}

static enum args_took take(void *arg, char **argv, int *at, const char **problem,
                           const char **what) {
  struct wish *wish = arg;
  if (take_value(wish, argv[*at])) return ARGS_TOOK;
  bool tree = strcmp(argv[*at], "--tree") == 0, threads = strcmp(argv[*at], "--by-thread") == 0;
  wish->is_tree |= tree;
  wish->tree.by_thread |= threads;
  return tree || threads ? ARGS_TOOK : take_valued(wish, argv, at, problem, what);
}

int cmd_hot(int argc, char **argv) {
  static const struct view_command command = {
      .name = "hot", .usage = usage, .top = TOP, .take = take, .put = put};
  struct wish wish = {.tree = {.least_share = LEAST_SHARE}};
  return view_command(&command, &wish, argc, argv);
}
