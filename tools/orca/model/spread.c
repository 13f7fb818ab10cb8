#include "tools/orca/model/spread.h"

#include <stdlib.h>

#include "agent/base/clock.h"
#include "tools/orca/dump/digest.h"
#include "tools/orca/dump/dump.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

/* --- the weight of a sample ----------------------------------------------------------------- */

#define USUAL_TICK_NS 4000000 /* of a kernel with 250 ticks a second */

/* The kernel checks CPU timers only at its ticks. */
static uint64_t read_tick_ns(const struct dump *d) {
  struct span value;
  int64_t ns;
  bool is_known = dump_info(d, INFO_SAMPLER_TICK, &value) && text_parse_decimal(value, &ns) &&
                  ns > 0 && ns < (int64_t)NS_PER_S;
  return is_known ? (uint64_t)ns : USUAL_TICK_NS;
}

/* Returns the ticks for which a sample of this time stands, at least 1. */
static uint64_t find_weight(const struct spread *s, ticks_t time) {
  if (s->dump == NULL) return 1;
  uint64_t tick_ns = read_tick_ns(s->dump);
  uint64_t ticks = (coverage_interval_ns(dump_coverage(s->dump), time) + tick_ns / 2) / tick_ns;
  return ticks == 0 ? 1 : ticks;
}

void spread_start(struct spread *s, const struct dump *d) {
  s->dump = coverage_interval_changed(dump_coverage(d)) ? d : NULL;
}

/* --- adding ------------------------------------------------------------------------------- */

bool spread_add(struct spread *s, const struct sample_line *line, stack_id_t stack) {
  struct spread_thread *thread = rows_at(&s->thread_ids, line->thread, &s->threads, &s->num_threads,
                                         &s->threads_capacity, sizeof *thread, NULL);
  uint64_t ns = (uint64_t)line->cpu_ns;
  if (thread == NULL) return false;
  thread->thread = line->thread;
  if (line->place == CPU_PLACE_UNSAMPLED) {
    thread->unsampled_ns += ns;
    return true;
  }
  bool is_new;
  struct spread_row *row = rows_at(&s->ids, (uint64_t)line->thread << 32 | stack, &s->rows, &s->num,
                                   &s->capacity, sizeof *row, &is_new);
  if (row == NULL) return false;
  if (is_new) *row = (struct spread_row){.thread = line->thread, .stack = stack};
  row->ns += ns;
  uint64_t weight = find_weight(s, line->time);
  row->samples++;
  row->weight += weight;
  thread->ns += ns;
  thread->samples++;
  thread->weight += weight;
  s->samples++;
  return true;
}

/* --- parts of a time ---------------------------------------------------------------------- */

/* Divides a time in proportion to weights of samples. The parts add up exactly to the time. */
struct division {
  uint64_t ns, weight;    /* the whole time, the weight of all samples */
  uint64_t assigned;      /* time of the earlier parts */
  uint64_t weight_before; /* of the samples of the earlier parts */
};

static uint64_t take_part(struct division *d, uint64_t weight) {
  d->weight_before += weight;
  uint64_t end = (uint64_t)((unsigned __int128)d->ns * d->weight_before / d->weight);
  uint64_t part = end - d->assigned;
  d->assigned = end;
  return part;
}

/* --- pools -------------------------------------------------------------------------------- */

/* A thread of a pool. */
struct member {
  uint64_t pool; /* hash of the pool's name */
  const struct spread_thread *thread;
  uint64_t left; /* the part of its clock that is not assigned to a stack yet */
};

struct pooling {
  struct spread *spread;
  const struct threads *names;
  stack_id_t not_sampled;
  struct member *members; /* sorted by pool, then by thread */
};

/* Returns a hash of the pool's name, which is "worker-#" for a thread "worker-12"; 0: no name. */
static uint64_t hash_pool_name(const struct threads *names, uint32_t hash, bool *failed) {
  const struct thread *thread = threads_find(names, hash);
  const char *name = thread == NULL || thread->name == NULL ? "" : thread->name;
  struct builder b = {0};
  for (const char *at = name; *at != '\0'; at++) {
    bool is_digit = *at >= '0' && *at <= '9';
    if (!is_digit) {
      builder_char(&b, *at);
    } else if (b.failed || b.len == 0 || b.data[b.len - 1] != '#') {
      builder_char(&b, '#');
    }
  }
  uint64_t pool = b.len == 0 ? 0 : digest((struct span){b.data, b.len});
  *failed |= b.failed;
  builder_free(&b);
  return pool;
}

static int compare_pool_members(const void *left, const void *right) {
  const struct member *a = left, *b = right;
  return a->pool != b->pool ? compare_numbers(a->pool, b->pool)
                            : compare_numbers(a->thread->thread, b->thread->thread);
}

static int compare_spread_rows(const void *left, const void *right) {
  const struct spread_row *a = left, *b = right;
  return a->thread != b->thread ? compare_numbers(a->thread, b->thread)
                                : compare_numbers(a->stack, b->stack);
}

static struct spread_row *find_thread_rows(const struct spread *s, uint32_t thread,
                                           size_t *out_num) {
  const struct spread_row *first =
      rows_of(s->rows, s->num_sampled, sizeof *s->rows, thread, out_num);
  return first == NULL ? NULL : s->rows + (first - s->rows);
}

