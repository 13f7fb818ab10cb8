/* The rules of .samples. */
#include "tools/orca/check/check_internal.h"

struct progress {
  ticks_t least_time;
  bool has_tick;
  int64_t last_tick;
  struct hashmap stack_ids;      /* defined so far */
  struct hashmap cpu;            /* threads with Cpu lines */
  ticks_t pause_end;             /* of the last pause */
  uint64_t process_ns, tasks_ns; /* CPU time up to now */
};

static void check_tick(struct check *c, const struct stream *s, const struct sample_line *line,
                       struct progress *p) {
  if (p->has_tick && line->number <= p->last_tick) {
    check_broken(c, s, RULE_TICK_ORDER, of_number((uint64_t)line->number));
  }
  p->has_tick = true;
  p->last_tick = line->number;
}

static void check_definition(struct check *c, const struct stream *s,
                             const struct sample_line *line, struct progress *p) {
  if (line->stack_id == 0) {
    check_broken(c, s, RULE_STACK_ZERO, of_nothing());
  } else if (!check_new(c, &p->stack_ids, line->stack_id)) {
    check_broken(c, s, RULE_STACK_AGAIN, of_number(line->stack_id));
  }
  check_stack(c, s, line->stack, digest(line->stack), NUM_EVENTS);
}

/* Said of a thread that the sampler no longer sees. */
static bool is_gone(enum thread_state state) {
  return state == STATE_TERMINATED || state == STATE_UNMOUNTED;
}

/* Only the last sample of a thread has no stack. */
static void check_stack_id(struct check *c, const struct stream *s, const struct sample_line *line,
                           const struct progress *p) {
  bool lives = !is_gone(line->state);
  uint64_t times;
  if (lives && line->stack_id == 0) check_broken(c, s, RULE_STACK_NONE, of_nothing());
  if (line->stack_id == 0) return;
  if (!lives) check_broken(c, s, RULE_TERMINATED_STACK, of_number(line->stack_id));
  if (!hashmap_get(&p->stack_ids, line->stack_id, &times)) {
    check_broken(c, s, RULE_STACK_UNKNOWN, of_number(line->stack_id));
  }
}

/* A line of a thread says something that its last one did not. */
static void check_news(struct check *c, const struct stream *s, const struct sample_line *line) {
  struct thread *t = line->thread == 0 ? NULL : check_thread(c, line->thread);
  if (t == NULL) return;
  bool ends = is_gone(line->state);
  bool short_life = line->state == STATE_TERMINATED && line->cpu_ns > 0; /* between two ticks */
  if (!t->shared && !t->is_sampled && ends && !short_life) {
    check_broken(c, s, RULE_TERMINATED_ALONE, of_hash(line->thread));
  }
  bool same = t->is_sampled && t->state == line->state && t->stack_id == line->stack_id;
  if (!t->shared && same && line->cpu_ns == 0) {
    check_broken(c, s, RULE_SAMPLE_SAME, of_hash(line->thread));
  }
  t->is_sampled = !ends;
  t->state = line->state;
  t->stack_id = line->stack_id;
}

static void check_sample(struct check *c, const struct stream *s, const struct sample_line *line,
                         const struct progress *p) {
  c->totals->samples++;
  if (!p->has_tick) check_broken(c, s, RULE_TICK_MISSING, of_nothing());
  if (line->thread == 0) check_broken(c, s, RULE_THREAD_ZERO, of_nothing());
  check_stack_id(c, s, line, p);
  check_news(c, s, line);
}

/* The place Unsampled has no stack; each other one may have one. */
static void check_cpu(struct check *c, const struct stream *s, const struct sample_line *line,
                      struct progress *p) {
  uint64_t times;
  if (line->thread == 0) check_broken(c, s, RULE_THREAD_ZERO, of_nothing());
  if (line->thread != 0) check_new(c, &p->cpu, line->thread);
  if (line->stack_id == 0) return;
  if (line->place == CPU_PLACE_UNSAMPLED) {
    check_broken(c, s, RULE_CPU_STACK, of_number(line->stack_id));
  } else if (!hashmap_get(&p->stack_ids, line->stack_id, &times)) {
    check_broken(c, s, RULE_STACK_UNKNOWN, of_number(line->stack_id));
  }
}

