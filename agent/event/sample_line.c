/* The lines of .samples. */
#include "agent/event/fields.h"

static const char *const sample_kinds[] = {"Tick", "Stack", "Sample"};

void sample_line_write(struct builder *b, const struct sample_line *line) {
  put_time(b, line->time);
  builder_string(b, sample_kinds[line->kind]);
  switch (line->kind) {
    case SAMPLE_TICK:
      put_decimal(b, line->number);
      put_decimal(b, line->pause_ns);
      put_decimal(b, line->threads);
      break;
    case SAMPLE_STACK:
      put_decimal(b, (int64_t)line->stack_id);
      put_span(b, line->stack);
      break;
    case SAMPLE_THREAD:
      put_hash(b, line->thread);
      builder_char(b, ',');
      builder_string(b, thread_state_names[line->state]);
      put_decimal(b, line->cpu_ns);
      put_decimal(b, (int64_t)line->stack_id);
      break;
  }
  builder_char(b, '\n');
}

static void read_tick(struct fields *f, struct sample_line *out) {
  out->kind = SAMPLE_TICK;
  out->number = take_decimal(f, 0, "the tick's number is not decimal");
  out->pause_ns = take_decimal(f, 0, "the tick's pause is not decimal");
  out->threads = take_decimal(f, 0, "the tick's number of threads is not decimal");
}

static void read_stack(struct fields *f, struct sample_line *out) {
  out->kind = SAMPLE_STACK;
  out->stack_id = (uint64_t)take_decimal(f, 0, "the stack's id is not decimal");
  out->stack = take_stack(f);
}

static void read_thread(struct fields *f, struct sample_line *out) {
  out->kind = SAMPLE_THREAD;
  out->thread = take_hash(f, "the thread is not eight hexadecimal digits");
  if (!state_find(take(f), &out->state) && f->fault == NULL) f->fault = "no state has this name";
  out->cpu_ns = take_decimal(f, -1, "the CPU time is neither decimal nor -1");
  out->stack_id = (uint64_t)take_decimal(f, 0, "the stack's id is not decimal");
}

fault_t sample_line_read(struct span text, struct sample_line *out) {
  struct fields f = {text, NULL};
  *out = (struct sample_line){.time = take_ticks(&f)};
  struct span kind = take(&f);
  if (span_is(kind, sample_kinds[SAMPLE_TICK])) {
    read_tick(&f, out);
  } else if (span_is(kind, sample_kinds[SAMPLE_STACK])) {
    read_stack(&f, out);
  } else if (span_is(kind, sample_kinds[SAMPLE_THREAD])) {
    read_thread(&f, out);
  } else if (f.fault == NULL) {
    f.fault = "the line is neither Tick, Stack nor Sample";
  }
  return finish(&f);
}
