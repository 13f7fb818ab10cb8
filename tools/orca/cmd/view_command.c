#include "tools/orca/cmd/view_command.h"

#include <stdio.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/digest/digest_open.h"
#include "tools/orca/model/unmatched.h"
#include "tools/orca/render/view/view.h"

#define MAX_DUMPS 2

/* A run of a command. */
struct run {
  const struct view_command *command;
  void *options;
  struct view_args args;
  const char *prefixes[MAX_DUMPS];
  size_t num;
};

/* One of its dumps. */
struct side {
  struct open_dump open;
  struct view_args args; /* with the times resolved for this dump */
  struct model model;
  bool is_found; /* something in the dump matches the filters */
};

/* --- messages ---------------------------------------------------------------------------- */

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
  unmatched_write(&why, m, threads, found);
  print_and_free(name, &why);
}

bool view_command_print_no_method(const char *name, const struct dump *d, const char *pattern) {
  struct builder why = {0};
  unmatched_write_method(&why, d, pattern);
  return print_and_free(name, &why);
}

void view_command_put_side(struct builder *b, const char *name, const struct dump *d) {
  builder_format(b, "%s: %s%c", name, dump_prefix(d), '\0');
}

static int print_misuse(const struct view_command *c, const char *problem, const char *subject) {
  log_line("%s: %s%s; see orca %s --help", c->name, problem, subject, c->name);
  return MISUSED;
}

static int print_help(const struct view_command *c) {
  struct builder b = {0};
  args_put_text(&b, c->usage);
  args_put_help(&b, &c->options);
  args_put_text(
      &b,
      "PREFIX is the common part of the file names PREFIX.orca, PREFIX.methods, ...; the "
      "name of one of these files, of a file of orca pack, of a folder or zip file with one "
      "recording, or ZIP/NAME of one with several, is accepted too.\n\n");
  view_args_put_help(&b, !c->has_no_tables);
  args_put_text(&b,
                "Exit status: 0 success, 1 a file is broken, nothing matches the filters, or the "
                "output could not be written completely, 2 wrong use or no such files.\n");
  if (!b.failed) fwrite(b.data, 1, b.len, stdout);
  builder_free(&b);
  return DONE;
}

/* --- parsing ----------------------------------------------------------------------------- */

/* Parses argv[*at], which is an option. Returns false with the message. */
static bool parse_option(struct run *r, char **argv, int *at, const char **problem,
                         const char **subject) {
  const struct view_command *c = r->command;
  *problem = "no such option, or its value is missing: ";
  *subject = argv[*at];
  enum args_result result = view_args_take(&r->args, !c->has_no_tables, argv, at, problem, subject);
  if (result == ARGS_UNKNOWN) {
    result = args_take(&c->options, r->options, argv, at, problem, subject);
  }
  return result == ARGS_TAKEN;
}

/* Adds a prefix. Returns false with the message. */
static bool parse_prefix(struct run *r, const char *word, const char **problem,
                         const char **subject) {
  const struct view_command *c = r->command;
  bool takes_two = c->append_comparison != NULL || c->show_two != NULL;
  *problem = takes_two ? "two dumps at a time, not also " : "one dump at a time, not also ";
  *subject = word;
  if (r->num == (takes_two ? 2 : 1)) return false;
  r->prefixes[r->num++] = word;
  return true;
}

/* Checks what the single words cannot show. Returns false with the message. */
static bool check_words(const struct run *r, const char **problem, const char **subject) {
  const struct view_command *c = r->command;
  *subject = "";
  if (!view_args_check(&r->args, problem)) return false;
  if (c->check_options != NULL &&
      c->check_options(r->options, &r->args, problem, subject) == ARGS_WRONG) {
    return false;
  }
  *subject = r->num > 0 ? r->prefixes[0] : "";
  if (c->append_comparison == NULL) {
    *problem = "which dump? PREFIX is missing";
    return r->num >= 1;
  }
  *problem =
      r->num == 0 ? "which dumps? two prefixes are needed" : "two prefixes are needed, not only ";
  return r->num == 2;
}

/* --- reading ----------------------------------------------------------------------------- */

/* Whether nothing matches the filters. A pair or a thread may span a time range without lines. */
static bool is_empty(const struct model *m) {
  const struct recording *r = &m->recording;
  return m->matcher.active && r->num_events + r->samples == 0 &&
         m->threads.num + m->stalls.num + m->locks.num == 0;
}

/* With a filter, is_empty needs all analyses. */
static enum view_read read_model(const char *name, struct model *m, struct dump *d,
                                 const struct view_args *args, analyses_t set) {
  bool needs_all = set == 0 || filter_is_active(&args->filter);
  if (!model_read(m, d, &args->filter, needs_all ? ALL_ANALYSES : set)) {
    log_line("%s: out of memory", name);
    return VIEW_NO_MEMORY;
  }
  view_command_print_miss(name, &m->matcher, &m->threads, !is_empty(m));
  return is_empty(m) ? VIEW_NOTHING : VIEW_FOUND;
}

enum view_read view_command_read_model(const char *name, struct model *m, struct dump *d,
                                       const struct view_args *args) {
  return read_model(name, m, d, args, 0);
}

