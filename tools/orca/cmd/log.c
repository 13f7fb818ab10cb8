#include "tools/orca/cmd/commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/cmd/view_command.h"
#include "tools/orca/model/recording.h"
#include "tools/orca/render/view/log.h"

#define PIECE ((size_t)64 << 10) /* bytes that are printed at a time */

static const char usage[] =
    "usage: orca log [OPTION...] PREFIX\n"
    "\n"
    "Every event as a line: seconds since the start, thread, event, what it is about, how long "
    "what\n"
    "it ends took, who held the lock or woke the thread, what the thread did and does.\n"
    "What did two threads do around a moment?\n"
    "  orca log --thread worker-1 --thread audit --around 2.5 --within 5ms PREFIX\n"
    "  --stack            the stack of each\n"
    "  --absolute         timestamps of the files instead of seconds since the start\n";

struct wish {
  bool stacks, absolute;
};

struct printing {
  struct story story;
  struct log_style style;
  enum format format;
  size_t left;
  struct builder out;
  struct json json;
  struct table *row;
};

static void flush(struct printing *p) {
  if (!p->out.failed && p->out.len > 0) fwrite(p->out.data, 1, p->out.len, stdout);
  p->out.len = 0;
}

static void put_row(struct printing *p, const struct story_event *e) {
  log_event_row(p->row, &p->story, e, &p->style);
  if (p->format == FORMAT_CSV) {
    table_csv_rows(&p->out, p->row);
  } else {
    table_json_rows(&p->json, p->row);
    builder_char(&p->out, '\n');
  }
  table_clear(p->row);
}

static bool print(void *to, const struct story_event *e) {
  struct printing *p = to;
  if (p->left-- == 0) return false;
  if (p->format == FORMAT_TEXT) {
    log_event_text(&p->out, &p->story, e, &p->style);
  } else {
    put_row(p, e);
  }
  if (p->out.len >= PIECE) flush(p);
  return !p->out.failed && !ferror(stdout);
}

/* --- around the events --------------------------------------------------------------------- */

static bool begin(struct printing *p) {
  if (p->format == FORMAT_TEXT) return true;
  p->row = table_new(log_columns, log_num_columns - !p->style.stacks);
  if (p->format == FORMAT_CSV) {
    table_csv(&p->out, p->row); /* no rows yet */
    return p->row != NULL;
  }
  json_begin_object(&p->json);
  json_key(&p->json, "events");
  json_begin_array(&p->json);
  return p->row != NULL;
}

static void end(struct printing *p) {
  if (p->format == FORMAT_JSON) {
    json_end_array(&p->json);
    json_end_object(&p->json);
    builder_char(&p->out, '\n');
  }
  flush(p);
}

/* Gives the exit status. */
static int print_all(struct printing *p) {
  const struct story *s = &p->story;
  bool good = begin(p) && story_tell(&p->story, print, p), found = s->num_shown > 0;
  if (good) end(p);
  good &= !p->out.failed;
  if (good) {
    view_command_say_miss("log", &s->matcher, &s->threads, found);
  } else {
    log_line("log: needs more memory than there is");
  }
  return good && (found || !s->matcher.active) ? DONE : WRONG;
}

static int show(struct dump *d, const struct view_args *args, const void *arg) {
  const struct wish *wish = arg;
  struct printing p = {.format = args->format,
                       .left = args->top > 0 ? args->top : SIZE_MAX,
                       .style = {.absolute = wish->absolute, .stacks = wish->stacks}};
  ticks_t end_time;
  p.json.out = &p.out;
  recording_span(d, &p.style.start, &end_time);
  if (isatty(STDOUT_FILENO)) dump_set_read_callback(d, (struct read_callback){NULL, NULL});
  story_start(&p.story, d, &args->filter);
  int status = print_all(&p);
  story_free(&p.story);
  table_free(p.row);
  builder_free(&p.out);
  return status;
}

/* --- the command line ---------------------------------------------------------------------- */

static enum args_took take(void *arg, char **argv, int *at, const char **problem,
                           const char **what) {
  struct wish *wish = arg;
  (void)problem, (void)what;
  bool stacks = strcmp(argv[*at], "--stack") == 0, absolute = strcmp(argv[*at], "--absolute") == 0;
  wish->stacks |= stacks;
  wish->absolute |= absolute;
  return stacks || absolute ? ARGS_TOOK : ARGS_OTHER;
}

int cmd_log(int argc, char **argv) {
  static const struct view_command command = {
      .name = "log", .usage = usage, .take = take, .show = show};
  struct wish wish = {false, false};
  return view_command(&command, &wish, argc, argv);
}
