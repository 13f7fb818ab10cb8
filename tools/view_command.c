#include "tools/view_command.h"

#include <stdio.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/args.h"
#include "tools/model/miss.h"
#include "tools/on_dump.h"

struct run {
  const struct view_command *command;
  const void *wish;
  struct view_args args;
};

/* --- the page -------------------------------------------------------------------------- */

/* A program is given all rows. */
static size_t rows_of(const struct run *r) {
  if (r->args.top > 0) return r->args.top;
  return r->args.format == FORMAT_TEXT ? r->command->top : SIZE_MAX;
}

static bool print_page(const struct run *r, struct model *m) {
  struct page page;
  page_start(&page, STDOUT_FILENO, r->args.format, r->command->several);
  r->command->put(&page, m, rows_of(r), r->wish);
  return page_print(&page);
}

static void say_miss(const struct run *r, const struct model *m) {
  struct builder why = {0};
  const struct recording *recording = &m->recording;
  if (!m->matcher.active || recording->num_events + recording->samples > 0) return;
  miss_write(&why, &m->matcher, &m->threads);
  if (!why.failed) log_line("%s: %.*s", r->command->name, (int)why.len, why.data);
  builder_free(&why);
}

static bool read_and_print(const struct run *r, struct dump *d) {
  struct model model;
  bool good = model_read(&model, d, &r->args.filter);
  if (good) say_miss(r, &model);
  good = good && print_page(r, &model);
  model_free(&model);
  return good;
}

static int show(struct dump *d, const void *arg) {
  struct run r = *(const struct run *)arg;
  const char *name = r.command->name;
  struct builder why = {0};
  bool good = view_args_resolve(&r.args, d, &why);
  if (!good) log_line("%s: %.*s", name, (int)why.len, why.data);
  builder_free(&why);
  if (!good) return MISUSED;
  if (r.command->show != NULL) return r.command->show(d, &r.args, r.wish);
  good = read_and_print(&r, d);
  if (!good) log_line("%s: needs more memory than there is", name);
  if (dump_faults(d)->num > 0)
    log_line("%s: something in the files is broken; see orca check", name);
  return good && dump_faults(d)->num == 0 ? DONE : WRONG;
}

int view_command_on(const struct view_command *c, const void *wish, const char *prefix,
                    const struct view_args *args) {
  struct run r = {c, wish, *args};
  return on_dump(prefix, show, &r);
}

/* --- the command line ------------------------------------------------------------------- */

static int misused(const struct view_command *c, const char *problem, const char *what) {
  log_line("%s: %s%s; see orca %s --help", c->name, problem, what, c->name);
  return MISUSED;
}

static int help(const struct view_command *c) {
  fputs(c->usage, stdout);
  fputs(
      "PREFIX is that of the files PREFIX.orca, PREFIX.methods, ...; the name of one will do.\n\n",
      stdout);
  fputs(view_args_help, stdout);
  fputs("Exit status: 0 done, 1 something in the files is broken, 2 wrong use or no such dump.\n",
        stdout);
  return DONE;
}

static enum args_took take(const struct view_command *c, void *wish, struct view_args *args,
                           char **argv, int *at, const char **problem, const char **what) {
  enum args_took took = view_args_take(args, argv, at, problem, what);
  if (took != ARGS_OTHER || c->take == NULL) return took;
  return c->take(wish, argv, at, problem, what);
}

int view_command(const struct view_command *c, void *wish, int argc, char **argv) {
  struct view_args args = {0};
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; at++) {
    const char *problem = "no such option, or its value is missing: ", *what = argv[at];
    if (args_is_help(argv[at])) return help(c);
    if (take(c, wish, &args, argv, &at, &problem, &what) != ARGS_TOOK) {
      return misused(c, problem, what);
    }
  }
  if (at == argc) return misused(c, "which dump? PREFIX is missing", "");
  if (at + 1 < argc) return misused(c, "one dump at a time, not also ", argv[at + 1]);
  return view_command_on(c, wish, argv[at], &args);
}
