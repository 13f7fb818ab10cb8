#include "agent/files/lines.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/event/line.h"
#include "agent/record/blocked.h"
#include "agent/record/stack.h"

static ticks_t next_line_time(struct output *o, enum file file, uint64_t time_ns) {
  return dump_file_next_time(&o->files[file], time_ns);
}

static struct span get_stack_text(const struct stack *s) {
  return s == NULL ? (struct span){"0", 1} : (struct span){s->text, s->text_len};
}

/* Only this thread writes the counters, others read them. So this avoids an atomic addition, which
   would take longer than the rest of the line. */
static void increment_counter(uint64_t *counter) {
  __atomic_store_n(counter, *counter + 1, __ATOMIC_RELAXED);
}

/* Returns whether this is a MonitorOwner pushed after the waiter got the monitor. */
static bool is_late_owner(const struct record *r) {
  return r->kind == RECORD_EVENT && r->event == EVENT_MONITOR_OWNER &&
         blocked_was_over(r->u.blocked, r->time_ns);
}

static void write_event_record(struct output *o, const struct record *r) {
  enum event_shape shape = event_infos[r->event].shape;
  struct event_line line = {.time = next_line_time(o, FILE_EVENTS, r->time_ns),
                            .kind = (enum event_kind)r->event,
                            .thread = r->thread,
                            .owner = r->owner,
                            .stack = get_stack_text(r->stack)};
  if (shape_has_name(shape)) line.name = (struct span){r->u.name.text, r->u.name.len};
  if (shape_has_owner(shape)) line.owner = record_take_owner(r);
  if (shape_has_executor(shape)) line.executor = r->u.executor;
  if (shape_has_size(shape)) line.size = r->u.size;
  if (shape_has_parties(shape)) line.parties = r->u.parties;
  if (shape_has_outcome(shape)) line.cpu_ns = r->u.cpu_ns;
  *(shape_has_class(shape) ? &line.class_id : &line.object) = r->object;
  definitions_write_for_event(&o->definitions, &line, r->stack);
  event_line_write(&o->files[FILE_EVENTS].lines, &line);
  if (shape_has_name(shape)) free(r->u.name.text);
  increment_counter(&o->events);
  o->lines.events++;
}

static void write_stack_line(struct output *o, struct stack *s, uint64_t time_ns) {
  definitions_write_for_stack(&o->definitions, s);
  s->sample_id = ++o->last_stack_id;
  struct sample_line line = {.time = next_line_time(o, FILE_SAMPLES, time_ns),
                             .kind = SAMPLE_STACK,
                             .stack_id = s->sample_id,
                             .stack = get_stack_text(s)};
  sample_line_write(&o->files[FILE_SAMPLES].lines, &line);
}

/* Writes the line of the stack first if the set lacks it. */
static uint64_t find_stack_id(struct output *o, const struct record *r) {
  if (r->stack == NULL) return 0;
  if (r->stack->sample_id <= o->first_stack_id) write_stack_line(o, r->stack, r->time_ns);
  return r->stack->sample_id;
}

/* Fills in what the lines of this kind have. */
static void fill_sample_line(struct sample_line *line, const struct record *r) {
  switch ((enum record_kind)r->kind) {
    case RECORD_EVENT:
      break; /* its line is no sample_line */
    case RECORD_SAMPLE:
      line->kind = SAMPLE_THREAD;
      line->state = (enum thread_state)r->state;
      line->cpu_ns = r->u.cpu_ns;
      break;
    case RECORD_CPU:
      line->kind = SAMPLE_CPU;
      line->place = (enum cpu_place)r->state;
      line->cpu_ns = r->u.cpu_ns;
      break;
    case RECORD_TICK:
      line->kind = SAMPLE_TICK;
      line->number = r->u.tick.number;
      line->pause_ns = r->u.tick.pause_ns;
      line->threads = r->u.tick.threads;
      break;
    case RECORD_TASK:
      line->kind = SAMPLE_TASK;
      line->tid = r->thread;
      line->task_kind = (enum task_kind)r->state;
      line->cpu_ns = r->u.task.cpu_ns;
      line->wait_ns = r->u.task.wait_ns;
      line->name = (struct span){r->u.task.name, strlen(r->u.task.name)};
      break;
    case RECORD_PROCESS:
      line->kind = SAMPLE_PROCESS;
      line->cpu_ns = r->u.process.cpu_ns;
      line->throttled_ns = r->u.process.throttled_ns;
      break;
    case RECORD_SCHED:
      line->kind = SAMPLE_SCHED;
      line->wait_ns = r->u.wait_ns;
      break;
    case RECORD_PAUSE:
      line->kind = SAMPLE_PAUSE;
      line->pause_ns = r->u.pause_ns;
      break;
  }
}

