#include "tools/orca/cmd/commands.h"

#include <stdio.h>
#include <string.h>

#include "tools/orca/cmd/output_file.h"
#include "tools/orca/html/html.h"

static const char about[] =
    "Writes one self-contained page for a browser: the problems in words; flame graphs of CPU "
    "time, clock time, blocked time and waits; the threads over time, and who kept whom waiting; "
    "locks, deadlocks, and events.\n"
    "\n"
    "With two prefixes the page compares a recording B with an earlier recording A, as orca diff "
    "does, and contains the views of both.\n";

struct html_options {
  const char *file; /* NULL: PREFIX.html; of two dumps: the second PREFIX.diff.html */
};

static const struct args_option option_rows[] = {
    {"-o", "FILE",
     "output file; - for the standard output (default: PREFIX.html; of two: that of the second, "
     "PREFIX.diff.html)",
     args_parse_text, offsetof(struct html_options, file), NULL}};

struct html_models {
  struct view_side *sides; /* one, or two to compare */
  size_t num;
};

static bool write_html(struct output *o, void *arg) {
  const struct html_models *m = arg;
  return m->num == 1 ? html_write(&o->text, &m->sides[0].model)
                     : html_write_comparison(&o->text, &m->sides[0].model, &m->sides[1].model);
}

static int write_page(struct html_models *m, const char *file) {
  struct builder default_name = {0};
  struct dump *dumps[] = {m->sides[0].open.dump, m->sides[m->num - 1].open.dump};
  builder_format(&default_name, "%s%s%c", dump_prefix(dumps[m->num - 1]),
                 m->num == 1 ? ".html" : ".diff.html", '\0');
  if (file == NULL && !default_name.failed) file = default_name.data;
  int status = file == NULL ? WRONG : output_file_write("html", dumps, m->num, file, write_html, m);
  if (status == DONE && strcmp(file, "-") != 0) printf("the page is %s\n", file);
  builder_free(&default_name);
  return status;
}

static int show_html(const struct call *call, struct view_side *sides) {
  const struct html_options *options = call->options;
  struct html_models m = {sides, call->num};
  bool is_found = false;
  for (size_t i = 0; i < m.num; i++) {
    if (view_command_read_model(call, &sides[i]) == VIEW_NO_MEMORY) return WRONG;
    is_found |= sides[i].is_found;
  }
  return is_found ? write_page(&m, options->file) : WRONG;
}

const struct command cmd_html = {.about = about,
                                 COMMAND_OPTIONS(option_rows, struct html_options),
                                 .run = view_command_run,
                                 .view = {.has_no_tables = true, .show = show_html}};
