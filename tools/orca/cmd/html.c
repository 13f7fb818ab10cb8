#include "tools/orca/cmd/commands.h"

#include <stdio.h>
#include <string.h>

#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/cmd/output_file.h"
#include "tools/orca/cmd/view_command.h"
#include "tools/orca/html/html.h"

static const char usage[] =
    "usage: orca html [OPTION...] PREFIX [PREFIX]\n"
    "\n"
    "Writes one self-contained page for a browser: the problems in words; flame graphs of CPU "
    "time, "
    "clock time, blocked time and waits; the threads over time, and who kept whom waiting; locks, "
    "deadlocks, and events.\n"
    "\n"
    "With two prefixes the page compares a recording B with an earlier recording A, as orca diff "
    "does, "
    "and contains the views of both.\n";

struct html_options {
  const char *file; /* NULL: PREFIX.html; of two dumps: the second PREFIX.diff.html */
};

static const struct args_option option_rows[] = {
    {"-o", "FILE",
     "output file; - for the standard output (default: PREFIX.html; of two: that of the second, "
     "PREFIX.diff.html)",
     args_parse_text, offsetof(struct html_options, file), NULL}};

/* One model, or two to compare. */
struct html_models {
  struct model models[2];
  size_t num;
};

static bool write_html(struct output *o, void *arg) {
  struct html_models *m = arg;
  return m->num == 1 ? html_write(&o->text, &m->models[0])
                     : html_write_comparison(&o->text, &m->models[0], &m->models[1]);
}

static int write_page(struct html_models *m, const char *file) {
  struct builder default_name = {0};
  struct dump *dumps[] = {m->models[0].dump, m->models[1].dump};
  builder_format(&default_name, "%s%s%c", dump_prefix(dumps[m->num - 1]),
                 m->num == 1 ? ".html" : ".diff.html", '\0');
  if (file == NULL && !default_name.failed) file = default_name.data;
  int status = file == NULL ? WRONG : output_file_write("html", dumps, m->num, file, write_html, m);
  if (status == DONE && strcmp(file, "-") != 0) printf("the page is %s\n", file);
  builder_free(&default_name);
  return status;
}

static int show_html(struct dump *d, const struct view_args *args, const void *arg) {
  const struct html_options *options = arg;
  struct html_models m = {.num = 1};
  int status = view_command_read_model("html", &m.models[0], d, args) == VIEW_FOUND
                   ? write_page(&m, options->file)
                   : WRONG;
  model_free(&m.models[0]);
  return status;
}

static int show_two(struct dump *const dumps[2], const struct view_args args[2], const void *arg) {
  const struct html_options *options = arg;
  struct html_models m = {.num = 0};
  bool is_found = false, is_complete = true;
  while (m.num < 2 && is_complete) {
    struct builder name = {0};
    view_command_put_side(&name, "html", dumps[m.num]);
    enum view_read read = view_command_read_model(name.failed ? "html" : name.data,
                                                  &m.models[m.num], dumps[m.num], &args[m.num]);
    builder_free(&name);
    m.num++;
    is_found |= read == VIEW_FOUND;
    is_complete = read != VIEW_NO_MEMORY;
  }
  int status = is_complete && is_found ? write_page(&m, options->file) : WRONG;
  while (m.num > 0) model_free(&m.models[--m.num]);
  return status;
}

int cmd_html(int argc, char **argv) {
  static const struct view_command command = {.name = "html",
                                              .usage = usage,
                                              .options = ARGS_OPTIONS(option_rows),
                                              .show_dump = show_html,
                                              .show_two = show_two,
                                              .has_no_tables = true};
  struct html_options options = {NULL};
  return view_command_run(&command, &options, argc, argv);
}
