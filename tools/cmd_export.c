#include "tools/cmd_export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/args.h"
#include "tools/export/format.h"
#include "tools/on_dump.h"

static const char usage[] =
    "usage: orca export --format=FORMAT [-o FILE] [--value=VALUE] [--threads] PREFIX\n"
    "\n"
    "Writes what one run of a Java program did in the format of another tool, to stdout or FILE:\n";

static const char usage_rest[] =
    "  --value=VALUE   for collapsed: cpu (the default), wall (time of the clock, by the "
    "samples),\n"
    "                  blocked (on locks), waits (waits, parks, sleeps, joins, ...)\n"
    "  --threads       for collapsed and speedscope: each thread apart, as the outermost frame\n"
    "All times are in nanoseconds, those of perfetto in microseconds with three decimals.\n"
    "Exit status: 0 done, 1 something in the files is broken or not all could be written, 2 wrong\n"
    "use or no such dump.\n";

struct wish {
  const struct export_format *format;
  const char *value, *file; /* NULL: not given */
  bool threads;
};

static void print_usage(FILE *to) {
  fputs(usage, to);
  for (size_t i = 0; i < NUM_EXPORT_FORMATS; i++) {
    fprintf(to, "  %-11s %s\n", export_formats[i].name, export_formats[i].help);
  }
  fputs(usage_rest, to);
}

/* --- writing ----------------------------------------------------------------------- */

/* What stdout does not take is said by main, once for all commands. */
static void say_why(const struct output *out) {
  if (out->file == stdout && out->error != 0) return;
  if (out->error != 0) {
    log_line("export: cannot write the output: %s", strerror(out->error));
  } else {
    log_line("export: needs more memory than there is");
  }
}

static bool write_job(struct export_job *job, const struct export_format *format) {
  struct model model = {0};
  bool good = true;
  if (format->needs & FORMAT_MODEL) {
    good = model_read(&model, job->dump, NULL);
    job->model = &model;
  }
  good = good && format->write(job) && output_end(job->out);
  model_free(&model);
  return good;
}

/* Opening the dump's own file to write would end it. */
static bool is_of_dump(const struct dump *d, const char *path) {
  struct stat it, file;
  if (stat(path, &it) != 0) return false;
  bool is = false;
  for (int i = 0; i < NUM_DUMP_FILES; i++) {
    struct builder name = {0};
    builder_string(&name, dump_prefix(d));
    builder_string(&name, dump_suffixes[i]);
    builder_char(&name, '\0');
    is |= !name.failed && stat(name.data, &file) == 0 && file.st_dev == it.st_dev &&
          file.st_ino == it.st_ino;
    builder_free(&name);
  }
  return is;
}

/* NULL where it cannot be: why is said. */
static FILE *open_file(const struct dump *d, const char *path) {
  if (path == NULL) return stdout;
  if (is_of_dump(d, path)) {
    log_line("export: -o takes a new file, not %s, which is a file of the recording", path);
    return NULL;
  }
  FILE *file = fopen(path, "we");
  if (file == NULL) log_line("export: cannot write %s: %s", path, strerror(errno));
  return file;
}

static int export_dump(struct dump *d, const void *arg) {
  const struct wish *wish = arg;
  struct output out = {.file = open_file(d, wish->file)};
  if (out.file == NULL) return MISUSED;
  struct export_job job = {.dump = d, .threads = wish->threads, .out = &out};
  if (out.file == stdout && isatty(STDOUT_FILENO)) dump_watch(d, (struct watch){NULL, NULL});
  if (wish->value != NULL) profile_value_find(wish->value, &job.value);
  bool good = write_job(&job, wish->format);
  if (out.file != stdout && fclose(out.file) != 0 && good) {
    out.error = errno;
    good = false;
  }
  if (!good) say_why(&out);
  output_free(&out);
  if (faults_total(dump_faults(d)) == 0) return good ? DONE : WRONG;
  log_line("export: something in the files is broken; see orca check");
  return WRONG;
}

/* --- the command line ---------------------------------------------------------------- */

static int misused(const char *problem, const char *what) {
  log_line("export: %s%s", problem, what);
  print_usage(stderr);
  return MISUSED;
}

static int unknown_format(const char *name) {
  struct builder all = {0};
  for (size_t i = 0; i < NUM_EXPORT_FORMATS; i++) {
    builder_string(&all, i == 0 ? "" : ", ");
    builder_string(&all, export_formats[i].name);
  }
  log_line("export: there is no format \"%s\"; there are %.*s", name, (int)all.len, all.data);
  builder_free(&all);
  return MISUSED;
}

static int check(const struct wish *wish) {
  enum profile_value value;
  unsigned needs = wish->format->needs;
  if (wish->value != NULL && !(needs & FORMAT_VALUE)) {
    return misused("--value is not for the format ", wish->format->name);
  }
  if (wish->value != NULL && !profile_value_find(wish->value, &value)) {
    return misused("--value takes cpu, wall, blocked or waits, not ", wish->value);
  }
  if (wish->threads && !(needs & FORMAT_THREADS)) {
    return misused("--threads is not for the format ", wish->format->name);
  }
  if ((needs & FORMAT_BINARY) && wish->file == NULL && isatty(STDOUT_FILENO)) {
    return misused("give it a file by -o: a terminal cannot show the format ", wish->format->name);
  }
  return DONE;
}

enum taken { TAKEN, TAKEN_HELP, NOT_TAKEN };

/* One option. `*format` is its name. */
static enum taken take(struct wish *wish, const char **format, char **argv, int *at) {
  const char *value;
  if (args_is_help(argv[*at])) return TAKEN_HELP;
  if (strcmp(argv[*at], "--threads") == 0) {
    wish->threads = true;
  } else if ((value = args_value("--format", argv, at)) != NULL) {
    *format = value;
  } else if ((value = args_value("--value", argv, at)) != NULL) {
    wish->value = value;
  } else if ((value = args_value("-o", argv, at)) != NULL) {
    wish->file = value;
  } else {
    return NOT_TAKEN;
  }
  return TAKEN;
}

int cmd_export(int argc, char **argv) {
  struct wish wish = {0};
  const char *format = NULL, *prefix = NULL;
  for (int at = 1; at < argc; at++) {
    const char *word = argv[at];
    if (word[0] != '-') {
      if (prefix != NULL) return misused("one dump at a time, not also ", word);
      prefix = word;
      continue;
    }
    enum taken taken = take(&wish, &format, argv, &at);
    if (taken == NOT_TAKEN) return misused("no such option, or its value is missing: ", word);
    if (taken == TAKEN) continue;
    print_usage(stdout);
    return DONE;
  }
  if (format == NULL) return misused("which format? --format=FORMAT is missing", "");
  if ((wish.format = export_find(format)) == NULL) return unknown_format(format);
  if (prefix == NULL) return misused("which dump? PREFIX is missing", "");
  int status = check(&wish);
  return status == DONE ? on_dump(prefix, export_dump, &wish) : status;
}
