#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/cmd/follow.h"
#include "tools/orca/cmd/top_screen.h"

static const char about[] =
    "Shows a recording while a JVM writes it, once a second: locks, methods, blocked threads. It "
    "only reads the files. Press h for the keys.\n"
    "With a threshold, the sums of shorter waits are in columns of their own (short, total, "
    "longest). The head says what time they are about.\n";

struct top_options {
  bool once, as_json;
  size_t window, rows;
};

static const struct args_option option_rows[] = {
    {"--once", .help = "print one window and end; without a terminal this is the default",
     .offset = offsetof(struct top_options, once)},
    {"--window", "SECONDS", "what the figures are about: the last N seconds (default: 10)",
     args_parse_count, offsetof(struct top_options, window),
     "--window takes a number of seconds from 1, not "},
    {"--top", "N", "rows of each table, with --once (default: 10)", args_parse_count,
     offsetof(struct top_options, rows), "--top takes a number from 1, not "},
    {"--format", "FORMAT", "text or json, with --once (default: text)", args_parse_json,
     offsetof(struct top_options, as_json), ARGS_JSON_PROBLEM}};

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
  page_start(&page, STDOUT_FILENO, options->as_json ? FORMAT_JSON : FORMAT_TEXT, true);
  page_put_schema(&page);
  bool good = append_once(&page, f, options);
  if (good) return page_print(&page) ? DONE : WRONG;
  page_free(&page);
  log_line("top: out of memory");
  return WRONG;
}

/* --- the command ----------------------------------------------------------------------- */

static int run_top(struct call *call) {
  const struct top_options *options = call->options;
  struct follow f;
  bool is_terminal = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
  int status = follow_open(&f, call->name, call->operands[0]);
  if (status != DONE) return status;
  if (options->once || options->as_json || !is_terminal) {
    status = print_once(&f, options);
  } else {
    status = top_screen_run(&f, options->window);
  }
  follow_close(&f);
  return status;
}

const struct command cmd_top = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct top_options, .window = 10, .rows = 10),
    .statuses =
        "0 success, 1 the recording has no line or the output could not be written "
        "completely, 2 wrong use or no such recording.",
    .run = run_top};
