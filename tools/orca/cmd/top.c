#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/cmd/follow.h"
#include "tools/orca/cmd/top_screen.h"

static const char usage[] =
    "usage: orca top [OPTION...] PREFIX|PID\n"
    "\n"
    "Shows a recording while a JVM writes it, once a second: locks, methods, blocked threads. It "
    "only reads the files. Press h for the keys.\n"
    "With a threshold, the sums of shorter waits are in columns of their own (short, total, "
    "longest). The head says what time they are about.\n\n";

struct top_options {
  bool once;
  enum format format;
  size_t window, rows;
};

static bool parse_format(const char *text, void *target) {
  enum format *format = target;
  return format_find(text, format) && *format != FORMAT_CSV;
}

static const struct args_option option_rows[] = {
    {"--once", .help = "print one window and end; without a terminal this is the default",
     .offset = offsetof(struct top_options, once)},
    {"--window", "SECONDS", "what the figures are about: the last N seconds (default: 10)",
     args_parse_count, offsetof(struct top_options, window),
     "--window takes a number of seconds from 1, not "},
    {"--top", "N", "rows of each table, with --once (default: 10)", args_parse_count,
     offsetof(struct top_options, rows), "--top takes a number from 1, not "},
    {"--format", "FORMAT", "text or json, with --once (default: text)", parse_format,
     offsetof(struct top_options, format), "--format takes text or json, not "}};
static const struct args_options options_table = ARGS_OPTIONS(option_rows);

/* --- once --------------------------------------------------------------------------------------
 */

static bool append_once(struct page *p, struct follow *f, const struct top_options *options) {
  struct window window;
  uint64_t last = f->live.num_seconds - 1;
  bool good = window_read(&window, &f->live, last, options->window);
  struct view_top view = {
      .live = &f->live, .window = &window, .is_now = true, .rows = options->rows};
  good = good && view_top_head(p, &view);
  if (good) {
    view_top_locks(p, &view);
    view_top_methods(p, &view);
    view_top_blocked(p, &view);
  }
  window_free(&window);
  return good;
}

/* Waits for the first second of a recording that has just begun. */
static void wait_for_second(struct follow *f) {
  const struct timespec pause = {.tv_nsec = 100 * 1000 * 1000};
  while (follow_step(f) == FOLLOW_GROWS && f->live.num_seconds == 0) nanosleep(&pause, NULL);
}

static int print_once(struct follow *f, const struct top_options *options) {
  struct page page;
  wait_for_second(f);
  if (f->live.num_seconds == 0) {
    log_line("top: the recording ended before it had any line");
    return WRONG;
  }
  page_start(&page, STDOUT_FILENO, options->format, true);
  page_put_schema(&page);
  bool good = append_once(&page, f, options);
  if (good) return page_print(&page) ? DONE : WRONG;
  page_free(&page);
  log_line("top: out of memory");
  return WRONG;
}

/* --- the command line --------------------------------------------------------------------------
 */

static int print_misuse(const char *problem, const char *subject) {
  log_line("top: %s%s; see orca top --help", problem, subject);
  return MISUSED;
}

static int run_top(const char *name, struct top_options *options) {
  struct follow f;
  bool is_terminal = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
  int status = follow_open(&f, "top", name);
  if (status != DONE) return status;
  if (options->once || options->format == FORMAT_JSON || !is_terminal) {
    status = print_once(&f, options);
  } else {
    status = top_screen_run(&f, options->window);
  }
  follow_close(&f);
  return status;
}

int cmd_top(int argc, char **argv) {
  struct top_options options = {.window = 10, .rows = 10};
  const char *name = NULL, *problem, *subject;
  for (int at = 1; at < argc; at++) {
    if (args_is_help(argv[at])) {
      args_print_help(usage, &options_table, "");
      return DONE;
    }
    enum args_result result = args_take(&options_table, &options, argv, &at, &problem, &subject);
    if (result == ARGS_WRONG) return print_misuse(problem, subject);
    if (result == ARGS_TAKEN) continue;
    if (argv[at][0] == '-') return print_misuse("there is no option ", argv[at]);
    if (name != NULL) return print_misuse("one recording at a time, not also ", argv[at]);
    name = argv[at];
  }
  if (name == NULL) return print_misuse("which recording? PREFIX or PID is missing", "");
  return run_top(name, &options);
}
