/* The rules of .samples. */
#include "tools/orca/check/check_internal.h"

#define FIRST_WITH_VIRTUAL_THREADS 19 /* version of the JDK */

/* What lines say about a thread. */
enum mention {
  MENTION_CPU = 1,     /* a Cpu line */
  MENTION_PLATFORM = 2 /* it is a platform thread */
};

struct samples_state {
  ticks_t least_time;
  bool has_tick;
  int64_t last_tick;
  struct hashmap stack_ids;      /* defined so far */
  struct hashmap threads;        /* hash of a thread -> bits of enum mention */
  bool has_virtual;              /* a thread may be virtual */
  ticks_t pause_end;             /* of the last pause */
  uint64_t process_ns, tasks_ns; /* CPU time so far */
};

static void note_thread(struct check *c, struct samples_state *samples, uint32_t hash,
                        unsigned mention) {
  uint64_t *at = hash == 0 ? NULL : hashmap_at(&samples->threads, hash);
  if (at != NULL) *at |= mention;
  c->failed |= at == NULL && hash != 0;
}

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
                         struct samples_state *samples) {
  c->totals->samples++;
  if (!samples->has_tick) check_add_fault(c, s, RULE_TICK_MISSING, subject_none());
  if (line->thread == 0) check_add_fault(c, s, RULE_THREAD_ZERO, subject_none());
  check_stack_id(c, s, line, samples);
  struct thread *t = line->thread == 0 ? NULL : check_get_thread(c, line->thread);
  if (t == NULL) return;
  bool is_end = is_last_state(line->state);
  if (!samples->has_virtual || line->state == STATE_TERMINATED)
    note_thread(c, samples, line->thread, MENTION_PLATFORM);
  bool lived_between_ticks = line->state == STATE_TERMINATED && line->cpu_ns > 0;
  bool may_lack_sample = t->is_shared || lived_between_ticks || c->totals->is_lossy;
  if (!t->is_sampled && is_end && !may_lack_sample) {
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
  note_thread(c, samples, line->thread,
              samples->has_virtual ? MENTION_CPU : MENTION_CPU | MENTION_PLATFORM);
  if (line->stack_id == 0) return;
  if (line->place == CPU_PLACE_UNSAMPLED) {
    check_add_fault(c, s, RULE_CPU_STACK, subject_from_number(line->stack_id));
  } else if (!hashmap_get(&samples->stack_ids, line->stack_id, &value)) {
    check_add_fault(c, s, RULE_STACK_UNKNOWN, subject_from_number(line->stack_id));
  }
}

/* --- threads ------------------------------------------------------------------------------- */

/* A virtual thread that ran before the recording is announced by its first event only, and may be
   sampled without one. The key is "17.0.15+6", and for JDK 8 "25.452-b09". */
static bool may_have_virtual_threads(const struct dump *d) {
  struct span version;
  int64_t major = 0;
  if (!dump_info(d, INFO_JAVA_VERSION, &version)) return true;
  size_t digits = 0;
  while (digits < version.len && version.data[digits] >= '0' && version.data[digits] <= '9')
    digits++;
  version.len = digits;
  return !text_parse_decimal(version, &major) || major >= FIRST_WITH_VIRTUAL_THREADS;
}

/* Whether no event is missing. In one set of several an event may be in the next set, because lines
   are held back for the threshold. */
static bool has_all_events(const struct check *c) {
  struct span number;
  bool is_one_of_several =
      dump_sets(c->dump)->num == 1 && dump_info(c->dump, INFO_SET_NUMBER, &number);
  return !coverage_is_lossy(dump_coverage(c->dump)) && !c->has_gap && c->has_first_set &&
         !is_one_of_several;
}

/* Whether the recorded events include the start of each thread in .samples. If the JVM was killed,
   .orca may end earlier than .samples. `flush` is no end either: the JVM may have been killed after
   it. */
static bool has_all_starts(const struct check *c) {
  struct span reason;
  bool has_end =
      dump_info(c->dump, INFO_END_REASON, &reason) &&
      (span_is(reason, "exit") || span_is(reason, "stop") || span_is(reason, "duration") ||
       span_is(reason, "snapshot") || span_starts(reason, "signal "));
  return has_end && has_all_events(c) && coverage_has_group(dump_coverage(c->dump), GROUP_THREAD) &&
         c->totals->num_failed_allocations == 0;
}

/* Each thread has a line in .orca. A thread with CPU time has one also if the starts of threads are
   not recorded. */
static void check_threads(struct check *c, const struct samples_state *samples) {
  struct hashmap_slot slot;
  bool has_events = has_all_events(c), has_starts = has_all_starts(c);
  for (size_t cursor = 0; hashmap_next(&samples->threads, &cursor, &slot);) {
    uint32_t hash = (uint32_t)slot.key;
    uint64_t at = 0;
    bool is_named = hashmap_get(&c->threads, hash, &at) || dump_objects(c->dump, hash) != NULL;
    const struct thread *t = (const struct thread *)(uintptr_t)at;
    bool is_announced = t != NULL && t->is_announced;
    if ((slot.value & MENTION_CPU) != 0 && has_events && !is_named) {
      check_add_file_fault(c, DUMP_SAMPLES, RULE_CPU_THREAD, subject_from_hash(hash));
    } else if ((slot.value & MENTION_PLATFORM) != 0 && has_starts && !is_announced) {
      check_add_file_fault(c, DUMP_SAMPLES, RULE_THREAD_SILENT, subject_from_hash(hash));
    }
  }
}

/* --- the process ----------------------------------------------------------------------------- */

static void check_sched(struct check *c, const struct stream *s, const struct sample_line *line,
                        struct samples_state *samples) {
  note_thread(c, samples, line->thread, MENTION_PLATFORM);
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
  struct samples_state samples = {.has_virtual = may_have_virtual_threads(c->dump)};
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
        check_sched(c, s, &line, &samples);
        break;
      case SAMPLE_PAUSE:
        check_pause(c, s, &line, &samples);
        break;
      default:
        break;
    }
  }
  check_threads(c, &samples);
  hashmap_free(&samples.stack_ids);
  hashmap_free(&samples.threads);
}
