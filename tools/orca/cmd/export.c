#include "tools/orca/cmd/commands.h"

#include <string.h>
#include <unistd.h>

#include "tools/orca/cmd/output_file.h"
#include "tools/orca/export/format.h"

static const char about[] =
    "Writes a recording in the format of another tool. Times are in nanoseconds, in perfetto in "
    "microseconds with three decimals.\n";

struct export_options {
  const struct export_format *format; /* NULL: not given */
  const char *value;                  /* NULL: not given */
  const char *file;
  bool threads;
  const struct tsv_table *table; /* NULL: not given */
  struct labels labels;
  const char *label_problem, *bad_label; /* of the first wrong label; NULL: all are right */
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

static int export_dump(const struct call *call, struct view_side *side) {
  const struct export_options *options = call->options;
  struct dump *d = side->open.dump;
  struct export_output w = {options->format,
                            {.dump = d,
                             .threads = options->threads,
                             .table = options->table,
                             .labels = &options->labels}};
  if (options->value != NULL) profile_value_find(options->value, &w.job.value);
  if (options->format->needs & NEEDS_MODEL) {
    w.job.model = &side->model;
    if (view_command_read_model(call, side) != VIEW_FOUND) return WRONG;
  }
  return output_file_write("export", &d, 1, options->file, write_format, &w);
}

/* --- the command line ---------------------------------------------------------------- */

#define FORMAT(id, needs, help) #id ", "
static const char no_format[] =
    "--format takes "
#include "tools/orca/export/format.def"
    "not ";

#define TABLE(id, help) #id ", "
static const char no_table[] =
    "--table takes "
#include "tools/orca/export/tsv_table.def"
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
  bool has_labels = options->labels.has_values || options->label_problem != NULL;
  if (has_labels && !(needs & NEEDS_TABLE)) return "--label is not supported by the format ";
  if (options->table != NULL && !(needs & NEEDS_TABLE)) {
    return "--table is not supported by the format ";
  }
  if (options->table == NULL && (needs & NEEDS_TABLE)) {
    return "which table? --table=TABLE is missing for the format ";
  }
  return NULL;
}

static bool check_export_options(const struct call *call, struct refusal *why) {
  const struct export_options *options = call->options;
  if (options->format == NULL) return refuse(why, "which format? --format=FORMAT is missing");
  const char *problem = find_unsupported(options, &call->view);
  if (problem != NULL) return refuse(why, "%s%s", problem, options->format->name);
  return options->label_problem == NULL ||
         refuse(why, "%s%s", options->label_problem, options->bad_label);
}

static bool parse_format(const char *text, void *target) {
  const struct export_format **format = target;
  return (*format = export_find(text)) != NULL;
}

static bool parse_value(const char *text, void *target) {
  return args_parse_text(text, target) && profile_value_find(text, &(enum profile_value){0});
}

static bool parse_table(const char *text, void *target) {
  const struct tsv_table **table = target;
  return (*table = tsv_table_find(text)) != NULL;
}

/* The reason why a label is wrong varies, so check_export_options tells it. */
static bool parse_label(const char *text, void *target) {
  struct export_options *options = target;
  const char *problem = labels_add(&options->labels, text);
  if (problem == NULL || options->label_problem != NULL) return true;
  options->label_problem = problem;
  options->bad_label = text;
  return true;
}

/* The first row of --format parses all formats, and that of --table all tables; each has its
   own help. */
static const struct args_option option_rows[] = {
#define FORMAT(id, needs, help) \
  {"--format", #id, help, parse_format, offsetof(struct export_options, format), no_format},
#include "tools/orca/export/format.def"
    {"-o", "FILE", "output file; - for the standard output (default: -)", args_parse_text,
     offsetof(struct export_options, file), NULL},
    {"--value", "VALUE",
     "cpu, wall, blocked or waits (default: cpu): for " FORMATS_WITH_VALUE
     "; wall is clock time from the samples, blocked is time on locks, waits are waits, parks, "
     "sleeps, joins, ...",
     parse_value, offsetof(struct export_options, value),
     "--value takes cpu, wall, blocked or waits, not "},
    {"--threads", .help = "for " FORMATS_WITH_THREADS ": separate threads, as the outermost frame",
     .offset = offsetof(struct export_options, threads)},
#define TABLE(id, help) \
  {"--table", #id, "for tsv: " help, parse_table, offsetof(struct export_options, table), no_table},
#include "tools/orca/export/tsv_table.def"
    {"--label", "KEY=VALUE",
     "for tsv: a column with this value in each row; host, service, version and run are always "
     "there (default of run: start and pid)",
     parse_label, 0, ""}};

const struct command cmd_export = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct export_options, .file = "-", .labels = LABELS_NONE),
    .check = check_export_options,
    .run = view_command_run,
    .view = {.has_no_tables = true, .show = export_dump}};