/* The part of a sample's weight that exceeds the clock of its own thread. */
struct surplus {
  stack_id_t stack;
  uint64_t ns;
};

struct surpluses {
  struct surplus *rows;
  size_t num, at;
};

/* Assigns to a thread the weights of its own samples, as far as its clock goes. The rest of the
   weights are surpluses. */
static void assign_own_weights(struct spread *s, struct member *m, struct division *d,
                               struct surpluses *surpluses) {
  size_t num;
  struct spread_row *rows = find_thread_rows(s, m->thread->thread, &num);
  for (size_t i = 0; i < num; i++) {
    uint64_t part = take_part(d, rows[i].weight);
    rows[i].ns = part < m->left ? part : m->left;
    m->left -= rows[i].ns;
    if (rows[i].ns == part) continue;
    surpluses->rows[surpluses->num++] = (struct surplus){rows[i].stack, part - rows[i].ns};
  }
}

static bool add_spread_row(struct spread *s, uint32_t thread, stack_id_t stack, uint64_t ns) {
  size_t number = rows_add(&s->rows, &s->num, &s->capacity, sizeof *s->rows);
  if (number == 0) return false;
  s->rows[number - 1] = (struct spread_row){.thread = thread, .stack = stack, .ns = ns};
  return true;
}

/* Assigns surpluses of other threads to what is left of a thread's clock. */
static bool assign_surplus(struct spread *s, struct member *m, struct surpluses *surpluses) {
  while (m->left > 0 && surpluses->at < surpluses->num) {
    struct surplus *from = &surpluses->rows[surpluses->at];
    uint64_t ns = from->ns < m->left ? from->ns : m->left;
    if (!add_spread_row(s, m->thread->thread, from->stack, ns)) return false;
    m->left -= ns;
    from->ns -= ns;
    surpluses->at += from->ns == 0;
  }
  return true;
}

/* Divides the time of all members by their samples. */
static bool divide_pool(struct pooling *p, struct member *members, size_t num) {
  struct spread *s = p->spread;
  struct division d = {0};
  uint64_t samples = 0;
  for (size_t i = 0; i < num; i++) {
    members[i].left = members[i].thread->ns + members[i].thread->unsampled_ns;
    d.ns += members[i].left;
    d.weight += members[i].thread->weight;
    samples += members[i].thread->samples;
  }
  struct surpluses surpluses = {.rows = calloc(samples + 1, sizeof *surpluses.rows)};
  bool good = surpluses.rows != NULL;
  for (size_t i = 0; good && i < num; i++) assign_own_weights(s, &members[i], &d, &surpluses);
  for (size_t i = 0; good && i < num; i++) {
    struct member *m = &members[i];
    good = samples > 0
               ? assign_surplus(s, m, &surpluses)
               : m->left == 0 || add_spread_row(s, m->thread->thread, p->not_sampled, m->left);
  }
  free(surpluses.rows);
  return good;
}

/* A thread with enough samples keeps its sampled time, and its unsampled time is divided by its own
   samples. Fills `members` with all other threads and returns their number. */
static size_t collect_members(struct pooling *p, bool *failed) {
  struct spread *s = p->spread;
  size_t num = 0;
  for (size_t i = 0; i < s->num_threads; i++) {
    const struct spread_thread *thread = &s->threads[i];
    if (thread->samples >= SPREAD_ENOUGH) {
      struct division d = {.ns = thread->unsampled_ns, .weight = thread->weight};
      size_t num_rows;
      struct spread_row *rows = find_thread_rows(s, thread->thread, &num_rows);
      for (size_t k = 0; k < num_rows; k++) rows[k].ns += take_part(&d, rows[k].weight);
    } else {
      uint64_t pool = hash_pool_name(p->names, thread->thread, failed);
      p->members[num++] = (struct member){.pool = pool, .thread = thread};
    }
  }
  if (num > 0) qsort(p->members, num, sizeof *p->members, compare_pool_members);
  return num;
}

bool spread_end(struct spread *s, struct stacks *stacks, const struct threads *threads) {
  struct pooling p = {.spread = s, .names = threads};
  hashmap_free(&s->ids); /* its row numbers are about to change */
  if (s->num > 0) qsort(s->rows, s->num, sizeof *s->rows, compare_spread_rows);
  s->num_sampled = s->num;
  p.members = calloc(s->num_threads + 1, sizeof *p.members);
  bool failed =
      p.members == NULL || !stacks_with_leaf(stacks, 0, PSEUDO_NOT_SAMPLED, &p.not_sampled);
  size_t num = failed ? 0 : collect_members(&p, &failed);
  for (size_t at = 0; !failed && at < num;) {
    struct member *first = p.members + at;
    size_t n = 1; /* members of its pool */
    while (at + n < num && first[n].pool == first->pool) n++;
    failed = !divide_pool(&p, first, n);
    at += n;
  }
  free(p.members);
  return !failed;
}

void spread_free(struct spread *s) {
  hashmap_free(&s->ids);
  hashmap_free(&s->thread_ids);
  free(s->rows);
  free(s->threads);
  *s = (struct spread){0};
}
