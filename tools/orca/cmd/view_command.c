#include "tools/orca/cmd/view_command.h"

#include <stdio.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/model/miss.h"

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

/* `second` NULL: of one dump. Gives the exit status. */
static int print_page(const struct run *r, struct model *m, const struct model *second) {
  struct page page;
  page_start(&page, STDOUT_FILENO, r->args.format, r->command->several);
  if (second == NULL) {
    r->command->put(&page, m, rows_of(r), r->wish);
  } else {
    page.out.failed |= !r->command->put_two(&page, m, second, rows_of(r), r->wish);
  }
  if (page_print(&page)) return page.missed ? WRONG : DONE;
  log_line("%s: needs more memory than there is", r->command->name);
  return WRONG;
}

/* A pair or a thread may reach over a time in which there is no line. */
static bool is_empty(const struct model *m) {
  const struct recording *r = &m->recording;
  return m->matcher.active && r->num_events + r->samples == 0 &&
         m->threads.num + m->stalls.num + m->locks.num == 0;
}

/* Says it for a command, if it is anything; gives its memory back. */
static bool say(const char *name, struct builder *why) {
  bool any = why->len > 0;
  if (any) log_line("%s: %.*s", name, (int)why->len, why->data);
  builder_free(why);
  return any;
}

void view_command_say_miss(const char *name, const struct matcher *m, const struct threads *threads,
                           bool found) {
  struct builder why = {0};
  if (!m->active) return;
  miss_write(&why, m, threads, found);
  say(name, &why);
}

enum view_read view_command_read(const char *name, struct model *m, struct dump *d,
                                 const struct view_args *args) {
  if (!model_read(m, d, &args->filter, ALL_ANALYSES)) {
    log_line("%s: needs more memory than there is", name);
    return VIEW_NO_MEMORY;
  }
  view_command_say_miss(name, &m->matcher, &m->threads, !is_empty(m));
  return is_empty(m) ? VIEW_NOTHING : VIEW_FOUND;
}

/* --- one dump ---------------------------------------------------------------------------- */

static bool resolve(struct run *r, struct dump *d) {
  const struct view_command *c = r->command;
  struct builder why = {0};
  bool good = view_args_resolve(&r->args, d, &why) &&
              (c->moment == NULL || view_args_has_moment(d, c->moment(r->wish), &why));
  say(r->command->name, &why);
  return good;
}

bool view_command_say_no_method(const char *name, const struct dump *d, const char *pattern) {
  struct builder why = {0};
  miss_write_method(&why, d, pattern);
  return say(name, &why);
}

/* Where nothing is what is asked for a person is told that alone, a program gets empty tables. */
static int print(const struct run *r, struct model *m, const struct model *second, bool found) {
  if (!found && r->args.format == FORMAT_TEXT) return WRONG;
  int status = print_page(r, m, second);
  return found ? status : WRONG;
}

static int read_and_print(const struct run *r, struct dump *d) {
  struct model model;
  enum view_read read = view_command_read(r->command->name, &model, d, &r->args);
  int status = read == VIEW_NO_MEMORY ? WRONG : print(r, &model, NULL, read == VIEW_FOUND);
  model_free(&model);
  return status;
}

static int show(struct dump *d, const void *arg) {
  struct run r = *(const struct run *)arg;
  if (!resolve(&r, d)) return MISUSED;
  int status =
      r.command->show != NULL ? r.command->show(d, &r.args, r.wish) : read_and_print(&r, d);
  return dump_command_end(r.command->name, d, status);
}

/* --- two dumps ----------------------------------------------------------------------------- */

struct both {
  struct run run;
  const char *second;
  struct model *first; /* when it is read, */
  bool found;          /* whether something of it is asked for */
};

/* What is said while one of the two is read names it. */
static enum view_read read_one(const struct run *r, struct model *m, struct dump *d) {
  struct builder name = {0};
  builder_string(&name, r->command->name);
  builder_string(&name, ": ");
  builder_string(&name, dump_prefix(d));
  builder_char(&name, '\0');
  enum view_read read =
      view_command_read(name.failed ? r->command->name : name.data, m, d, &r->args);
  builder_free(&name);
  return read;
}