static void write_sample_record(struct output *o, const struct record *r) {
  struct sample_line line = {.thread = r->thread, .stack_id = find_stack_id(o, r)};
  line.time = next_line_time(o, FILE_SAMPLES, r->time_ns);
  fill_sample_line(&line, r);
  sample_line_write(&o->files[FILE_SAMPLES].lines, &line);
  o->lines.records++;
  if (r->kind == RECORD_TASK) free(r->u.task.name);
  if (r->kind != RECORD_SAMPLE) return;
  increment_counter(&o->samples);
  o->lines.samples++;
}

void lines_write_record(struct output *o, const struct record *r) {
  if (is_late_owner(r)) {
    record_release(r);
    return;
  }
  if (r->kind == RECORD_EVENT) write_event_record(o, r);
  if (r->kind != RECORD_EVENT) write_sample_record(o, r);
  stack_release(r->stack);
}

static void write_count_line(void *arg, enum event_kind kind, uint32_t object, uint64_t more) {
  struct output *o = arg;
  struct count_line line = {.time = next_line_time(o, FILE_COUNTS, o->counted_ns),
                            .kind = kind,
                            .object = object,
                            .count = (int64_t)more,
                            .is_more = true};
  definitions_write_for_count(&o->definitions, &line);
  count_line_write(&o->files[FILE_COUNTS].lines, &line);
}

/* A producer leaves it to this thread to define the object. */
static void write_short_line(void *arg, struct short_sum *sum) {
  struct output *o = arg;
  struct short_key *key = &sum->key;
  struct count_line line = {.time = next_line_time(o, FILE_COUNTS, o->counted_ns),
                            .kind = key->kind,
                            .object = key->object,
                            .count = (int64_t)sum->calls,
                            .is_short = true,
                            .total_ns = (int64_t)sum->total_ns,
                            .longest_ns = (int64_t)sum->longest_ns,
                            .stack = get_stack_text(key->stack)};
  if (key->class_id != 0) object_set_define(o->input->defined_objects, key->object, key->class_id);
  definitions_write_for_short(&o->definitions, &line, key->stack);
  count_line_write(&o->files[FILE_COUNTS].lines, &line);
}

/* The lines of a set that is lost or cut would be lost, too. */
void lines_write_counts(struct output *o, bool all) {
  if (o->rotation.is_lost || o->rotation.is_cut) return;
  size_t before = o->files[FILE_COUNTS].lines.len;
  uint64_t num_before = o->short_lines.num_of_threads;
  o->counted_ns = clock_monotonic_ns();
  lock_counts_report_changed(o->input->lock_counts, write_count_line, o);
  short_lines_take(&o->short_lines, o->counted_ns);
  if (all || short_lines_is_due(&o->short_lines, o->counted_ns))
    short_lines_write(&o->short_lines, o->counted_ns, write_short_line, o);
  bool has_lines = o->files[FILE_COUNTS].lines.len > before;
  o->may_have_counts = has_lines || o->short_lines.num_of_threads > num_before;
  if (has_lines) rotation_note_line(&o->rotation, o->counted_ns);
}
