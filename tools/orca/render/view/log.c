#include "tools/orca/render/view/log.h"

#include <stdio.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/width.h"

#define THREAD_WIDTH 16
#define EVENT_WIDTH 24

/* --- parts ---------------------------------------------------------------------------------- */

/* Is the object of the event a thread? */
static bool is_about_thread(enum event_kind kind) {
  return kind == EVENT_THREAD_START || kind == EVENT_THREAD_JOIN || kind == EVENT_THREAD_JOINED ||
         kind == EVENT_THREAD_UNPARK;
}

static void put_object(struct builder *b, const struct story *s, const struct event_line *line) {
  if (line->object == 0) return;
  if (is_about_thread(line->kind)) {
    names_thread(b, &s->threads, line->object);
  } else {
    names_object(b, s->dump, line->object);
  }
}

/* "2.500123456". Nanoseconds show the order of events of different threads. */
static void put_time(struct builder *b, ticks_t time, const struct log_style *style) {
  char text[48];
  if (style->absolute) {
    text_ticks(b, time);
    return;
  }
  bool before = time < style->start;
  ticks_t since = before ? style->start - time : time - style->start;
  snprintf(text, sizeof text, "%s%llu.%09llu", before ? "-" : "",
           (unsigned long long)(since / TICKS_PER_S),
           (unsigned long long)(since % TICKS_PER_S / TICKS_PER_NS));
  builder_string(b, text);
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

/* Adds spaces, at least one, until the text from `start` has `columns` columns. */
static void put_padding(struct builder *b, size_t start, size_t columns) {
  size_t width = width_measure((struct span){b->data + start, b->len - start});
  do builder_char(b, ' ');
  while (++width < columns);
}

static void put_column(struct builder *b, struct builder *text, size_t columns) {
  size_t start = b->len;
  if (!text->failed) width_cut(b, (struct span){text->data, text->len}, columns);
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

static void put_outcome(struct builder *b, size_t start, const struct story *s,
                        const struct event_line *line) {
  if (line->kind != EVENT_METHOD_EXIT) return;
  if (line->cpu_ns >= 0) {
    begin_detail(b, start, "CPU ");
    unit_time(b, (uint64_t)line->cpu_ns);
  }
  if (line->thrown == 0) return;
  begin_detail(b, start, "threw ");
  names_class(b, s->dump, line->thrown);
}

static void put_state_change(struct builder *b, size_t start, const struct story_event *e) {
  const char *before = story_state_name(e->before), *after = story_state_name(e->after);
  if (before == NULL || after == NULL) return;
  begin_detail(b, start, before);
  builder_string(b, " → ");
  builder_string(b, after);
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
  put_outcome(b, start, s, line);
  put_state_change(b, start, e);
}

void log_event_text(struct builder *b, const struct story *s, const struct story_event *e,
                    const struct log_style *style) {
  struct builder thread = {0}, event = {0};
  size_t start = b->len;
  put_time(b, e->line->time, style);
  if (!b->failed) put_padding(b, start, style->absolute ? 20 : 14);
  names_thread(&thread, &s->threads, e->line->thread);
  put_column(b, &thread, THREAD_WIDTH);
  builder_string(&event, event_infos[e->line->kind].name);
  put_column(b, &event, EVENT_WIDTH);
  put_details(b, s, e);
  if (style->stacks) put_stack(b, s, e->line->stack, "\n        at ");
  while (b->len > 0 && b->data[b->len - 1] == ' ') b->len--;
  builder_char(b, '\n');
}

/* --- a row for CSV and JSON ------------------------------------------------------------ */

const struct column log_columns[] = {
    {NULL, ALIGN_RIGHT, false, "time_ns"},     {NULL, ALIGN_LEFT, false, "timestamp"},
    {NULL, ALIGN_LEFT, false, "thread"},       {NULL, ALIGN_LEFT, false, "thread_hash"},
    {NULL, ALIGN_LEFT, false, "event"},        {NULL, ALIGN_LEFT, false, "object"},
    {NULL, ALIGN_LEFT, false, "object_hash"},  {NULL, ALIGN_RIGHT, false, "took_ns"},
    {NULL, ALIGN_LEFT, false, "owner"},        {NULL, ALIGN_LEFT, false, "woken_by"},
    {NULL, ALIGN_LEFT, false, "state_before"}, {NULL, ALIGN_LEFT, false, "state_after"},
    {NULL, ALIGN_LEFT, false, "method"},       {NULL, ALIGN_LEFT, false, "thrown"},
    {NULL, ALIGN_RIGHT, false, "cpu_ns"},      {NULL, ALIGN_LEFT, false, "stack"}};
const size_t log_num_columns = sizeof log_columns / sizeof *log_columns;

static void cell_thread(struct table *t, const struct story *s, uint32_t thread) {
  if (thread != 0) names_thread(table_text(t), &s->threads, thread);
  table_next(t);
}

static void cell_state(struct table *t, unsigned state) {
  const char *name = story_state_name(state);
  cell_text(t, name == NULL ? "" : name);
}

static void cell_known(struct table *t, bool known, uint64_t n) {
  if (known) {
    cell_raw(t, n);
  } else {
    cell_empty(t);
  }
}

static void put_thread_and_object(struct table *t, const struct story *s,
                                  const struct story_event *e) {
  cell_thread(t, s, e->line->thread);
  cell_hash(t, e->line->thread);
  cell_text(t, event_infos[e->line->kind].name);
  put_object(table_text(t), s, e->line);
  table_next(t);
  if (e->line->object != 0) text_hash(table_text(t), e->line->object);
  table_next(t);
}

static void put_method(struct table *t, const struct story *s, const struct story_event *e) {
  const struct event_line *line = e->line;
  if (e->method != 0) names_method(table_text(t), s->dump, e->method);
  table_next(t);
  if (line->thrown != 0) names_class(table_text(t), s->dump, line->thrown);
  table_next(t);
  cell_known(t, line->kind == EVENT_METHOD_EXIT && line->cpu_ns >= 0, (uint64_t)line->cpu_ns);
}

void log_event_row(struct table *t, const struct story *s, const struct story_event *e,
                   const struct log_style *style) {
  ticks_t time = e->line->time;
  cell_raw(t, time > style->start ? (time - style->start) / TICKS_PER_NS : 0);
  text_ticks(table_text(t), time);
  table_next(t);
  put_thread_and_object(t, s, e);
  cell_known(t, e->ends_pair, (e->took + TICKS_PER_NS / 2) / TICKS_PER_NS);
  cell_thread(t, s, e->owner);
  cell_thread(t, s, e->woken_by);
  cell_state(t, e->before);
  cell_state(t, e->after);
  put_method(t, s, e);
  if (!style->stacks) return;
  put_stack(table_text(t), s, e->line->stack, "; ");
  table_next(t);
}
