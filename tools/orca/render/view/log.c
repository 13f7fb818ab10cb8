#include "tools/orca/render/view/log.h"

#include <inttypes.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/width.h"

#define THREAD_WIDTH 16
#define EVENT_WIDTH 24

/* --- parts ---------------------------------------------------------------------------------- */

static void put_object(struct builder *b, const struct story *s, const struct event_line *line) {
  if (line->object == 0) return;
  if (event_has(line->kind, TRAIT_NAMES_THREAD)) {
    names_thread(b, &s->threads, line->object);
  } else {
    names_object(b, s->dump, line->object);
  }
}

static void put_stack(struct builder *b, const struct story *s, struct span stack,
                      const char *before) {
  struct span frames = stack_frames(stack);
  struct frame frame;
  for (bool first = true; stack_next(&frames, &frame); first = false) {
    if (!first || before[0] == '\n') builder_string(b, before);
    names_place(b, s->dump, place_of_frame(s->dump, frame));
  }
}

/* --- a line of text ----------------------------------------------------------------------- */

/* Adds spaces, at least two, until the text from `start` has `columns` columns. */
static void put_padding(struct builder *b, size_t start, size_t columns) {
  size_t width = width_measure((struct span){b->data + start, b->len - start});
  builder_char(b, ' ');
  do builder_char(b, ' ');
  while (++width + 1 < columns);
}

/* With `is_whole`, a longer text is not cut, and what follows it begins further to the right. */
static void put_column(struct builder *b, struct builder *text, size_t columns, bool is_whole) {
  size_t start = b->len;
  if (!text->failed) {
    width_cut(b, (struct span){text->data, text->len}, is_whole ? SIZE_MAX : columns);
  }
  if (!b->failed) put_padding(b, start, columns + 2);
  builder_free(text);
}

/* Begins a detail; details are separated by commas. */
static void begin_detail(struct builder *b, size_t start, const char *text) {
  if (b->len > start) builder_string(b, ", ");
  builder_string(b, text);
}

static void put_thread(struct builder *b, size_t start, const struct story *s, const char *what,
                       uint32_t thread) {
  if (thread == 0) return;
  begin_detail(b, start, what);
  names_thread(b, &s->threads, thread);
}

static void put_details(struct builder *b, const struct story *s, const struct story_event *e) {
  const struct event_line *line = e->line;
  size_t start = b->len;
  if (e->method != 0) names_method(b, s->dump, e->method);
  put_object(b, s, line);
  if (e->ends_pair) {
    begin_detail(b, start, "took ");
    unit_ticks(b, e->took);
  }
  put_thread(b, start, s, "held by ", e->owner);
  put_thread(b, start, s, "woken by ", e->woken_by);
  bool is_task = event_has(line->kind, TRAIT_NAMES_TASK);
  put_thread(b, start, s, is_task ? "queued by " : "started by ", e->started_by);
  if (line->kind == EVENT_METHOD_EXIT && line->cpu_ns >= 0) {
    begin_detail(b, start, "CPU ");
    unit_time(b, (uint64_t)line->cpu_ns);
  }
  if (line->class_id != 0) {
    begin_detail(b, start, line->kind == EVENT_METHOD_EXIT ? "threw " : "class ");
    names_class(b, s->dump, line->class_id);
  }
  if (line->kind == EVENT_CLASS_INIT_WAIT) put_thread(b, start, s, "initialized by ", line->owner);
  const char *before = story_state_name(e->before), *after = story_state_name(e->after);
  if (before == NULL || after == NULL) return;
  begin_detail(b, start, "");
  builder_format(b, "%s → %s", before, after);
}

void log_event_text(struct builder *b, const struct story *s, const struct story_event *e,
                    const struct log_style *style) {
  struct builder thread = {0}, event = {0};
  size_t start = b->len;
  ticks_t time = e->line->time;
  if (style->absolute) {
    text_ticks(b, time);
  } else { /* "2.500123456": nanoseconds show the order of events of different threads */
    bool before = time < style->start;
    ticks_t since = before ? style->start - time : time - style->start;
    builder_format(b, "%s%" PRIu64 ".%09" PRIu64, before ? "-" : "", since / TICKS_PER_S,
                   since % TICKS_PER_S / TICKS_PER_NS);
  }
  if (!b->failed) put_padding(b, start, style->absolute ? 20 : 14);
  names_thread(&thread, &s->threads, e->line->thread);
  put_column(b, &thread, THREAD_WIDTH, style->whole_names);
  builder_string(&event, event_infos[e->line->kind].name);
  put_column(b, &event, EVENT_WIDTH, true);
  put_details(b, s, e);
  if (style->stacks) put_stack(b, s, e->line->stack, "\n        at ");
  while (b->len > 0 && b->data[b->len - 1] == ' ') b->len--;
  builder_char(b, '\n');
}

