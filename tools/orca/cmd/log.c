#include "tools/orca/cmd/commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/model/recording.h"
#include "tools/orca/render/view/log.h"
#include "tools/orca/render/view/view.h"

#define FLUSH_BYTES ((size_t)64 << 10) /* size of the output buffer */

static const char about[] =
    "Prints each event as a line: seconds since the start, thread, event, its object, the time "
    "since the begin event, the owner of the lock or the thread that ended the wait, and the "
    "states of the thread before and after. What did two threads do around a moment?\n"
    "  orca log --thread worker-1 --thread audit --around 2.5 --within 5ms PREFIX\n";

struct log_options {
  bool stacks, absolute;
};

static const struct args_option option_rows[] = {
    {"--stack", .help = "with the stack of each event",
     .offset = offsetof(struct log_options, stacks)},
    {"--absolute", .help = "timestamps of the files instead of seconds since the start",
     .offset = offsetof(struct log_options, absolute)}};

struct log_printer {
  struct story story;
  struct log_style style;
  enum format format;
  size_t left; /* events that may still be printed */
  struct builder out;
  struct json json;
  struct table *row;
};

static void flush_output(struct log_printer *p) {
  if (!p->out.failed && p->out.len > 0) fwrite(p->out.data, 1, p->out.len, stdout);
  p->out.len = 0;
}

static bool print_event(void *to, const struct story_event *e) {
  struct log_printer *p = to;
  if (p->left-- == 0) return false;
  if (p->format == FORMAT_TEXT) {
    log_event_text(&p->out, &p->story, e, &p->style);
  } else {
    log_event_row(p->row, &p->story, e, &p->style);
    if (p->format == FORMAT_CSV) {
      table_csv_rows(&p->out, p->row);
    } else {
      table_json_rows(&p->json, p->row);
      builder_char(&p->out, '\n');
    }
    table_clear(p->row);
  }
  if (p->out.len >= FLUSH_BYTES) flush_output(p);
  return !p->out.failed && !ferror(stdout);
}

/* --- before and after the events ------------------------------------------------------------ */

static bool begin_output(struct log_printer *p) {
  if (p->format == FORMAT_TEXT) return true;
  p->row = table_new(log_columns, log_num_columns - !p->style.stacks);
  if (p->format == FORMAT_CSV) {
    table_csv(&p->out, p->row, NULL); /* no rows yet */
    return p->row != NULL;
  }
  json_begin_object(&p->json);
  json_unsigned_member(&p->json, "schema", PAGE_SCHEMA);
  json_key(&p->json, "source");
  view_source_object(&p->json, p->story.dump);
  json_key(&p->json, "events");
  json_begin_array(&p->json);
  return p->row != NULL;
}

/* Returns the exit status. */
static int print_events(struct log_printer *p) {
  const struct story *s = &p->story;
  bool ok = begin_output(p) && story_tell(&p->story, print_event, p), found = s->num_shown > 0;
  if (ok && p->format == FORMAT_JSON) {
    json_end_array(&p->json);
    json_end_object(&p->json);
    builder_char(&p->out, '\n');
  }
  if (ok) flush_output(p);
  ok &= !p->out.failed;
  if (ok) {
    view_command_print_miss("log", &s->matcher, &s->threads, found);
  } else {
    log_line("log: out of memory");
  }
  return ok && (found || !s->matcher.active) ? DONE : WRONG;
}

static int show_log(const struct call *call, struct view_side *sides) {
  const struct log_options *options = call->options;
  const struct view_args *args = &sides->args;
  struct dump *d = sides->open.dump;
  struct log_printer p = {.format = args->format,
                          .left = args->top > 0 ? args->top : SIZE_MAX,
                          .style = {.absolute = options->absolute,
                                    .stacks = options->stacks,
                                    .whole_names = !isatty(STDOUT_FILENO)}};
  ticks_t end_time;
  p.json.out = &p.out;
  recording_span(d, &p.style.start, &end_time);
  if (isatty(STDOUT_FILENO)) dump_set_read_callback(d, (struct read_callback){NULL, NULL});
  story_start(&p.story, d, &args->filter);
  int status = print_events(&p);
  story_free(&p.story);
  table_free(p.row);
  builder_free(&p.out);
  return status;
}

const struct command cmd_log = {.about = about,
                                COMMAND_OPTIONS(option_rows, struct log_options),
                                .run = view_command_run,
                                .view = {.show = show_log}};
