#include "tools/orca/cmd/view_command.h"

#include <stdio.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/model/miss.h"

struct run {
  const struct view_command *command;
  const void *options;
  struct view_args args;
};

/* --- the page -------------------------------------------------------------------------- */

/* CSV and JSON contain all rows by default. */
static size_t get_max_rows(const struct run *r) {
  if (r->args.top > 0) return r->args.top;
  return r->args.format == FORMAT_TEXT ? r->command->top : SIZE_MAX;
}

/* Prints the view of `m`, or its comparison with `second` unless that is NULL. Returns the exit
   status. */
static int print_page(const struct run *r, struct model *m, const struct model *second) {
  struct page page;
  page_start(&page, STDOUT_FILENO, r->args.format, r->command->has_several_tables);
  if (second == NULL) {
    r->command->append_view(&page, m, get_max_rows(r), r->options);
  } else {
    page.out.failed |=
        !r->command->append_comparison(&page, m, second, get_max_rows(r), r->options);
  }
  if (page_print(&page)) return page.missed ? WRONG : DONE;
  log_line("%s: out of memory", r->command->name);
  return WRONG;
}

/* Whether nothing matches the filters. A pair or a thread may span a time range without lines. */
static bool is_empty(const struct model *m) {
  const struct recording *r = &m->recording;
  return m->matcher.active && r->num_events + r->samples == 0 &&
         m->threads.num + m->stalls.num + m->locks.num == 0;
}

/* Prints `why` to stderr unless it is empty, and frees it. Returns whether it printed. */
static bool print_and_free(const char *name, struct builder *why) {
  bool has_text = why->len > 0;
  if (has_text) log_line("%s: %.*s", name, (int)why->len, why->data);
  builder_free(why);
  return has_text;
}

void view_command_print_miss(const char *name, const struct matcher *m,
                             const struct threads *threads, bool found) {
  struct builder why = {0};
  if (!m->active) return;
  miss_write(&why, m, threads, found);
  print_and_free(name, &why);
}

enum view_read view_command_read_model(const char *name, struct model *m, struct dump *d,
                                       const struct view_args *args) {
  if (!model_read(m, d, &args->filter, ALL_ANALYSES)) {
    log_line("%s: out of memory", name);
    return VIEW_NO_MEMORY;
  }
  view_command_print_miss(name, &m->matcher, &m->threads, !is_empty(m));
  return is_empty(m) ? VIEW_NOTHING : VIEW_FOUND;
}

/* --- one dump ---------------------------------------------------------------------------- */

static bool resolve_times(struct run *r, struct dump *d) {
  const struct view_command *c = r->command;
  struct builder why = {0};
  bool ok = view_args_resolve(&r->args, d, &why) &&
            (c->get_moment == NULL || view_args_check_moment(d, c->get_moment(r->options), &why));
  print_and_free(r->command->name, &why);
  return ok;
}

bool view_command_print_no_method(const char *name, const struct dump *d, const char *pattern) {
  struct builder why = {0};
  miss_write_method(&why, d, pattern);
  return print_and_free(name, &why);
}

/* If nothing matches the filters, prints no text, but empty tables as CSV and JSON. */
static int print_result(const struct run *r, struct model *m, const struct model *second,
                        bool found) {
  if (!found && r->args.format == FORMAT_TEXT) return WRONG;
  int status = print_page(r, m, second);
  return found ? status : WRONG;
}

static int read_and_print(const struct run *r, struct dump *d) {
  struct model model;
  enum view_read read = view_command_read_model(r->command->name, &model, d, &r->args);
  int status = read == VIEW_NO_MEMORY ? WRONG : print_result(r, &model, NULL, read == VIEW_FOUND);
  model_free(&model);
  return status;
}

static int show_one(struct dump *d, const void *arg) {
  struct run r = *(const struct run *)arg;
  if (!resolve_times(&r, d)) return MISUSED;
  int status = r.command->show_dump != NULL ? r.command->show_dump(d, &r.args, r.options)
                                            : read_and_print(&r, d);
  return dump_command_end(r.command->name, d, status);
}

/* --- two dumps ----------------------------------------------------------------------------- */

struct both {
  struct run run;
  const char *second;
  struct model *first; /* set when it was read */
  bool is_found;       /* something in the first dump matches the filters */
};

/* Messages about one of two dumps contain its prefix. */
static enum view_read read_one(const struct run *r, struct model *m, struct dump *d) {
  struct builder name = {0};
  builder_format(&name, "%s: %s%c", r->command->name, dump_prefix(d), '\0');
  enum view_read read =
      view_command_read_model(name.failed ? r->command->name : name.data, m, d, &r->args);
  builder_free(&name);
  return read;
}

