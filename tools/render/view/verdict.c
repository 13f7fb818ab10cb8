#include "tools/model/names.h"
#include "tools/render/unit.h"
#include "tools/render/view/view.h"

#define FEW_SAMPLES 100 /* below it, shares are off by 10 % and more */

#define STUCK_TICKS TICKS_PER_S
#define STUCK_SHOWN 3

/* A sentence goes into a builder of its own and onto the page as a paragraph. */
static void say(struct builder *b, const struct style *style, struct builder *sentence) {
  if (!sentence->failed && sentence->len > 0) {
    style_wrap(b, style, "* ", (struct span){sentence->data, sentence->len});
  }
  builder_free(sentence);
}

/* --- CPU ----------------------------------------------------------------------- */

static const char *why_no_cpu(const struct recording *r) {
  if (r->ticks == 0) return "No samples were taken, so this says nothing about CPU time.";
  if (!r->cpu_known) return "The JVM did not tell the CPU time of its threads.";
  return "No sample saw a thread at work.";
}

static void put_hottest(struct builder *b, const struct model *m) {
  const struct cpu_method *hot = &m->cpu.methods[0];
  unit_share(b, hot->self_ns, m->cpu.total_ns);
  builder_string(b, " of the CPU time is spent in ");
  names_place(b, m->dump, hot->place);
  if (hot->total_ns > hot->self_ns) {
    builder_string(b, ", ");
    unit_share(b, hot->total_ns, m->cpu.total_ns);
    builder_string(b, " including what it calls");
  }
  if (hot->caller != 0) {
    builder_string(b, "; it is called most by ");
    names_place(b, m->dump, hot->caller);
  }
  builder_char(b, '.');
  if (m->cpu.num_samples >= FEW_SAMPLES) return;
  builder_string(b, " Take that as rough: only ");
  unit_many(b, m->cpu.num_samples, "sample", "samples");
  builder_string(b, " saw a thread at work.");
}

static void say_cpu(struct builder *b, const struct model *m, const struct style *style) {
  struct builder s = {0};
  if (m->cpu.num_methods == 0) {
    builder_string(&s, why_no_cpu(&m->recording));
  } else {
    put_hottest(&s, m);
  }
  say(b, style, &s);
}

/* --- locks --------------------------------------------------------------------- */

static const struct stall *worst(const struct stalls *stalls, enum event_kind kind) {
  for (size_t i = 0; i < stalls->num; i++) {
    if (stalls->rows[i].kind == kind && stalls->rows[i].total > 0) return &stalls->rows[i];
  }
  return NULL;
}

static ticks_t total_of(const struct stalls *stalls, enum event_kind kind) {
  ticks_t sum = 0;
  for (size_t i = 0; i < stalls->num; i++) {
    if (stalls->rows[i].kind == kind) sum += stalls->rows[i].total;
  }
  return sum;
}

static void put_owner(struct builder *b, const struct model *m, const struct stall *lock) {
  size_t num;
  const struct tally_row *owners = tally_of(&m->stalls.owners, lock->id, &num);
  if (num == 0) {
    builder_string(b, "; who held it is not known");
    return;
  }
  builder_string(b, num == 1 ? "; it was held by " : "; it was held most by ");
  names_thread(b, &m->threads, (uint32_t)owners[0].key);
  builder_string(b, num == 1 ? " whenever that is known (" : " (");
  unit_count(b, owners[0].count);
  builder_string(b, " of ");
  unit_count(b, num == 1 ? lock->count : lock->known_owners);
  builder_string(b, num == 1 ? " times)" : " times that the holder is known)");
}

/* ", at A.b (A.java:7)", ", 62 % of it at A.b (A.java:7)" */
static void put_place(struct builder *b, const struct model *m, const struct stall *s) {
  size_t num;
  const struct tally_row *places = tally_of(&m->stalls.places, s->id, &num);
  builder_string(b, ", ");
  if (num > 1) {
    unit_share(b, places[0].total, s->total);
    builder_string(b, " of it ");
  }
  builder_string(b, "at ");
  view_place_name(b, m, places[0].key);
}

/* "3 times for 1.25 s in all (longest 1.00 s), at A.b (A.java:7)" */
static void put_stall(struct builder *b, const struct model *m, const struct stall *s) {
  unit_many(b, s->count, "time", "times");
  builder_string(b, " for ");
  unit_ticks(b, s->total);
  builder_string(b, " in all (longest ");
  unit_ticks(b, s->longest);
  builder_char(b, ')');
  put_place(b, m, s);
}

static void put_still(struct builder *b, const struct stall *lock) {
  if (lock->open == 0) return;
  builder_char(b, ' ');
  unit_many(b, lock->open, "thread was", "threads were");
  builder_string(b, " still blocked on it when the recording ended.");
}

