#include "tools/orca/model/spread.h"

#include <stdlib.h>

#include "tools/orca/dump/digest.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

/* --- adding ------------------------------------------------------------------------------------
 */

static struct spread_thread *thread_of(struct spread *s, uint32_t hash) {
  struct spread_thread *row = rows_at(&s->thread_ids, hash, &s->threads, &s->num_threads,
                                      &s->threads_capacity, sizeof *row, NULL);
  if (row != NULL) row->thread = hash;
  return row;
}

static struct spread_row *row_of(struct spread *s, uint32_t thread, stack_id_t stack) {
  bool is_new;
  struct spread_row *row = rows_at(&s->ids, (uint64_t)thread << 32 | stack, &s->rows, &s->num,
                                   &s->capacity, sizeof *row, &is_new);
  if (is_new) *row = (struct spread_row){.thread = thread, .stack = stack};
  return row;
}

bool spread_add(struct spread *s, const struct sample_line *line, stack_id_t stack) {
  struct spread_thread *thread = thread_of(s, line->thread);
  uint64_t ns = (uint64_t)line->cpu_ns;
  if (thread == NULL) return false;
  if (line->place == CPU_PLACE_UNSAMPLED) {
    thread->unsampled_ns += ns;
    return true;
  }
  struct spread_row *row = row_of(s, line->thread, stack);
  if (row == NULL) return false;
  row->ns += ns;
  row->samples++;
  thread->ns += ns;
  thread->samples++;
  s->samples++;
  return true;
}

/* --- parts of a time -----------------------------------------------------------------------------
 */

/* Divides a time by numbers of samples: the parts add up to the time. */
struct division {
  uint64_t ns, samples;   /* the whole */
  uint64_t given, before; /* of both, what earlier parts took */
};

static uint64_t take_part(struct division *d, uint64_t samples) {
  d->before += samples;
  uint64_t end = (uint64_t)((unsigned __int128)d->ns * d->before / d->samples);
  uint64_t part = end - d->given;
  d->given = end;
  return part;
}

/* --- pools ---------------------------------------------------------------------------------------
 */

/* Threads whose time is divided together, and their rows; one of the threads with enough samples is
   a pool of its own. */
struct member {
  uint64_t pool;
  const struct spread_thread *thread;
  uint64_t left; /* of its clock */
};

struct pooling {
  struct spread *spread;
  const struct threads *names;
  stack_id_t not_sampled;
  struct member *members; /* by pool, then by thread */
};

