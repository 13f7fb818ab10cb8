#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/log.h"
#include "tools/orca/budget/budget_text.h"
#include "tools/orca/budget/format.h"
#include "tools/orca/budget/measure/measure.h"
#include "tools/orca/budget/renewal.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/cmd/output_file.h"
#include "tools/orca/cmd/same_file.h"
#include "tools/orca/cmd/whole_file.h"
#include "tools/orca/digest/digest.h"

#define MOST_BYTES ((size_t)16 << 20)

static const char about[] =
    "Checks recordings against the budgets in FILE: what locks may cost. Each PREFIX is one run of "
    "the same program, or a digest of one. A deadlock, a new lock-order inversion, a string as a "
    "lock, a sleep or I/O while others wait for the lock, and lost events break a budget in one "
    "run. Waits, the longest wait and the share of blocked time break it only if they do in every "
    "run. With --update, FILE is written from the recordings.\n";

struct budget_options {
  bool updates, accepts, asks_for_more, as_json;
  const char *junit, *markdown, *sarif; /* NULL: not given */
};

static const struct args_option option_rows[] = {
    {"--update",
     .help = "write FILE from the recordings: new limits, and only known problems that "
             "still exist",
     .offset = offsetof(struct budget_options, updates)},
    {"--accept", .help = "with --update: accept new problems; a run with a deadlock is refused",
     .offset = offsetof(struct budget_options, accepts)},
    {"--retryable",
     .help = "exit with status 5 instead of 3 if only times are broken: one more run may keep them",
     .offset = offsetof(struct budget_options, asks_for_more)},
    {"--junit", "FILE", "also write the findings as JUnit XML", args_parse_text,
     offsetof(struct budget_options, junit), NULL},
    {"--markdown", "FILE", "also write them as Markdown, for a comment of a pull request",
     args_parse_text, offsetof(struct budget_options, markdown), NULL},
    {"--sarif", "FILE", "also write them as SARIF 2.1.0, for code review", args_parse_text,
     offsetof(struct budget_options, sarif), NULL},
    {"--format", "FORMAT", "text or json: of the standard output", args_parse_json,
     offsetof(struct budget_options, as_json), ARGS_JSON_PROBLEM}};

/* --- the file of budgets -------------------------------------------------------------- */

/* Reads a whole file. Returns false, with the reason in `errno`, if that is not possible. */
static bool read_file(const char *name, struct builder *out) {
  FILE *file = fopen(name, "re");
  if (file == NULL) return false;
  char block[4096];
  size_t len;
  while (out->len <= MOST_BYTES && (len = fread(block, 1, sizeof block, file)) > 0) {
    builder_bytes(out, block, len);
  }
  bool good = !ferror(file) && !out->failed && out->len <= MOST_BYTES;
  int error = out->len > MOST_BYTES ? EFBIG : out->failed ? ENOMEM : errno;
  fclose(file);
  if (!good) errno = error;
  return good;
}

/* Fills the empty `*out`. A missing file is an empty one if it will be written. Prints the reason
   and returns false for a file that is wrong. */
static bool read_budget(const char *name, bool may_be_missing, struct budget *out) {
  struct builder text = {0}, why = {0};
  bool good = read_file(name, &text);
  if (!good && errno == ENOENT && may_be_missing) {
    builder_free(&text);
    return true;
  }
  if (!good) {
    log_line("budget: cannot read %s: %s%s", name, strerror(errno),
             errno == ENOENT ? "; orca budget --update makes it from recordings" : "");
  } else if (!budget_parse((struct span){text.len == 0 ? "" : text.data, text.len}, out, &why)) {
    good = false;
    if (why.failed) {
      log_line("budget: out of memory");
    } else {
      log_line("budget: %s: %.*s", name, (int)why.len, why.data);
    }
  }
  builder_free(&text);
  builder_free(&why);
  return good;
}

/* --- the recordings ------------------------------------------------------------------- */