/* A digest has no lines that a filter could select. Returns the exit status. */
static int fill_from_digest(const struct run *r, struct side *side) {
  struct dump *d = side->open.dump;
  side->is_found = true;
  if (view_args_has_filter(&r->args)) {
    log_line("%s: filters need recordings, and %s is a digest", r->command->name, dump_prefix(d));
    return MISUSED;
  }
  if (digest_fill(&side->model, d, side->open.digest)) return DONE;
  log_line("%s: out of memory", r->command->name);
  return WRONG;
}

/* Opens and reads a dump. Messages about one of two dumps contain its prefix. Returns the exit
   status. */
static int open_and_read(const struct run *r, struct side *side, const char *prefix) {
  const struct view_command *c = r->command;
  struct builder why = {0}, name = {0};
  side->args = r->args;
  side->open.takes_digest = c->append_comparison != NULL;
  if (!dump_command_open(&side->open, prefix)) return MISUSED;
  if (side->open.digest != NULL) return fill_from_digest(r, side);
  struct dump *d = side->open.dump;
  bool ok = view_args_resolve(&side->args, d, &why) &&
            (c->get_moment == NULL || view_args_check_moment(d, c->get_moment(r->options), &why));
  print_and_free(c->name, &why);
  if (!ok) return MISUSED;
  if (c->show_dump != NULL) return DONE;
  if (r->num > 1) view_command_put_side(&name, c->name, d);
  bool has_side = r->num > 1 && !name.failed;
  enum view_read read =
      read_model(has_side ? name.data : c->name, &side->model, d, &side->args, c->analyses);
  builder_free(&name);
  side->is_found = read == VIEW_FOUND;
  return read == VIEW_NO_MEMORY ? WRONG : DONE;
}

/* --- printing ---------------------------------------------------------------------------- */

/* Prints the view of the dump, or the comparison of both. Returns the exit status. */
static int print_page(const struct run *r, struct side *sides) {
  const struct view_command *c = r->command;
  struct page page;
  /* CSV and JSON contain all rows by default. */
  size_t default_top = r->args.format == FORMAT_TEXT ? c->top : SIZE_MAX;
  size_t top = r->args.top > 0 ? r->args.top : default_top;
  page_start(&page, STDOUT_FILENO, r->args.format, c->has_several_tables);
  page_put_schema(&page);
  if (r->num == 1) view_source(&page, sides[0].open.dump);
  if (c->append_comparison == NULL) {
    c->append_view(&page, &sides[0].model, top, r->options);
  } else {
    page.out.failed |=
        !c->append_comparison(&page, &sides[0].model, &sides[1].model, top, r->options);
  }
  if (page_print(&page)) {
    if (page.missed) return WRONG;
    if (page.has_broken_limit) return BROKEN;
    return c->judge == NULL ? DONE : c->judge(&sides[0].model, r->options);
  }
  log_line("%s: out of memory", c->name);
  return WRONG;
}

/* If nothing matches the filters, prints no text, but empty tables as CSV and JSON. It is enough if
   something in one of two dumps matches. Returns the exit status. */
static int print_result(const struct run *r, struct side *sides) {
  if (r->num == 2 && r->command->show_two != NULL) {
    return r->command->show_two((struct dump *[]){sides[0].open.dump, sides[1].open.dump},
                                (struct view_args[]){sides[0].args, sides[1].args}, r->options);
  }
  if (r->command->show_dump != NULL) {
    return r->command->show_dump(sides[0].open.dump, &sides[0].args, r->options);
  }
  bool is_found = sides[0].is_found || sides[1].is_found;
  if (!is_found && r->args.format == FORMAT_TEXT) return WRONG;
  int status = print_page(r, sides);
  return is_found ? status : WRONG;
}

/* Both dumps of a comparison stay open until everything is printed. The faults of the files come
   last. */
static int run_on_dumps(const struct run *r) {
  struct side sides[MAX_DUMPS] = {0};
  int status = DONE;
  for (size_t i = 0; i < r->num && status == DONE; i++) {
    status = open_and_read(r, &sides[i], r->prefixes[i]);
  }
  if (status == DONE) status = print_result(r, sides);
  for (size_t i = r->num; i > 0; i--) {
    struct side *side = &sides[i - 1];
    if (side->open.dump == NULL) continue;
    model_free(&side->model);
    status = dump_command_end(r->command->name, side->open.dump, status);
    dump_command_close(&side->open);
  }
  return status;
}

int view_command_run_on(const struct view_command *c, void *options, const char *prefix,
                        const struct view_args *args) {
  return run_on_dumps(&(struct run){c, options, *args, {prefix}, 1});
}

int view_command_run(const struct view_command *c, void *options, int argc, char **argv) {
  struct run r = {.command = c, .options = options};
  const char *problem, *subject;
  for (int at = 1; at < argc; at++) {
    if (args_is_help(argv[at])) return print_help(c);
    bool ok = argv[at][0] == '-' ? parse_option(&r, argv, &at, &problem, &subject)
                                 : parse_prefix(&r, argv[at], &problem, &subject);
    if (!ok) return print_misuse(c, problem, subject);
  }
  if (!check_words(&r, &problem, &subject)) return print_misuse(c, problem, subject);
  return run_on_dumps(&r);
}
