#include "tools/orca/export/trace.h"

#include "tools/orca/model/names.h"

/* Writes a time in microseconds with three decimals. */
static void put_timestamp(struct trace *t, const char *key, uint64_t ns) {
  json_key(&t->json, key);
  json_decimal(&t->json, (int64_t)ns, 3);
}

static uint64_t count_ns_from_start(const struct trace *t, ticks_t time) {
  ticks_t start = t->job->model->recording.start;
  return time > start ? (time - start) / TICKS_PER_NS : 0;
}

/* A thread has a row in two groups. The ids must differ, because readers require unique ids. */
static void put_lane(struct trace *t, enum trace_group group, uint32_t thread) {
  json_unsigned_member(&t->json, "pid", group);
  if (thread == 0) return;
  json_unsigned_member(&t->json, "tid", group == TRACE_STATES ? thread ^ 0x80000000u : thread);
}

void trace_begin(struct trace *t, const char *phase, enum trace_group group, uint32_t thread,
                 ticks_t time) {
  json_begin_object(&t->json);
  json_text_member(&t->json, "ph", phase);
  put_lane(t, group, thread);
  put_timestamp(t, "ts", count_ns_from_start(t, time));
}

bool trace_end(struct trace *t) {
  json_end_object(&t->json);
  builder_char(&t->job->out->text, '\n');
  return !t->text.failed && output_write_if_large(t->job->out);
}

void trace_put_duration(struct trace *t, ticks_t begin, ticks_t end) {
  uint64_t from = count_ns_from_start(t, begin), to = count_ns_from_start(t, end);
  put_timestamp(t, "dur", to > from ? to - from : 0);
}

void trace_put_text(struct trace *t, const char *key) {
  json_key(&t->json, key);
  json_string(&t->json, (struct span){t->text.data, t->text.len});
  t->text.len = 0;
}

void trace_put_object(struct trace *t, const char *key, uint32_t object) {
  if (object == 0) return;
  names_object(&t->text, t->job->dump, object);
  trace_put_text(t, key);
}

void trace_put_thread(struct trace *t, const char *key, uint32_t thread) {
  if (thread == 0) return;
  names_thread(&t->text, &t->job->model->threads, thread);
  trace_put_text(t, key);
}

void trace_put_place(struct trace *t, const char *key, place_t place) {
  if (place == 0) return;
  names_place(&t->text, t->job->dump, place);
  trace_put_text(t, key);
}

/* --- arrows ------------------------------------------------------------------------ */

static bool put_arrow_end(struct trace *t, const char *phase, const char *name, uint32_t thread,
                          ticks_t time) {
  trace_begin(t, phase, TRACE_THREADS, thread, time);
  json_unsigned_member(&t->json, "id", t->arrows);
  json_text_member(&t->json, "name", name);
  json_text_member(&t->json, "cat", name);
  if (phase[0] == 'f') json_text_member(&t->json, "bp", "e"); /* bind to the enclosing slice */
  return trace_end(t);
}

bool trace_arrow(struct trace *t, const char *name, uint32_t from, ticks_t from_time, uint32_t to,
                 ticks_t to_time) {
  t->arrows++;
  return put_arrow_end(t, "s", name, from, from_time) && put_arrow_end(t, "f", name, to, to_time);
}

/* --- names ------------------------------------------------------------------------- */

/* Names a group, or a thread of it. The name is in `text`. */
static bool put_lane_name(struct trace *t, const char *what, enum trace_group group,
                          uint32_t thread) {
  json_begin_object(&t->json);
  json_text_member(&t->json, "ph", "M");
  json_text_member(&t->json, "name", what);
  put_lane(t, group, thread);
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  trace_put_text(t, "name");
  json_end_object(&t->json);
  return trace_end(t);
}

static bool put_lane_order(struct trace *t, enum trace_group group, uint32_t thread, size_t place) {
  json_begin_object(&t->json);
  json_text_member(&t->json, "ph", "M");
  json_text_member(&t->json, "name", "thread_sort_index");
  put_lane(t, group, thread);
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  json_unsigned_member(&t->json, "sort_index", place);
  json_end_object(&t->json);
  return trace_end(t);
}

static bool put_thread_lanes(struct trace *t, enum trace_group group) {
  const struct threads *threads = &t->job->model->threads;
  for (size_t i = 0; i < threads->num_all;
       i++) { /* arrows can start at threads that do not match the filter */
    const struct thread *thread = &threads->rows[i];
    if (group == TRACE_STATES && !thread->matches) continue;
    names_thread(&t->text, threads, thread->hash);
    if (!put_lane_name(t, "thread_name", group, thread->hash)) return false;
    if (!put_lane_order(t, group, thread->hash, i)) return false;
  }
  return true;
}

bool trace_names(struct trace *t) {
  names_program(&t->text, t->job->dump);
  if (t->text.len == 0) builder_string(&t->text, "threads");
  if (!put_lane_name(t, "process_name", TRACE_THREADS, 0)) return false;
  builder_string(&t->text, "states");
  if (!put_lane_name(t, "process_name", TRACE_STATES, 0)) return false;
  builder_string(&t->text, "the process");
  return put_lane_name(t, "process_name", TRACE_PROCESS, 0) && put_thread_lanes(t, TRACE_THREADS) &&
         put_thread_lanes(t, TRACE_STATES);
}