static int show_second(struct dump *d, const void *arg) {
  const struct both *both = arg;
  struct run r = both->run;
  struct model model;
  if (!resolve_times(&r, d)) return MISUSED;
  enum view_read read = read_one(&r, &model, d);
  bool found = both->is_found || read == VIEW_FOUND;
  int status = read == VIEW_NO_MEMORY ? WRONG : print_result(&r, both->first, &model, found);
  model_free(&model);
  return dump_command_end(r.command->name, d, status);
}

/* The first dump stays open until everything is printed. Times are resolved for each dump
   separately. It is enough if something matches the filters in one of the dumps. */
static int show_first(struct dump *d, const void *arg) {
  struct both both = *(const struct both *)arg;
  struct run r = both.run;
  struct model model;
  int status = WRONG;
  if (!resolve_times(&r, d)) return MISUSED;
  both.first = &model;
  enum view_read read = read_one(&r, &model, d);
  both.is_found = read == VIEW_FOUND;
  if (read != VIEW_NO_MEMORY) status = dump_command_run(both.second, show_second, &both);
  model_free(&model);
  return dump_command_end(r.command->name, d, status);
}

int view_command_run_on(const struct view_command *c, const void *options, const char *prefix,
                        const struct view_args *args) {
  struct run r = {c, options, *args};
  return dump_command_run(prefix, show_one, &r);
}

/* --- the command line ------------------------------------------------------------------- */

static int print_misuse(const struct view_command *c, const char *problem, const char *subject) {
  log_line("%s: %s%s; see orca %s --help", c->name, problem, subject, c->name);
  return MISUSED;
}

static int print_help(const struct view_command *c) {
  fputs(c->usage, stdout);
  fputs(
      "PREFIX is the common part of the file names PREFIX.orca, PREFIX.methods, ...; the name of\n"
      "one of these files is accepted too.\n\n",
      stdout);
  fputs(view_args_filter_help, stdout);
  if (!c->has_no_tables) fputs(view_args_table_help, stdout);
  fputs(
      "Exit status: 0 success, 1 a file is broken, nothing matches the filters, or the output\n"
      "could not be written completely, 2 wrong use or no such files.\n",
      stdout);
  return DONE;
}

static enum args_result take_any_option(const struct view_command *c, void *options,
                                        struct view_args *args, char **argv, int *at,
                                        const char **problem, const char **subject) {
  enum args_result result = view_args_take(args, !c->has_no_tables, argv, at, problem, subject);
  if (result != ARGS_UNKNOWN || c->take_option == NULL) return result;
  return c->take_option(options, argv, at, problem, subject);
}

static const char *const too_many[] = {"one dump at a time, not also ",
                                       "two dumps at a time, not also "};

/* `names` ends with NULL. */
static int run_on_one(const struct view_command *c, const void *options, const char *const *names,
                      const struct view_args *args) {
  if (names[0] == NULL) return print_misuse(c, "which dump? PREFIX is missing", "");
  return view_command_run_on(c, options, names[0], args);
}

static int run_on_two(const struct view_command *c, const void *options, const char *const *names,
                      const struct view_args *args) {
  if (names[0] == NULL) return print_misuse(c, "which dumps? two prefixes are needed", "");
  if (names[1] == NULL) return print_misuse(c, "two prefixes are needed, not only ", names[0]);
  struct both both = {.run = {c, options, *args}, .second = names[1]};
  return dump_command_run(names[0], show_first, &both);
}

int view_command_run(const struct view_command *c, void *options, int argc, char **argv) {
  struct view_args args = {0};
  const char *names[3] = {NULL}, *problem, *subject = "";
  size_t num_names = 0, max_names = c->append_comparison != NULL ? 2 : 1;
  for (int at = 1; at < argc; at++) {
    const char *word = argv[at];
    if (args_is_help(word)) return print_help(c);
    if (word[0] != '-') {
      if (num_names == max_names) return print_misuse(c, too_many[max_names - 1], word);
      names[num_names++] = word;
      continue;
    }
    problem = "no such option, or its value is missing: ";
    subject = word;
    if (take_any_option(c, options, &args, argv, &at, &problem, &subject) != ARGS_TAKEN) {
      return print_misuse(c, problem, subject);
    }
  }
  if (!view_args_check(&args, &problem)) return print_misuse(c, problem, "");
  if (c->check_options != NULL &&
      c->check_options(options, &args, &problem, &subject) == ARGS_WRONG) {
    return print_misuse(c, problem, subject);
  }
  return max_names == 1 ? run_on_one(c, options, names, &args)
                        : run_on_two(c, options, names, &args);
}
