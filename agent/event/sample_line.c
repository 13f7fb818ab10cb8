/* The lines of .samples. */
#include "agent/event/fields.h"

/* --- the fields of each kind, after its name -------------------------------------------------- */

static void write_tick(struct builder *b, const struct sample_line *line) {
  put_decimal(b, line->number);
  put_decimal(b, line->pause_ns);
  put_decimal(b, line->threads);
}

static void read_tick(struct fields *f, struct sample_line *out) {
  out->number = take_decimal(f, 0, "the tick's number is not decimal");
  out->pause_ns = take_decimal(f, 0, "the tick's pause is not decimal");
  out->threads = take_decimal(f, 0, "the tick's number of threads is not decimal");
}

static uint64_t take_stack_id(struct fields *f) {
  return (uint64_t)take_decimal(f, 0, "the stack's id is not decimal");
}

static uint32_t take_thread(struct fields *f) {
  return take_hash(f, "the thread is not eight hexadecimal digits");
}

static void write_stack(struct builder *b, const struct sample_line *line) {
  put_decimal(b, (int64_t)line->stack_id);
  put_span(b, line->stack);
}

static void read_stack(struct fields *f, struct sample_line *out) {
  out->stack_id = take_stack_id(f);
  out->stack = take_stack(f);
}

static void write_thread(struct builder *b, const struct sample_line *line) {
  put_hash(b, line->thread);
  builder_char(b, ',');
  builder_string(b, thread_state_names[line->state]);
  put_decimal(b, line->cpu_ns);
  put_decimal(b, (int64_t)line->stack_id);
}

static void read_thread(struct fields *f, struct sample_line *out) {
  out->thread = take_thread(f);
  if (!state_find(next_field(f), &out->state) && f->fault == NULL)
    f->fault = "no state has this name";
  out->cpu_ns = take_decimal(f, -1, "the CPU time is neither decimal nor -1");
  out->stack_id = take_stack_id(f);
}

static void write_cpu(struct builder *b, const struct sample_line *line) {
  put_hash(b, line->thread);
  put_decimal(b, line->cpu_ns);
  put_decimal(b, (int64_t)line->stack_id);
  builder_char(b, ',');
  builder_string(b, cpu_place_names[line->place]);
}

static void read_cpu(struct fields *f, struct sample_line *out) {
  out->thread = take_thread(f);
  out->cpu_ns = take_decimal(f, 0, "the CPU time is not decimal");
  out->stack_id = take_stack_id(f);
  if (!cpu_place_find(next_field(f), &out->place) && f->fault == NULL) {
    f->fault = "no place of a CPU sample has this name";
  }
}

static void write_process(struct builder *b, const struct sample_line *line) {
  put_decimal(b, line->cpu_ns);
  put_decimal(b, line->throttled_ns);
}

static void read_process(struct fields *f, struct sample_line *out) {
  out->cpu_ns = take_decimal(f, 0, "the CPU time is not decimal");
  out->throttled_ns = take_decimal(f, -1, "the throttled time is neither decimal nor -1");
}

static void write_task(struct builder *b, const struct sample_line *line) {
  put_decimal(b, line->tid);
  builder_char(b, ',');
  builder_string(b, task_kind_infos[line->task_kind].name);
  put_decimal(b, line->cpu_ns);
  put_decimal(b, line->wait_ns);
  put_span(b, line->name);
}

static void read_task(struct fields *f, struct sample_line *out) {
  out->tid = take_decimal(f, 1, "the task's number is not decimal");
  if (!task_kind_find(next_field(f), &out->task_kind) && f->fault == NULL) {
    f->fault = "no kind of task has this name";
  }
  out->cpu_ns = take_decimal(f, 0, "the CPU time is not decimal");
  out->wait_ns = take_decimal(f, -1, "the time on the run queue is neither decimal nor -1");
  out->name = take_name(f, "the task's name is not correctly escaped UTF-8");
}

static void write_sched(struct builder *b, const struct sample_line *line) {
  put_hash(b, line->thread);
  put_decimal(b, line->wait_ns);
}

static void read_sched(struct fields *f, struct sample_line *out) {
  out->thread = take_thread(f);
  out->wait_ns = take_decimal(f, 0, "the time on the run queue is not decimal");
}

#define PAUSE_OF_GC "Gc" /* the only pause that JVMTI reports */

static void write_pause(struct builder *b, const struct sample_line *line) {
  builder_string(b, "," PAUSE_OF_GC);
  put_decimal(b, line->pause_ns);
}

static void read_pause(struct fields *f, struct sample_line *out) {
  if (!span_is(next_field(f), PAUSE_OF_GC) && f->fault == NULL) f->fault = "no pause has this name";
  out->pause_ns = take_decimal(f, 0, "the length of the pause is not decimal");
}

/* --- the kinds ------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*write)(struct builder *, const struct sample_line *);
  void (*read)(struct fields *, struct sample_line *);
} kinds[NUM_SAMPLE_KINDS] = {
    [SAMPLE_TICK] = {"Tick", write_tick, read_tick},
    [SAMPLE_STACK] = {"Stack", write_stack, read_stack},
    [SAMPLE_THREAD] = {"Sample", write_thread, read_thread},
    [SAMPLE_CPU] = {"Cpu", write_cpu, read_cpu},
    [SAMPLE_PROCESS] = {"Process", write_process, read_process},
    [SAMPLE_TASK] = {"Task", write_task, read_task},
    [SAMPLE_SCHED] = {"Sched", write_sched, read_sched},
    [SAMPLE_PAUSE] = {"Pause", write_pause, read_pause},
};

void sample_line_write(struct builder *b, const struct sample_line *line) {
  put_time(b, line->time);
  builder_string(b, kinds[line->kind].name);
  kinds[line->kind].write(b, line);
  builder_char(b, '\n');
}

fault_t sample_line_read(struct span text, struct sample_line *out) {
  struct fields f = {text, NULL};
  *out = (struct sample_line){.time = take_ticks(&f)};
  struct span name = next_field(&f);
  int kind = 0;
  while (kind < NUM_SAMPLE_KINDS && !span_is(name, kinds[kind].name)) kind++;
  if (kind < NUM_SAMPLE_KINDS) {
    out->kind = (enum sample_kind)kind;
    kinds[kind].read(&f, out);
  } else if (f.fault == NULL) {
    f.fault = "the line is none of Tick, Stack, Sample, Cpu, Process, Task, Sched and Pause";
  }
  return check_end(&f);
}
