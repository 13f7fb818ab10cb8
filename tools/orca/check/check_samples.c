/* The rules of .samples. */
#include "tools/orca/check/check_internal.h"

struct samples_state {
  ticks_t least_time;
  bool has_tick;
  int64_t last_tick;
  struct hashmap stack_ids;      /* defined so far */
  struct hashmap cpu_threads;    /* threads with Cpu lines */
  ticks_t pause_end;             /* of the last pause */
  uint64_t process_ns, tasks_ns; /* CPU time so far */
};

static void check_tick(struct check *c, const struct stream *s, const struct sample_line *line,
                       struct samples_state *samples) {
  if (samples->has_tick && line->number <= samples->last_tick) {
    check_add_fault(c, s, RULE_TICK_ORDER, subject_from_number((uint64_t)line->number));
  }
  samples->has_tick = true;
  samples->last_tick = line->number;
}

static void check_stack_line(struct check *c, const struct stream *s,
                             const struct sample_line *line, struct samples_state *samples) {
  if (line->stack_id == 0) {
    check_add_fault(c, s, RULE_STACK_ZERO, subject_none());
  } else if (!check_insert(c, &samples->stack_ids, line->stack_id)) {
    check_add_fault(c, s, RULE_STACK_AGAIN, subject_from_number(line->stack_id));
  }
  check_stack(c, s, line->stack, digest(line->stack), NUM_EVENTS);
}

/* The states of the last sample of a thread. */
static bool is_last_state(enum thread_state state) {
  return state == STATE_TERMINATED || state == STATE_UNMOUNTED;
}

/* Every sample of a thread except the last one has a stack. */
static void check_stack_id(struct check *c, const struct stream *s, const struct sample_line *line,
                           const struct samples_state *samples) {
  bool is_alive = !is_last_state(line->state);
  uint64_t value;
  if (is_alive && line->stack_id == 0) check_add_fault(c, s, RULE_STACK_NONE, subject_none());
  if (line->stack_id == 0) return;
  if (!is_alive) check_add_fault(c, s, RULE_TERMINATED_STACK, subject_from_number(line->stack_id));
  if (!hashmap_get(&samples->stack_ids, line->stack_id, &value)) {
    check_add_fault(c, s, RULE_STACK_UNKNOWN, subject_from_number(line->stack_id));
  }
}

static void check_sample(struct check *c, const struct stream *s, const struct sample_line *line,
                         const struct samples_state *samples) {
  c->totals->samples++;
  if (!samples->has_tick) check_add_fault(c, s, RULE_TICK_MISSING, subject_none());
  if (line->thread == 0) check_add_fault(c, s, RULE_THREAD_ZERO, subject_none());
  check_stack_id(c, s, line, samples);
  struct thread *t = line->thread == 0 ? NULL : check_get_thread(c, line->thread);
  if (t == NULL) return;
  bool is_end = is_last_state(line->state);
  bool lived_between_ticks = line->state == STATE_TERMINATED && line->cpu_ns > 0;
  if (!t->is_shared && !t->is_sampled && is_end && !lived_between_ticks) {
    check_add_fault(c, s, RULE_TERMINATED_ALONE, subject_from_hash(line->thread));
  }
  /* The sampler writes a sample only if it differs from the last sample of the thread. */
  bool is_same = t->is_sampled && t->state == line->state && t->stack_id == line->stack_id;
  if (!t->is_shared && is_same && line->cpu_ns == 0) {
    check_add_fault(c, s, RULE_SAMPLE_SAME, subject_from_hash(line->thread));
  }
  t->is_sampled = !is_end;
  t->state = line->state;
  t->stack_id = line->stack_id;
}

/* A Cpu line of any place except Unsampled may have a stack. */
static void check_cpu(struct check *c, const struct stream *s, const struct sample_line *line,
                      struct samples_state *samples) {
  uint64_t value;
  if (line->thread == 0) check_add_fault(c, s, RULE_THREAD_ZERO, subject_none());
  if (line->thread != 0) check_insert(c, &samples->cpu_threads, line->thread);
  if (line->stack_id == 0) return;
  if (line->place == CPU_PLACE_UNSAMPLED) {
    check_add_fault(c, s, RULE_CPU_STACK, subject_from_number(line->stack_id));
  } else if (!hashmap_get(&samples->stack_ids, line->stack_id, &value)) {
    check_add_fault(c, s, RULE_STACK_UNKNOWN, subject_from_number(line->stack_id));
  }
}

