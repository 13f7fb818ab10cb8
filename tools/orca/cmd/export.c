#include "tools/orca/cmd/commands.h"

#include <string.h>
#include <unistd.h>

#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/cmd/output_file.h"
#include "tools/orca/cmd/view_command.h"
#include "tools/orca/export/format.h"

static const char usage[] =
    "usage: orca export --format=FORMAT [OPTION...] PREFIX\n"
    "\n"
    "Writes a recording in the format of another tool. Times are in nanoseconds, in perfetto in\n"
    "microseconds with three decimals.\n"
#define FORMAT(id, needs, help) "  --format " #id "\n                     " help "\n"
#include "tools/orca/export/format.def"
    "  -o FILE            output file; - for the standard output (default: -)\n"
    "  --value VALUE      for collapsed: cpu (the default), wall (clock time, from the samples),\n"
    "                     blocked (on locks), waits (waits, parks, sleeps, joins, ...)\n"
    "  --threads          for collapsed and speedscope: separate threads, as the outermost frame\n";

struct export_options {
  const struct export_format *format; /* NULL: not given */
  const char *value;                  /* NULL: not given */
  const char *file;
  bool threads;
};

/* --- writing ----------------------------------------------------------------------- */

struct export_output {
  const struct export_format *format;
  struct export_job job;
};

static bool write_format(struct output *o, void *arg) {
  struct export_output *w = arg;
  w->job.out = o;
  return w->format->write(&w->job);
}

static int export_dump(struct dump *d, const struct view_args *args, const void *arg) {
  const struct export_options *options = arg;
  struct model model = {0};
  struct export_output w = {options->format, {.dump = d, .threads = options->threads}};
  if (options->value != NULL) profile_value_find(options->value, &w.job.value);
  bool ok = true;
  if (options->format->needs & NEEDS_MODEL) {
    w.job.model = &model;
    ok = view_command_read_model("export", &model, d, args) == VIEW_FOUND;
  }
  int status = ok ? output_file_write("export", d, options->file, write_format, &w) : WRONG;
  model_free(&model);
  return status;
}

/* --- the command line ---------------------------------------------------------------- */

#define FORMAT(id, needs, help) #id ", "
static const char no_format[] =
    "--format takes "
#include "tools/orca/export/format.def"
    "not ";

static const char *find_unsupported(const struct export_options *options,
                                    const struct view_args *args) {
  unsigned needs = options->format->needs;
  if (options->value != NULL && !(needs & NEEDS_VALUE)) {
    return "--value is not supported by the format ";
  }
  if (options->threads && !(needs & NEEDS_THREADS)) {
    return "--threads is not supported by the format ";
  }
  if (!(needs & NEEDS_MODEL) && view_args_has_filter(args)) {
    return "filters are not supported by the format ";
  }
  if ((needs & NEEDS_BINARY) && strcmp(options->file, "-") == 0 && isatty(STDOUT_FILENO)) {
    return "-o FILE is needed, because a terminal cannot show the format ";
  }
  return NULL;
}

static enum args_result check_export_options(const void *arg, const struct view_args *args,
                                             const char **problem, const char **subject) {
  const struct export_options *options = arg;
  *problem = "which format? --format=FORMAT is missing";
  *subject = "";
  if (options->format == NULL) return ARGS_WRONG;
  *subject = options->format->name;
  *problem = find_unsupported(options, args);
  return *problem == NULL ? ARGS_TAKEN : ARGS_WRONG;
}

static bool take_export_format(struct export_options *options, const char *value) {
  return (options->format = export_find(value)) != NULL;
}

static bool take_value(struct export_options *options, const char *value) {
  options->value = value;
  return profile_value_find(value, &(enum profile_value){0});
}

static bool take_file(struct export_options *options, const char *value) {
  options->file = value;
  return true;
}

static const struct {
  const char *option;
  bool (*take)(struct export_options *options, const char *value);
  const char *wrong_value; /* message */
} valued_options[] = {
    {"--format", take_export_format, no_format},
    {"--value", take_value, "--value takes cpu, wall, blocked or waits, not "},
    {"-o", take_file, NULL},
};

static enum args_result take_export_option(void *arg, char **argv, int *at, const char **problem,
                                           const char **subject) {
  struct export_options *options = arg;
  if (strcmp(argv[*at], "--threads") == 0) {
    options->threads = true;
    return ARGS_TAKEN;
  }
  for (size_t i = 0; i < sizeof valued_options / sizeof *valued_options; i++) {
    const char *value = args_value(valued_options[i].option, argv, at);
    if (value == NULL) continue;
    *problem = valued_options[i].wrong_value;
    *subject = value;
    return valued_options[i].take(options, value) ? ARGS_TAKEN : ARGS_WRONG;
  }
  return ARGS_UNKNOWN;
}

int cmd_export(int argc, char **argv) {
  static const struct view_command command = {.name = "export",
                                              .usage = usage,
                                              .take_option = take_export_option,
                                              .show_dump = export_dump,
                                              .has_no_tables = true,
                                              .check_options = check_export_options};
  struct export_options options = {.file = "-"};
  return view_command_run(&command, &options, argc, argv);
}