static void put_lock(struct builder *b, const struct model *m, const struct stall *lock) {
  builder_string(b, "Lock ");
  names_object(b, m->dump, lock->object);
  builder_string(b, ": threads were blocked ");
  put_stall(b, m, lock);
  put_owner(b, m, lock);
  builder_string(b, ". That is ");
  unit_share(b, lock->total, total_of(&m->stalls, lock->kind));
  builder_string(b, " of all time blocked on monitors.");
  put_still(b, lock);
}

/* Whether a group of events was recorded, as far as the dump tells. */
static bool has_group(const struct model *m, enum event_group group) {
  struct span groups, one;
  if (!dump_option(m->dump, "events", &groups) || span_is(groups, "all")) return true;
  while (span_cut(&groups, '+', &one)) {
    if (span_is(one, group_infos[group].name)) return true;
  }
  return false;
}

static void say_lock(struct builder *b, const struct model *m, const struct style *style) {
  const struct stall *lock = worst(&m->stalls, EVENT_MONITOR_CONTENDED_ENTER);
  struct builder s = {0};
  if (lock != NULL) {
    put_lock(&s, m, lock);
  } else if (has_group(m, GROUP_MONITOR)) {
    builder_string(&s, "No thread was blocked on a monitor.");
  } else {
    builder_string(&s, "Monitors were not recorded.");
  }
  say(b, style, &s);
}

static void say_semaphore(struct builder *b, const struct model *m, const struct style *style) {
  const struct stall *stall = worst(&m->stalls, EVENT_SEMAPHORE_ACQUIRE);
  struct builder s = {0};
  if (stall == NULL || stall->total < recording_time(&m->recording) / 100) return;
  builder_string(&s, "Semaphore ");
  names_object(&s, m->dump, stall->object);
  builder_string(&s, ": threads acquired it ");
  put_stall(&s, m, stall);
  builder_char(&s, '.');
  say(b, style, &s);
}

/* --- deadlocks ------------------------------------------------------------------- */

static void put_link(struct builder *b, const struct model *m, const struct pair *pair) {
  names_thread(b, &m->threads, pair->thread);
  builder_string(b, " blocks on ");
  names_object(b, m->dump, pair->object);
  builder_string(b, " at ");
  view_place_name(b, m, stacks_place(&m->stacks, pair->stack));
  if (pair->owner == 0) return;
  builder_string(b, ", held by ");
  names_thread(b, &m->threads, pair->owner);
}

static void say_deadlock(struct builder *b, const struct model *m, const struct style *style,
                         size_t ring) {
  struct builder s = {0};
  for (size_t i = 0; i < m->deadlocks.num; i++) {
    if (m->deadlocks.links[i].ring != ring) continue;
    builder_string(&s, s.len == 0 ? "DEADLOCK: " : "; ");
    put_link(&s, m, &m->deadlocks.links[i].pair);
  }
  builder_char(&s, '.');
  say(b, style, &s);
}

/* A thread that blocked to the end, and for long: the program may be stuck. */
static bool is_stuck(const struct model *m, const struct pair *pair) {
  return pair->kind == EVENT_MONITOR_CONTENDED_ENTER &&
         m->recording.end - pair->begin >= STUCK_TICKS;
}

/* Without a deadlock it is worth saying who is stuck; some holder may not be known. */
static void say_stuck(struct builder *b, const struct model *m, const struct style *style) {
  struct builder s = {0};
  struct pair pair;
  uint64_t num = 0;
  for (size_t cursor = 0; pairs_next_open(&m->pairs, &cursor, &pair);) {
    if (!is_stuck(m, &pair) || num++ >= STUCK_SHOWN) continue;
    builder_string(&s, num == 1 ? "Stuck when the recording ended: " : "; ");
    put_link(&s, m, &pair);
    builder_string(&s, ", for ");
    unit_ticks(&s, m->recording.end - pair.begin);
  }
  if (num > STUCK_SHOWN) {
    builder_string(&s, "; and ");
    unit_many(&s, num - STUCK_SHOWN, "more thread", "more threads");
  }
  if (num > 0) builder_char(&s, '.');
  say(b, style, &s);
}

void view_verdict(struct builder *b, const struct model *m, const struct style *style) {
  style_heading(b, style, "In short");
  for (size_t ring = 0; ring < m->deadlocks.num_rings; ring++) say_deadlock(b, m, style, ring);
  if (m->deadlocks.num_rings == 0) say_stuck(b, m, style);
  say_cpu(b, m, style);
  say_lock(b, m, style);
  say_semaphore(b, m, style);
}