struct runs {
  struct open_dump *opens;
  struct dump **dumps;
  struct figures *figures;
  size_t num;
};

static bool start_runs(struct runs *r, size_t num) {
  r->opens = calloc(num, sizeof *r->opens);
  r->dumps = calloc(num, sizeof *r->dumps);
  r->figures = calloc(num, sizeof *r->figures);
  if (r->opens != NULL && r->dumps != NULL && r->figures != NULL) return true;
  log_line("budget: out of memory");
  return false;
}

static void free_runs(struct runs *r) {
  for (size_t i = 0; i < r->num; i++) {
    figures_free(&r->figures[i]);
    dump_command_close(&r->opens[i]);
  }
  free(r->opens);
  free(r->dumps);
  free(r->figures);
}

/* Takes the figures from the recording, or from the digest. Returns false when memory ran out. */
static bool take_figures(struct figures *out, struct open_dump *open) {
  struct model model = {0};
  if (open->digest != NULL) {
    *out = open->digest->figures; /* the reasons in it stay those of the digest */
    out->is_digest = true;
    open->digest->figures = (struct figures){0};
    return true;
  }
  bool good = model_read(&model, open->dump, NULL, ALL_ANALYSES) && measure_run(out, &model);
  model_free(&model);
  return good;
}

/* Returns the exit status. A recording with faults proves nothing, so it counts as unreadable. */
static int read_run(struct runs *r, const char *name) {
  struct figures *figures = &r->figures[r->num];
  struct open_dump *open = &r->opens[r->num];
  open->takes_digest = true;
  if (!dump_command_open(open, name)) return MISUSED;
  r->dumps[r->num++] = open->dump;
  bool good = take_figures(figures, open);
  figures->name = name;
  if (!good) log_line("budget: out of memory");
  if (!good) return WRONG;
  return dump_command_end("budget", open->dump, DONE) == DONE ? DONE : MISUSED;
}

static int read_runs(struct runs *r, char **names, size_t num) {
  int status = start_runs(r, num) ? DONE : WRONG;
  for (size_t i = 0; i < num && status == DONE; i++) status = read_run(r, names[i]);
  return status;
}

/* --- the answer ----------------------------------------------------------------------- */

typedef void (*format_function)(struct builder *b, const struct verdict *v, const char *file);

struct answer {
  format_function format;
  const struct verdict *verdict;
  const char *file;
};

static bool write_answer(struct output *o, void *arg) {
  const struct answer *a = arg;
  a->format(&o->text, a->verdict, a->file);
  return !o->text.failed;
}

/* Returns the exit status. */
static int get_status(const struct budget_options *options, const struct verdict *v) {
  if (v->num_broken == 0) return DONE;
  return options->asks_for_more && verdict_is_retryable(v) ? RETRYABLE : BROKEN;
}

/* Writes the outputs that the options ask for. Returns the exit status. */
static int write_answers(const struct runs *r, const struct budget_options *options,
                         const struct verdict *v, const char *file) {
  const struct {
    const char *name;
    format_function format;
  } outputs[] = {{options->junit, format_junit},
                 {options->markdown, format_markdown},
                 {options->sarif, format_sarif},
                 {"-", options->as_json ? format_json : format_text}};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    struct answer answer = {outputs[i].format, v, file};
    if (outputs[i].name == NULL) continue;
    int status =
        output_file_write("budget", r->dumps, r->num, outputs[i].name, write_answer, &answer);
    if (status != DONE) return status;
  }
  return get_status(options, v);
}

static int judge(const struct runs *r, const struct budget_options *options,
                 const struct budget *budget, const char *file) {
  struct verdict v = {0};
  bool good = verdict_find(&v, budget, r->figures, r->num);
  if (!good) log_line("budget: out of memory");
  int status = good ? write_answers(r, options, &v, file) : WRONG;
  verdict_free(&v);
  return status;
}

/* --- the update ----------------------------------------------------------------------- */

