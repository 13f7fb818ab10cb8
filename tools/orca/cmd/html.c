#include "tools/orca/cmd/commands.h"

#include <stdio.h>
#include <string.h>

#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/cmd/output_file.h"
#include "tools/orca/cmd/view_command.h"
#include "tools/orca/html/html.h"

static const char usage[] =
    "usage: orca html [OPTION...] PREFIX\n"
    "\n"
    "Writes one self-contained page for a browser: the problems in words; flame graphs of CPU "
    "time, "
    "clock time, blocked time and waits; the threads over time, and who kept whom waiting; locks, "
    "deadlocks, and events.\n";

struct html_options {
  const char *file; /* NULL: PREFIX.html */
};

static const struct args_option option_rows[] = {
    {"-o", "FILE", "output file; - for the standard output (default: PREFIX.html)", args_parse_text,
     offsetof(struct html_options, file), NULL}};

static bool write_html(struct output *o, void *model) { return html_write(&o->text, model); }

static int write_page(struct model *m, const char *file) {
  struct builder default_name = {0};
  builder_format(&default_name, "%s.html%c", dump_prefix(m->dump), '\0');
  if (file == NULL && !default_name.failed) file = default_name.data;
  int status = file == NULL ? WRONG : output_file_write("html", m->dump, file, write_html, m);
  if (status == DONE && strcmp(file, "-") != 0) printf("the page is %s\n", file);
  builder_free(&default_name);
  return status;
}

static int show_html(struct dump *d, const struct view_args *args, const void *arg) {
  const struct html_options *options = arg;
  struct model model;
  int status = view_command_read_model("html", &model, d, args) == VIEW_FOUND
                   ? write_page(&model, options->file)
                   : WRONG;
  model_free(&model);
  return status;
}

int cmd_html(int argc, char **argv) {
  static const struct view_command command = {.name = "html",
                                              .usage = usage,
                                              .options = ARGS_OPTIONS(option_rows),
                                              .show_dump = show_html,
                                              .has_no_tables = true};
  struct html_options options = {NULL};
  return view_command_run(&command, &options, argc, argv);
}
