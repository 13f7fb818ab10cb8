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
    "Writes what one run of a Java program did in the format of another tool, times in "
    "nanoseconds,\n"
    "those of perfetto in microseconds with three decimals.\n"
#define FORMAT(id, needs, help) "  --format " #id "\n                     " help "\n"
#include "tools/orca/export/format.def"
    "  -o FILE            where to; else, or with -, to the standard output\n"
    "  --value VALUE      for collapsed: cpu (the default), wall (time of the clock, by the "
    "samples),\n"
    "                     blocked (on locks), waits (waits, parks, sleeps, joins, ...)\n"
    "  --threads          for collapsed and speedscope: each thread apart, as the outermost "
    "frame\n";

struct wish {
  const struct export_format *format; /* NULL: not given, as is: */
  const char *value;
  const char *file;
  bool threads;
};

/* --- writing ----------------------------------------------------------------------- */

struct writing {
  const struct export_format *format;
  struct export_job job;
};

static bool write_format(struct output *o, void *arg) {
  struct writing *w = arg;
  w->job.out = o;
  return w->format->write(&w->job);
}

static int show(struct dump *d, const struct view_args *args, const void *arg) {
  const struct wish *wish = arg;
  struct model model = {0};
  struct writing w = {wish->format, {.dump = d, .threads = wish->threads}};
  if (wish->value != NULL) profile_value_find(wish->value, &w.job.value);
  bool good = true;
  if (wish->format->needs & NEEDS_MODEL) {
    w.job.model = &model;
    good = view_command_read("export", &model, d, args) == VIEW_FOUND;
  }
  int status = good ? output_file("export", d, wish->file, write_format, &w) : WRONG;
  model_free(&model);
  return status;
}

/* --- the command line ---------------------------------------------------------------- */

#define FORMAT(id, needs, help) #id ", "
static const char no_format[] =
    "--format takes "
#include "tools/orca/export/format.def"
    "not ";

static const char *why_not(const struct wish *wish, const struct view_args *args) {
  unsigned needs = wish->format->needs;
  if (wish->value != NULL && !(needs & NEEDS_VALUE)) return "--value is not for the format ";
  if (wish->threads && !(needs & NEEDS_THREADS)) return "--threads is not for the format ";
  if (!(needs & NEEDS_MODEL) && view_args_has_filter(args)) {
    return "classes and methods are exported whole, without filters, by the format ";
  }
  if ((needs & NEEDS_BINARY) && strcmp(wish->file, "-") == 0 && isatty(STDOUT_FILENO)) {
    return "give it a file by -o: a terminal cannot show the format ";
  }
  return NULL;
}

static enum args_took check(const void *arg, const struct view_args *args, const char **problem,
                            const char **what) {
  const struct wish *wish = arg;
  *problem = "which format? --format=FORMAT is missing";
  *what = "";
  if (wish->format == NULL) return ARGS_WRONG;
  *what = wish->format->name;
  *problem = why_not(wish, args);
  return *problem == NULL ? ARGS_TOOK : ARGS_WRONG;
}

static bool take_format(struct wish *wish, const char *value) {
  return (wish->format = export_find(value)) != NULL;
}

static bool take_value(struct wish *wish, const char *value) {
  wish->value = value;
  return profile_value_find(value, &(enum profile_value){0});
}

static bool take_file(struct wish *wish, const char *value) {
  wish->file = value;
  return true;
}

static const struct {
  const char *option;
  bool (*take)(struct wish *wish, const char *value);
  const char *wrong;
} options[] = {
    {"--format", take_format, no_format},
    {"--value", take_value, "--value takes cpu, wall, blocked or waits, not "},
    {"-o", take_file, NULL},
};

static enum args_took take(void *arg, char **argv, int *at, const char **problem,
                           const char **what) {
  struct wish *wish = arg;
  if (strcmp(argv[*at], "--threads") == 0) {
    wish->threads = true;
    return ARGS_TOOK;
  }
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const char *value = args_value(options[i].option, argv, at);
    if (value == NULL) continue;
    *problem = options[i].wrong;
    *what = value;
    return options[i].take(wish, value) ? ARGS_TOOK : ARGS_WRONG;
  }
  return ARGS_OTHER;
}

int cmd_export(int argc, char **argv) {
  static const struct view_command command = {.name = "export",
                                              .usage = usage,
                                              .take = take,
                                              .show = show,
                                              .no_tables = true,
                                              .check = check};
  struct wish wish = {.file = "-"};
  return view_command(&command, &wish, argc, argv);
}