/* Returns the exit status. On a full disk the old file stays, with its comments. */
static int write_budget(const char *file, const struct budget *budget) {
  struct builder text = {0};
  budget_write(&text, budget);
  struct span span = {text.data, text.len};
  bool good = !text.failed;
  if (!good) log_line("budget: out of memory");
  if (good && !whole_file_replace(file, span, 0)) {
    log_line("budget: cannot write %s: %s", file, strerror(errno));
    good = false;
  }
  builder_free(&text);
  return good ? DONE : WRONG;
}

static bool has_deadlock(const struct figures *run) {
  bool has = false;
  for (size_t i = 0; i < run->num; i++) has |= run->rows[i].kind == BUDGET_DEADLOCK;
  return has;
}

/* Returns whether no run lost events, and none has a deadlock, whose threads block until the run is
   ended. Otherwise prints the first such run. */
static bool check_complete(const struct runs *r) {
  for (size_t i = 0; i < r->num; i++) {
    const struct figures *run = &r->figures[i];
    if (figures_find(run, BUDGET_LOST, "") != NULL) {
      log_line("budget: %s lost events, so it cannot make budgets; record it again", run->name);
      return false;
    }
    if (has_deadlock(run)) {
      log_line("budget: %s has a deadlock, so it cannot make budgets; mend it and record again",
               run->name);
      return false;
    }
  }
  return true;
}

/* What the new file does not allow, such as a new problem, is printed and is the exit status. */
static int update(const struct runs *r, const struct budget_options *options,
                  const struct budget *old, const char *file) {
  struct budget renewed = {0};
  if (!check_complete(r)) return MISUSED;
  int status = WRONG;
  if (renewal_make(&renewed, old, r->figures, r->num, options->accepts)) {
    status = write_budget(file, &renewed);
    bool is_written = status == DONE;
    if (is_written) status = judge(r, options, &renewed, file);
    if (is_written && status == BROKEN && !options->accepts) {
      log_line(
          "budget: %s is written; it does not allow the problems: mend them, or accept them "
          "with --update --accept",
          file);
    }
  } else {
    log_line("budget: out of memory");
  }
  budget_free(&renewed);
  return status;
}

/* --- the command line ----------------------------------------------------------------- */

static bool check_options(const struct call *call, struct refusal *why) {
  const struct budget_options *options = call->options;
  const char *files[] = {call->operands[0], options->junit, options->markdown, options->sarif};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    for (size_t k = 0; k < i; k++) {
      if (files[i] == NULL || files[k] == NULL || !same_file(files[i], files[k])) continue;
      return refuse(why, "FILE, --junit, --markdown and --sarif need files of their own");
    }
  }
  if (options->accepts && !options->updates) return refuse(why, "--accept needs --update");
  if (options->updates && strcmp(files[0], "-") == 0) {
    return refuse(why, "--update needs a file, not -: the standard output has the verdict");
  }
  return !options->asks_for_more || !options->updates ||
         refuse(why, "--retryable is for a check, and --update writes the budgets");
}

static int run_budget(struct call *call) {
  const struct budget_options *options = call->options;
  const char *file = call->operands[0];
  struct budget budget = {0};
  struct runs runs = {0};
  int status = read_budget(file, options->updates, &budget) ? DONE : MISUSED;
  if (status == DONE) status = read_runs(&runs, call->operands + 1, call->num - 1);
  if (status == DONE) {
    status = options->updates ? update(&runs, options, &budget, file)
                              : judge(&runs, options, &budget, file);
  }
  free_runs(&runs);
  budget_free(&budget);
  return status;
}

const struct command cmd_budget = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct budget_options),
    .statuses =
        "0 all budgets are kept, 3 a budget is broken, 5 the same with --retryable if one "
        "more run may keep it, 2 wrong use, or a file cannot be read, 1 the output could "
        "not be written completely.",
    .check = check_options,
    .run = run_budget};