/* A thread with CPU time started, or was seen by the sampler, unless events are missing. */
static void check_cpu_threads(struct check *c, const struct progress *p) {
  struct hashmap_slot slot;
  uint64_t at;
  if (dump_is_lossy(c->dump) || c->gap || !c->whole) return;
  for (size_t cursor = 0; hashmap_next(&p->cpu, &cursor, &slot);) {
    uint32_t hash = (uint32_t)slot.key;
    if (hashmap_get(&c->threads, hash, &at) || dump_objects(c->dump, hash) != NULL) continue;
    check_broken_file(c, DUMP_SAMPLES, RULE_CPU_THREAD, of_hash(hash));
  }
}

/* --- the process ----------------------------------------------------------------------------- */

static void check_sched(struct check *c, const struct stream *s, const struct sample_line *line) {
  if (line->thread == 0) {
    check_broken(c, s, RULE_THREAD_ZERO, of_nothing());
  } else if (line->wait_ns == 0) {
    check_broken(c, s, RULE_SCHED_NOTHING, of_hash(line->thread));
  }
}

static ticks_t recording_start(const struct check *c) {
  struct span value;
  ticks_t start;
  bool known = dump_info(c->dump, "start.monotonic", &value) && text_parse_ticks(value, &start);
  return known ? start : 0;
}

/* The JVM makes one pause at a time. */
static void check_pause(struct check *c, const struct stream *s, const struct sample_line *line,
                        struct progress *p) {
  ticks_t length = (ticks_t)line->pause_ns * TICKS_PER_NS;
  ticks_t begin = length < line->time ? line->time - length : 0;
  if (begin < recording_start(c)) {
    check_broken(c, s, RULE_PAUSE_EARLY, of_number((uint64_t)line->pause_ns));
  } else if (begin < p->pause_end) {
    check_broken(c, s, RULE_PAUSE_OVERLAP, of_number((uint64_t)line->pause_ns));
  }
  p->pause_end = line->time;
}

/* Clocks that are read one after the other: of many tasks on many CPUs that takes its time. */
#define CLOCKS_APART_NS UINT64_C(1000000000)

/* The tasks are told before the process that they are part of. */
static void check_process(struct check *c, const struct stream *s, const struct sample_line *line,
                          struct progress *p) {
  p->process_ns += (uint64_t)line->cpu_ns;
  if (p->tasks_ns > p->process_ns + p->process_ns / 10 + CLOCKS_APART_NS) {
    check_broken(c, s, RULE_TASKS_MORE, of_number(p->tasks_ns));
  }
}

void check_samples(struct check *c, struct stream *s) {
  struct progress p = {0};
  for (struct sample_line line; stream_sample(s, &line);) {
    check_time(c, s, &p.least_time, line.time);
    switch (line.kind) {
      case SAMPLE_TICK:
        check_tick(c, s, &line, &p);
        break;
      case SAMPLE_STACK:
        check_definition(c, s, &line, &p);
        break;
      case SAMPLE_THREAD:
        check_sample(c, s, &line, &p);
        break;
      case SAMPLE_CPU:
        check_cpu(c, s, &line, &p);
        break;
      case SAMPLE_PROCESS:
        check_process(c, s, &line, &p);
        break;
      case SAMPLE_TASK:
        p.tasks_ns += (uint64_t)line.cpu_ns;
        break;
      case SAMPLE_SCHED:
        check_sched(c, s, &line);
        break;
      case SAMPLE_PAUSE:
        check_pause(c, s, &line, &p);
        break;
      default:
        break;
    }
  }
  check_cpu_threads(c, &p);
  hashmap_free(&p.stack_ids);
  hashmap_free(&p.cpu);
}