/* A thread with CPU time has another line, unless events are missing. In one set of several that
   line may be in the next set, because lines are held back for the threshold. */
static void check_cpu_threads(struct check *c, const struct samples_state *samples) {
  struct hashmap_slot slot;
  uint64_t at;
  struct span number;
  bool is_one_of_several =
      dump_sets(c->dump)->num == 1 && dump_info(c->dump, INFO_SET_NUMBER, &number);
  if (dump_is_lossy(c->dump) || c->has_gap || !c->has_first_set || is_one_of_several) return;
  for (size_t cursor = 0; hashmap_next(&samples->cpu_threads, &cursor, &slot);) {
    uint32_t hash = (uint32_t)slot.key;
    if (hashmap_get(&c->threads, hash, &at) || dump_objects(c->dump, hash) != NULL) continue;
    check_add_file_fault(c, DUMP_SAMPLES, RULE_CPU_THREAD, subject_from_hash(hash));
  }
}

/* --- the process ----------------------------------------------------------------------------- */

static void check_sched(struct check *c, const struct stream *s, const struct sample_line *line) {
  if (line->thread == 0) {
    check_add_fault(c, s, RULE_THREAD_ZERO, subject_none());
  } else if (line->wait_ns == 0) {
    check_add_fault(c, s, RULE_SCHED_NOTHING, subject_from_hash(line->thread));
  }
}

/* Pauses do not overlap. */
static void check_pause(struct check *c, const struct stream *s, const struct sample_line *line,
                        struct samples_state *samples) {
  ticks_t length = (ticks_t)line->pause_ns * TICKS_PER_NS;
  ticks_t begin = length < line->time ? line->time - length : 0, recording_start;
  struct span value;
  bool is_known =
      dump_info(c->dump, INFO_START_MONOTONIC, &value) && text_parse_ticks(value, &recording_start);
  if (is_known && begin < recording_start) {
    check_add_fault(c, s, RULE_PAUSE_EARLY, subject_from_number((uint64_t)line->pause_ns));
  } else if (begin < samples->pause_end) {
    check_add_fault(c, s, RULE_PAUSE_OVERLAP, subject_from_number((uint64_t)line->pause_ns));
  }
  samples->pause_end = line->time;
}

/* Tolerance for reading the CPU clocks of many tasks one after the other. */
#define CLOCK_TOLERANCE_NS UINT64_C(1000000000)

/* The Task lines of a round precede its Process line. */
static void check_process(struct check *c, const struct stream *s, const struct sample_line *line,
                          struct samples_state *samples) {
  samples->process_ns += (uint64_t)line->cpu_ns;
  if (samples->tasks_ns > samples->process_ns + samples->process_ns / 10 + CLOCK_TOLERANCE_NS) {
    check_add_fault(c, s, RULE_TASKS_MORE, subject_from_number(samples->tasks_ns));
  }
}

void check_samples(struct check *c, struct stream *s) {
  struct samples_state samples = {0};
  for (struct sample_line line; stream_sample(s, &line);) {
    check_time(c, s, &samples.least_time, line.time);
    switch (line.kind) {
      case SAMPLE_TICK:
        check_tick(c, s, &line, &samples);
        break;
      case SAMPLE_STACK:
        check_stack_line(c, s, &line, &samples);
        break;
      case SAMPLE_THREAD:
        check_sample(c, s, &line, &samples);
        break;
      case SAMPLE_CPU:
        check_cpu(c, s, &line, &samples);
        break;
      case SAMPLE_PROCESS:
        check_process(c, s, &line, &samples);
        break;
      case SAMPLE_TASK:
        samples.tasks_ns += (uint64_t)line.cpu_ns;
        break;
      case SAMPLE_SCHED:
        check_sched(c, s, &line);
        break;
      case SAMPLE_PAUSE:
        check_pause(c, s, &line, &samples);
        break;
      default:
        break;
    }
  }
  check_cpu_threads(c, &samples);
  hashmap_free(&samples.stack_ids);
  hashmap_free(&samples.cpu_threads);
}