/* "worker-#" of "worker-12". */
static uint64_t pool_of(const struct threads *names, uint32_t hash, bool *failed) {
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

static int by_pool(const void *left, const void *right) {
  const struct member *a = left, *b = right;
  return a->pool != b->pool ? compare_numbers(a->pool, b->pool)
                            : compare_numbers(a->thread->thread, b->thread->thread);
}

static int by_thread(const void *left, const void *right) {
  const struct spread_row *a = left, *b = right;
  return a->thread != b->thread ? compare_numbers(a->thread, b->thread)
                                : compare_numbers(a->stack, b->stack);
}

static struct spread_row *rows_of_thread(const struct spread *s, uint32_t thread, size_t *out_num) {
  const struct spread_row *first =
      rows_of(s->rows, s->num_sampled, sizeof *s->rows, thread, out_num);
  return first == NULL ? NULL : s->rows + (first - s->rows);
}

/* A thread with enough samples keeps what they say, and its unsampled time is divided. */
static void divide_alone(struct spread *s, const struct spread_thread *thread) {
  struct division d = {.ns = thread->unsampled_ns, .samples = thread->samples};
  size_t num;
  struct spread_row *rows = rows_of_thread(s, thread->thread, &num);
  for (size_t i = 0; i < num; i++) rows[i].ns += take_part(&d, rows[i].samples);
}

/* What samples weigh that their own threads have no time left for. */
struct surplus {
  stack_id_t stack;
  uint64_t ns;
};

struct surpluses {
  struct surplus *rows;
  size_t num, at;
};

/* A thread takes what its own samples weigh, as far as its clock goes. */
static void take_own(struct spread *s, struct member *m, struct division *d, struct surpluses *x) {
  size_t num;
  struct spread_row *rows = rows_of_thread(s, m->thread->thread, &num);
  for (size_t i = 0; i < num; i++) {
    uint64_t weight = take_part(d, rows[i].samples);
    rows[i].ns = weight < m->left ? weight : m->left;
    m->left -= rows[i].ns;
    if (rows[i].ns == weight) continue;
    x->rows[x->num++] = (struct surplus){rows[i].stack, weight - rows[i].ns};
  }
}

static bool add_row(struct spread *s, uint32_t thread, stack_id_t stack, uint64_t ns) {
  size_t number = rows_add(&s->rows, &s->num, &s->capacity, sizeof *s->rows);
  if (number == 0) return false;
  s->rows[number - 1] = (struct spread_row){.thread = thread, .stack = stack, .ns = ns};
  return true;
}

/* What is left of its clock goes to what others were sampled in. */
static bool take_surplus(struct spread *s, struct member *m, struct surpluses *x) {
  while (m->left > 0 && x->at < x->num) {
    struct surplus *from = &x->rows[x->at];
    uint64_t ns = from->ns < m->left ? from->ns : m->left;
    if (!add_row(s, m->thread->thread, from->stack, ns)) return false;
    m->left -= ns;
    from->ns -= ns;
    x->at += from->ns == 0;
  }
  return true;
}

/* What there is to divide. */
static struct division sum_up(struct member *members, size_t num) {
  struct division d = {0};
  for (size_t i = 0; i < num; i++) {
    members[i].left = members[i].thread->ns + members[i].thread->unsampled_ns;
    d.ns += members[i].left;
    d.samples += members[i].thread->samples;
  }
  return d;
}

static bool divide_pool(struct pooling *p, struct member *members, size_t num) {
  struct spread *s = p->spread;
  struct division d = sum_up(members, num);
  struct surpluses x = {.rows = calloc(d.samples + 1, sizeof *x.rows)};
  bool good = x.rows != NULL;
  for (size_t i = 0; good && i < num; i++) take_own(s, &members[i], &d, &x);
  for (size_t i = 0; good && i < num; i++) {
    struct member *m = &members[i];
    good = d.samples > 0 ? take_surplus(s, m, &x)
                         : m->left == 0 || add_row(s, m->thread->thread, p->not_sampled, m->left);
  }
  free(x.rows);
  return good;
}

static size_t num_in_pool(const struct member *members, size_t num) {
  size_t n = 1;
  while (n < num && members[n].pool == members[0].pool) n++;
  return n;
}

/* The threads without enough samples; gives their number. */
static size_t gather(struct pooling *p, bool *failed) {
  struct spread *s = p->spread;
  size_t num = 0;
  for (size_t i = 0; i < s->num_threads; i++) {
    const struct spread_thread *thread = &s->threads[i];
    if (thread->samples >= SPREAD_ENOUGH) {
      divide_alone(s, thread);
    } else {
      uint64_t pool = pool_of(p->names, thread->thread, failed);
      p->members[num++] = (struct member){.pool = pool, .thread = thread};
    }
  }
  if (num > 0) qsort(p->members, num, sizeof *p->members, by_pool);
  return num;
}

static bool divide(struct pooling *p) {
  bool failed = false;
  size_t num = gather(p, &failed);
  for (size_t at = 0; !failed && at < num;) {
    size_t n = num_in_pool(p->members + at, num - at);
    failed = !divide_pool(p, p->members + at, n);
    at += n;
  }
  return !failed;
}

bool spread_end(struct spread *s, struct stacks *stacks, const struct threads *threads) {
  struct pooling p = {.spread = s, .names = threads};
  hashmap_free(&s->ids); /* its rows are about to move */
  if (s->num > 0) qsort(s->rows, s->num, sizeof *s->rows, by_thread);
  s->num_sampled = s->num;
  p.members = calloc(s->num_threads + 1, sizeof *p.members);
  bool good = p.members != NULL &&
              stacks_with_leaf(stacks, 0, PSEUDO_NOT_SAMPLED, &p.not_sampled) && divide(&p);
  free(p.members);
  return good;
}

void spread_free(struct spread *s) {
  hashmap_free(&s->ids);
  hashmap_free(&s->thread_ids);
  free(s->rows);
  free(s->threads);
  *s = (struct spread){0};
}
