/* Virtual threads that get no carrier, since others run on all of them and never wait. */
#include <stdlib.h>
#include <string.h>

#include "tools/orca/answer/find.h"
#include "tools/orca/model/names.h"

#define LEAST_TICKS (2 * TICKS_PER_S)
#define LEAST_UNBEGUN_TICKS TICKS_PER_S
#define LEAST_CPU_PERCENT 10 /* of the time in which a thread runs: it may wait for a CPU, too */

/* Its last event, or the start of the recording. */
static ticks_t find_last(const struct model *m, const struct thread *t) {
  return t->life.event > m->recording.from ? t->life.event : m->recording.from;
}

/* It has had no event for long, and used CPU time. */
static bool is_busy(const struct model *m, const struct thread *t) {
  ticks_t last = find_last(m, t), time = m->hang.moment > last ? m->hang.moment - last : 0;
  return t->alive && t->activity == ACTIVITY_RUNS && time >= LEAST_TICKS &&
         has_carrier(m->dump, t->hash) && wait_for_find(&m->hang.graph, t->hash) == NULL &&
         t->cpu_ns * TICKS_PER_NS * 100 >= time * LEAST_CPU_PERCENT;
}

struct busy {
  struct tally threads, carriers; /* group 0 */
  ticks_t since;                  /* the last event of the last of them */
};

static bool find_busy(const struct model *m, struct busy *out) {
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *t = &m->threads.rows[i];
    bool good = true;
    if (is_busy(m, t)) {
      good = tally_add(&out->threads, 0, t->hash, 1, t->cpu_ns);
      if (find_last(m, t) > out->since) out->since = find_last(m, t);
    }
    if (t->alive && is_carrier(m->dump, t->hash))
      good &= tally_add(&out->carriers, 0, t->hash, 1, 0);
    if (!good) return false;
  }
  tally_sort(&out->threads);
  tally_sort(&out->carriers);
  return true;
}

/* Had another virtual thread an event since then? */
static bool has_other_event(const struct model *m, const struct busy *busy) {
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *t = &m->threads.rows[i];
    if (has_carrier(m->dump, t->hash) && t->life.event > busy->since) return true;
  }
  return false;
}

/* The place with most of the CPU time of these threads. */
static struct named_place find_place(const struct finder *f, const struct busy *busy) {
  const struct model *m = f->m;
  struct tally places = {0};
  uint64_t all = 0;
  bool good = true;
  for (size_t i = 0; good && i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    uint64_t ns = profile_ns(row, PROFILE_CPU);
    if (ns == 0 || row->stack == 0 || tally_find(&busy->threads, 0, row->thread) == NULL) continue;
    all += ns;
    good = tally_add(&places, 0, stacks_place(&m->stacks, row->stack), 1, ns);
  }
  tally_sort(&places);
  size_t num;
  const struct tally_row *best = tally_of(&places, 0, &num);
  bool is_most = num > 0 && best->total * 2 >= all;
  struct named_place place = name_place(f, is_most ? best->key : 0);
  f->out->failed |= !good;
  tally_free(&places);
  return place;
}

/* A thread that has not begun for long shows that no carrier is free: of one that waits it is not
   known whether its wait is over. */
static void add_busy_carriers(const struct finder *f, const struct busy *busy) {
  const struct model *m = f->m;
  ticks_t first = m->hang.moment, until = m->hang.moment - LEAST_UNBEGUN_TICKS;
  uint64_t unbegun = carriers_count_unbegun(&m->carriers, until, &first);
  if (unbegun == 0) return;
  struct found_busy_carriers out = {.threads = name_threads(f, &busy->threads, 0),
                                    .num_threads = count_threads(&busy->threads, 0),
                                    .time = found_ns(m->hang.moment - busy->since),
                                    .place = find_place(f, busy),
                                    .carriers = name_threads(f, &busy->carriers, 0),
                                    .unbegun = unbegun,
                                    .longest = found_ns(m->hang.moment - first)};
  FINDINGS_ADD(f->out, busy_carriers, (m->hang.moment - busy->since) * unbegun, &out);
}

void find_busy_carriers(const struct finder *f) {
  const struct model *m = f->m;
  struct busy busy = {0};
  if (!m->hang.is_known || m->hang.moment < LEAST_TICKS) return;
  bool good = find_busy(m, &busy);
  size_t num = count_threads(&busy.threads, 0);
  bool are_all = good && num > 0 && num == count_threads(&busy.carriers, 0);
  f->out->failed |= !good;
  if (are_all && !has_other_event(m, &busy)) add_busy_carriers(f, &busy);
  tally_free(&busy.threads);
  tally_free(&busy.carriers);
}