static int show_second(struct dump *d, const void *arg) {
  const struct both *both = arg;
  struct run r = both->run;
  struct model model;
  if (!resolve(&r, d)) return MISUSED;
  enum view_read read = read_one(&r, &model, d);
  bool found = both->found || read == VIEW_FOUND;
  int status = read == VIEW_NO_MEMORY ? WRONG : print(&r, both->first, &model, found);
  model_free(&model);
  return dump_command_end(r.command->name, d, status);
}

/* The first stays open until all is printed. A time that is asked for is that of each by itself;
   what is asked for may be in one of them alone. */
static int show_first(struct dump *d, const void *arg) {
  struct both both = *(const struct both *)arg;
  struct run r = both.run;
  struct model model;
  int status = WRONG;
  if (!resolve(&r, d)) return MISUSED;
  both.first = &model;
  enum view_read read = read_one(&r, &model, d);
  both.found = read == VIEW_FOUND;
  if (read != VIEW_NO_MEMORY) status = dump_command(both.second, show_second, &both);
  model_free(&model);
  return dump_command_end(r.command->name, d, status);
}

int view_command_on(const struct view_command *c, const void *wish, const char *prefix,
                    const struct view_args *args) {
  struct run r = {c, wish, *args};
  return dump_command(prefix, show, &r);
}

/* --- the command line ------------------------------------------------------------------- */

static int misused(const struct view_command *c, const char *problem, const char *what) {
  log_line("%s: %s%s; see orca %s --help", c->name, problem, what, c->name);
  return MISUSED;
}

static int help(const struct view_command *c) {
  fputs(c->usage, stdout);
  fputs(
      "PREFIX is what the files PREFIX.orca, PREFIX.methods, ... of a run have in common; the name "
      "of\none of them will do.\n\n",
      stdout);
  fputs(view_args_filter_help, stdout);
  if (!c->no_tables) fputs(view_args_table_help, stdout);
  fputs(
      "Exit status: 0 done, 1 something in the files is broken, nothing matches the filters, or "
      "not\n"
      "all could be written, 2 wrong use or no such files.\n",
      stdout);
  return DONE;
}

static enum args_took take(const struct view_command *c, void *wish, struct view_args *args,
                           char **argv, int *at, const char **problem, const char **what) {
  enum args_took took = view_args_take(args, !c->no_tables, argv, at, problem, what);
  if (took != ARGS_OTHER || c->take == NULL) return took;
  return c->take(wish, argv, at, problem, what);
}

static const char *const too_many[] = {"one dump at a time, not also ",
                                       "two dumps at a time, not also "};

/* `names` ends with a NULL. */
static int on_one(const struct view_command *c, const void *wish, const char *const *names,
                  const struct view_args *args) {
  if (names[0] == NULL) return misused(c, "which dump? PREFIX is missing", "");
  return view_command_on(c, wish, names[0], args);
}

static int on_two(const struct view_command *c, const void *wish, const char *const *names,
                  const struct view_args *args) {
  if (names[0] == NULL) return misused(c, "which dumps? it takes two of them", "");
  if (names[1] == NULL) return misused(c, "it takes two dumps, not only ", names[0]);
  struct both both = {.run = {c, wish, *args}, .second = names[1]};
  return dump_command(names[0], show_first, &both);
}

int view_command(const struct view_command *c, void *wish, int argc, char **argv) {
  struct view_args args = {0};
  const char *names[3] = {NULL}, *problem, *what = "";
  size_t num = 0, most = c->put_two != NULL ? 2 : 1;
  for (int at = 1; at < argc; at++) {
    const char *word = argv[at];
    if (args_is_help(word)) return help(c);
    if (word[0] != '-') {
      if (num == most) return misused(c, too_many[most - 1], word);
      names[num++] = word;
      continue;
    }
    problem = "no such option, or its value is missing: ";
    what = word;
    if (take(c, wish, &args, argv, &at, &problem, &what) != ARGS_TOOK) {
      return misused(c, problem, what);
    }
  }
  if (!view_args_check(&args, &problem)) return misused(c, problem, "");
  if (c->check != NULL && c->check(wish, &args, &problem, &what) == ARGS_WRONG) {
    return misused(c, problem, what);
  }
  return most == 1 ? on_one(c, wish, names, &args) : on_two(c, wish, names, &args);
}