/* --- a row for CSV and JSON ------------------------------------------------------------ */

struct log_context {
  const struct story *story;
  const struct log_style *style;
};

static const struct story *get_story(const struct cell *c) {
  return ((const struct log_context *)c->context)->story;
}

static const struct event_line *get_line(const struct cell *c) {
  return ((const struct story_event *)c->row)->line;
}

static void cell_raw_if(struct table *t, bool is_known, uint64_t n) {
  if (is_known) {
    cell_raw(t, n);
  } else {
    cell_empty(t);
  }
}

static void put_time_ns(const struct cell *c) {
  ticks_t time = get_line(c)->time, start = ((const struct log_context *)c->context)->style->start;
  cell_raw(c->table, time > start ? (time - start) / TICKS_PER_NS : 0);
}

static void put_timestamp(const struct cell *c) { text_ticks(c->text, get_line(c)->time); }

static void put_thread_name(const struct cell *c, uint32_t thread) {
  if (thread != 0) names_thread(c->text, &get_story(c)->threads, thread);
}

static void put_own_thread(const struct cell *c) { put_thread_name(c, get_line(c)->thread); }

static void put_other_thread(const struct cell *c) {
  put_thread_name(c, *(const uint32_t *)c->member);
}

static void put_thread_hash(const struct cell *c) { text_hash(c->text, get_line(c)->thread); }

static void put_event(const struct cell *c) {
  builder_string(c->text, event_infos[get_line(c)->kind].name);
}

static void put_object_name(const struct cell *c) {
  put_object(c->text, get_story(c), get_line(c));
}

static void put_object_hash(const struct cell *c) {
  if (get_line(c)->object != 0) text_hash(c->text, get_line(c)->object);
}

static void put_took(const struct cell *c) {
  const struct story_event *e = c->row;
  cell_raw_if(c->table, e->ends_pair, (e->took + TICKS_PER_NS / 2) / TICKS_PER_NS);
}

static void put_state(const struct cell *c) {
  const char *name = story_state_name(*(const unsigned *)c->member);
  if (name != NULL) builder_string(c->text, name);
}

static void put_method(const struct cell *c) {
  const struct story_event *e = c->row;
  if (e->method != 0) names_method(c->text, get_story(c)->dump, e->method);
}

static void put_thrown(const struct cell *c) {
  const struct event_line *line = get_line(c);
  bool has_thrown = line->kind == EVENT_METHOD_EXIT && line->class_id != 0;
  if (has_thrown) names_class(c->text, get_story(c)->dump, line->class_id);
}

static void put_cpu(const struct cell *c) {
  const struct event_line *line = get_line(c);
  bool is_known = line->kind == EVENT_METHOD_EXIT && line->cpu_ns >= 0;
  cell_raw_if(c->table, is_known, (uint64_t)line->cpu_ns);
}

/* What woke or started the thread, or queued the task. */
static void put_cause(const struct cell *c) {
  const struct story_event *e = c->row;
  if (e->cause.time != 0) builder_string(c->text, event_infos[e->cause.kind].name);
}

static void put_cause_timestamp(const struct cell *c) {
  const struct story_event *e = c->row;
  if (e->cause.time != 0) text_ticks(c->text, e->cause.time);
}

static void put_frames(const struct cell *c) {
  put_stack(c->text, get_story(c), get_line(c)->stack, "; ");
}

#define THREAD(member) .put = put_other_thread, COLUMN_MEMBER(struct story_event, member, uint32_t)
#define STATE(member) .put = put_state, COLUMN_MEMBER(struct story_event, member, unsigned)

const struct column log_columns[] = {{.key = "time_ns", .put = put_time_ns},
                                     {.key = "timestamp", .put = put_timestamp},
                                     {.key = "thread", .put = put_own_thread},
                                     {.key = "thread_hash", .put = put_thread_hash},
                                     {.key = "event", .put = put_event},
                                     {.key = "object", .put = put_object_name},
                                     {.key = "object_hash", .put = put_object_hash},
                                     {.key = "took_ns", .put = put_took},
                                     {.key = "owner", THREAD(owner)},
                                     {.key = "woken_by", THREAD(woken_by)},
                                     {.key = "state_before", STATE(before)},
                                     {.key = "state_after", STATE(after)},
                                     {.key = "method", .put = put_method},
                                     {.key = "thrown", .put = put_thrown},
                                     {.key = "cpu_ns", .put = put_cpu},
                                     {.key = "started_by", THREAD(started_by)},
                                     {.key = "cause", .put = put_cause},
                                     {.key = "cause_timestamp", .put = put_cause_timestamp},
                                     {.key = "stack", .put = put_frames}};
const size_t log_num_columns = sizeof log_columns / sizeof *log_columns;

void log_event_row(struct table *t, const struct story *s, const struct story_event *e,
                   const struct log_style *style) {
  table_add(t, &(struct log_context){s, style}, e);
}
