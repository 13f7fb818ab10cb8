#include "tools/orca/live/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/cmd/follow.h"
#include "tools/orca/cmd/whole_file.h"

#define STEP_NS (500 * 1000 * 1000)

static const char about[] =
    "Writes a recording as OpenMetrics text, which Prometheus reads, for example through the "
    "textfile collector of node_exporter. It only reads the files of the recording.\n";

struct metrics_options {
  const char *file;
  bool follow;
  size_t every, top;
  struct builder labels;
};

/* --- labels ----------------------------------------------------------------------------------- */

static bool is_label_name(struct span key) {
  for (size_t i = 0; i < key.len; i++) {
    char c = key.data[i];
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!is_letter && (i == 0 || c < '0' || c > '9')) return false;
  }
  return key.len > 0;
}

/* These are given by Orca itself. */
static bool is_own_label(struct span key) {
  return span_is(key, "class") || span_is(key, "site") || span_is(key, "method") ||
         span_is(key, "state");
}

/* "service=shop" */
static bool parse_label(const char *text, void *target) {
  struct builder *labels = target;
  struct span value = {text, strlen(text)}, key;
  char name[64];
  if (!span_cut(&value, '=', &key) || value.data == NULL || key.len >= sizeof name) return false;
  if (!is_label_name(key) || is_own_label(key)) return false;
  snprintf(name, sizeof name, "%.*s", (int)key.len, key.data);
  if (labels->len > 0) builder_char(labels, ',');
  metrics_label(labels, name, value);
  return true;
}

static const struct args_option option_rows[] = {
    {"-o", "FILE", "output file, which is replaced at once; - for the standard output (default: -)",
     args_parse_text, offsetof(struct metrics_options, file), NULL},
    {"--follow", .help = "write the file again and again, until the recording ends",
     .offset = offsetof(struct metrics_options, follow)},
    {"--every", "SECONDS", "with --follow: the time between two writes (default: 15)",
     args_parse_count, offsetof(struct metrics_options, every),
     "--every takes a number of seconds from 1, not "},
    {"--top", "N", "locks and places, classes, and methods with labels of their own (default: 50)",
     args_parse_count, offsetof(struct metrics_options, top), "--top takes a number from 1, not "},
    {"--label", "KEY=VALUE", "a label for all metrics, such as service=shop; may be repeated",
     parse_label, offsetof(struct metrics_options, labels),
     "--label takes KEY=VALUE with a KEY of letters, digits and _, and none of class, site, method "
     "and state, not "}};

/* --- the file --------------------------------------------------------------------------------- */

/* The collector runs as another user, so it may read the file. */
static bool replace_file(const char *name, struct span text) {
  if (whole_file_replace(name, text, 0644)) return true;
  log_line("metrics: cannot write %s: %s", name, strerror(errno));
  return false;
}

static bool write_once(struct metrics *m, const struct follow *f, const char *file) {
  struct builder text = {0};
  bool good = metrics_write(m, &f->live, &text);
  if (!good) log_line("metrics: out of memory");
  if (good && strcmp(file, "-") == 0) {
    fwrite(text.data, 1, text.len, stdout);
    fflush(stdout);
  } else if (good) {
    good = replace_file(file, (struct span){text.data, text.len});
  }
  builder_free(&text);
  return good;
}

/* --- the command line ------------------------------------------------------------------------- */

static void pause_ns(long ns) {
  struct timespec pause = {.tv_nsec = ns};
  nanosleep(&pause, NULL);
}

static int write_metrics(struct follow *f, const struct metrics_options *options) {
  struct metrics m = {.labels = options->labels.data, .top = options->top};
  enum follow_state state = follow_step(f);
  while (state == FOLLOW_GROWS && f->live.num_seconds == 0) {
    pause_ns(STEP_NS / 5);
    state = follow_step(f);
  }
  bool good = state != FOLLOW_NO_MEMORY && write_once(&m, f, options->file);
  for (uint64_t steps = 1; good && options->follow && state == FOLLOW_GROWS; steps++) {
    pause_ns(STEP_NS);
    state = follow_step(f);
    bool is_due = steps % (options->every * (1000000000 / STEP_NS)) == 0;
    if (state == FOLLOW_NO_MEMORY) good = false;
    if (good && (is_due || state == FOLLOW_ENDED)) good = write_once(&m, f, options->file);
  }
  metrics_free(&m);
  return good ? DONE : WRONG;
}

static int run_metrics(struct call *call) {
  struct metrics_options *options = call->options;
  struct follow f;
  builder_char(&options->labels, '\0');
  if (options->labels.failed) {
    log_line("metrics: out of memory");
    return WRONG;
  }
  int status = follow_open(&f, call->name, call->operands[0]);
  if (status != DONE) return status;
  status = write_metrics(&f, options);
  follow_close(&f);
  return status;
}

static void free_options(void *arg) {
  struct metrics_options *options = arg;
  builder_free(&options->labels);
}

const struct command cmd_metrics = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct metrics_options, .file = "-", .every = 15, .top = 50),
    .statuses = "0 success, 1 the output could not be written, 2 wrong use or no such recording.",
    .run = run_metrics,
    .end = free_options};
