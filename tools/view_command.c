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

static void say_miss(const char *name, const struct model *m) {
  struct builder why = {0};
  const struct recording *recording = &m->recording;
  if (!m->matcher.active || recording->num_events + recording->samples > 0) return;
  miss_write(&why, &m->matcher, &m->threads);
  if (!why.failed) log_line("%s: %.*s", name, (int)why.len, why.data);
  builder_free(&why);
}

bool view_command_read(const char *name, struct model *m, struct dump *d,
                       const struct view_args *args) {
  bool good = model_read(m, d, &args->filter);
  if (good) {
    say_miss(name, m);
  } else {
    log_line("%s: needs more memory than there is", name);
  }
  return good;
}

static bool read_and_print(const struct run *r, struct dump *d) {
  struct model model;
  bool read = view_command_read(r->command->name, &model, d, &r->args);
  bool good = read && print_page(r, &model);
  if (read && !good) log_line("%s: needs more memory than there is", r->command->name);
  model_free(&model);
  return good;
}

static int end(const char *name, struct dump *d, int status) {
  if (status == MISUSED || faults_total(dump_faults(d)) == 0) return status;
  log_line("%s: something in the files is broken; see orca check", name);
  return WRONG;
}

static int show(struct dump *d, const void *arg) {
  struct run r = *(const struct run *)arg;
  const char *name = r.command->name;
  struct builder why = {0};
  bool good = view_args_resolve(&r.args, d, &why);
  if (!good) log_line("%s: %.*s", name, (int)why.len, why.data);
  builder_free(&why);
  if (!good) return MISUSED;
  if (r.command->show != NULL) return end(name, d, r.command->show(d, &r.args, r.wish));
  return end(name, d, read_and_print(&r, d) ? DONE : WRONG);
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
  fputs(view_args_filter_help, stdout);
  if (!c->no_tables) fputs(view_args_table_help, stdout);
  fputs(
      "Exit status: 0 done, 1 something in the files is broken or not all could be written, 2 "
      "wrong\nuse or no such dump.\n",
      stdout);
  return DONE;
}

static enum args_took take(const struct view_command *c, void *wish, struct view_args *args,
                           char **argv, int *at, const char **problem, const char **what) {
  enum args_took took = view_args_take(args, !c->no_tables, argv, at, problem, what);
  if (took != ARGS_OTHER || c->take == NULL) return took;
  return c->take(wish, argv, at, problem, what);
}

int view_command(const struct view_command *c, void *wish, int argc, char **argv) {
  struct view_args args = {0};
  const char *prefix = NULL, *problem, *what = "";
  for (int at = 1; at < argc; at++) {
    const char *word = argv[at];
    if (args_is_help(word)) return help(c);
    if (word[0] != '-') {
      if (prefix != NULL) return misused(c, "one dump at a time, not also ", word);
      prefix = word;
      continue;
    }
    problem = "no such option, or its value is missing: ";
    what = word;
    if (take(c, wish, &args, argv, &at, &problem, &what) != ARGS_TOOK) {
      return misused(c, problem, what);
    }
  }
  if (c->check != NULL && c->check(wish, &args, &problem, &what) == ARGS_WRONG) {
    return misused(c, problem, what);
  }
  if (prefix == NULL) return misused(c, "which dump? PREFIX is missing", "");
  return view_command_on(c, wish, prefix, &args);
}
