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
    "Writes one page for a browser, which needs nothing else: what hurts in words, a flame graph "
    "of\n"
    "CPU time, of time on the clock, of blocking and waiting, the threads over time and who kept\n"
    "whom waiting, the locks, deadlocks, and the events.\n"
    "  -o FILE            where to; - for the standard output (PREFIX.html)\n";

struct wish {
  const char *file; /* NULL: PREFIX.html */
};

static bool write_all(struct output *o, void *model) { return html_write(&o->text, model); }

static int write_page(struct model *m, const char *file) {
  struct builder own = {0};
  builder_string(&own, dump_prefix(m->dump));
  builder_string(&own, ".html");
  builder_char(&own, '\0');
  if (file == NULL && !own.failed) file = own.data;
  int status = file == NULL ? WRONG : output_file("html", m->dump, file, write_all, m);
  if (status == DONE && strcmp(file, "-") != 0) printf("the page is %s\n", file);
  builder_free(&own);
  return status;
}

static int show(struct dump *d, const struct view_args *args, const void *arg) {
  const struct wish *wish = arg;
  struct model model;
  int status = view_command_read("html", &model, d, args) == VIEW_FOUND
                   ? write_page(&model, wish->file)
                   : WRONG;
  model_free(&model);
  return status;
}

static enum args_took take(void *arg, char **argv, int *at, const char **problem,
                           const char **what) {
  struct wish *wish = arg;
  const char *value = args_value("-o", argv, at);
  (void)problem, (void)what;
  if (value == NULL) return ARGS_OTHER;
  wish->file = value;
  return ARGS_TOOK;
}

int cmd_html(int argc, char **argv) {
  static const struct view_command command = {
      .name = "html", .usage = usage, .take = take, .show = show, .no_tables = true};
  struct wish wish = {NULL};
  return view_command(&command, &wish, argc, argv);
}
