/* Threads of one place that become more and more. */
#include <string.h>

#include "tools/orca/answer/find.h"
#include "tools/orca/model/names.h"

#define LEAST_THREADS 100
/* In percent. */
#define LEAST_ALIVE 90
#define LEAST_SPAN 50 /* of the recording: a pool that fills at the beginning does not grow */
#define LEAST_LATE 25 /* of the threads: started in the second half of the recording */
#define LEAST_SAME 90 /* of the threads: they wait in the same call */

/* The threads that one place started. */
struct crowd {
  place_t place;
  uint64_t started, alive, late;
  ticks_t first, last, lived;
};

static bool is_in_crowd(const struct model *m, const struct thread *row, place_t place) {
  return threads_started_at(&m->threads, row->hash) == place && !has_carrier(m->dump, row->hash);
}

/* Returns the place that started most threads; 0: there is none. */
static place_t find_place(const struct finder *f) {
  const struct threads *t = &f->m->threads;
  struct tally places = {0};
  bool good = true;
  for (size_t i = 0; good && i < t->num; i++) {
    place_t place = threads_started_at(t, t->rows[i].hash);
    bool counts = place != 0 && !has_carrier(f->m->dump, t->rows[i].hash);
    if (counts) good = tally_add(&places, 0, place, 1, 1);
  }
  tally_sort(&places);
  place_t most = tally_best(&places, 0);
  f->out->failed |= !good;
  tally_free(&places);
  return most;
}

static struct crowd gather_crowd(const struct model *m, place_t place) {
  struct crowd c = {.place = place};
  ticks_t half = m->recording.from + recording_time(&m->recording) / 2;
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *row = &m->threads.rows[i];
    if (!is_in_crowd(m, row, place)) continue;
    if (c.started == 0 || row->first < c.first) c.first = row->first;
    if (row->first > c.last) c.last = row->first;
    c.started++;
    c.alive += row->alive;
    c.late += row->first > half;
    c.lived += row->last - row->first;
  }
  return c;
}

static bool grows(const struct model *m, const struct crowd *c) {
  return c->started >= LEAST_THREADS && c->alive * 100 >= c->started * LEAST_ALIVE &&
         c->late * 100 >= c->started * LEAST_LATE &&
         (c->last - c->first) * 100 >= recording_time(&m->recording) * LEAST_SPAN;
}

/* --- the name -------------------------------------------------------------------------------- */

#define MOST_NUMBERS 8

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *skip_number(const char *at) {
  while (is_digit(*at)) at++;
  return at;
}

/* Notes which numbers of two names differ. Returns whether the names are equal except for them. */
static bool compare_names(const char *a, const char *b, bool differs[MOST_NUMBERS]) {
  for (size_t num = 0; *a != '\0' && *b != '\0';) {
    if (!is_digit(*a) || !is_digit(*b)) {
      if (*a++ != *b++) return false;
      continue;
    }
    const char *end = skip_number(a), *other_end = skip_number(b);
    size_t len = (size_t)(end - a), other_len = (size_t)(other_end - b);
    if (num == MOST_NUMBERS) return false;
    differs[num++] |= len != other_len || memcmp(a, b, len) != 0;
    a = end;
    b = other_end;
  }
  return *a == '\0' && *b == '\0';
}

/* Returns "pool-N-thread-1"; NULL: the names have nothing in common. */
static const char *name_crowd(const struct finder *f, place_t place) {
  const struct threads *t = &f->m->threads;
  bool differs[MOST_NUMBERS] = {false};
  const char *first = NULL;
  struct builder b = {0};
  for (size_t i = 0; i < t->num; i++) {
    if (!is_in_crowd(f->m, &t->rows[i], place)) continue;
    const char *name = t->rows[i].name;
    if (name == NULL || name[0] == '\0') return NULL;
    if (first == NULL) first = name;
    if (!compare_names(first, name, differs)) return NULL;
  }
  size_t num = 0;
  for (const char *at = first; at != NULL && *at != '\0';) {
    const char *end = is_digit(*at) ? skip_number(at) : at + 1;
    bool is_variable = is_digit(*at) && num < MOST_NUMBERS && differs[num];
    num += is_digit(*at);
    if (is_variable) {
      builder_char(&b, 'N');
    } else {
      builder_bytes(&b, at, (size_t)(end - at));
    }
    at = end;
  }
  return findings_text(f->out, &b);
}

/* --- what they do ---------------------------------------------------------------------------- */

/* Sets the call in which nearly all living threads are when the recording ends. */
static void add_call(const struct finder *f, const struct crowd *c, struct found_growth *out) {
  const struct model *m = f->m;
  struct tally calls = {0};
  struct pair pair, last[NUM_EVENTS] = {{0}};
  bool matches, good = true;
  for (size_t cursor = 0; good && model_next_open(m, &cursor, &pair, &matches);) {
    if (!matches || threads_started_at(&m->threads, pair.thread) != c->place) continue;
    last[pair.kind] = pair;
    good = tally_add(&calls, 0, pair.kind, 1, 1);
  }
  tally_sort(&calls);
  size_t num;
  const struct tally_row *rows = tally_of(&calls, 0, &num);
  if (num > 0 && rows[0].total * 100 >= c->alive * LEAST_SAME) {
    const char *call = name_call(f, (int)rows[0].key, last[rows[0].key].stack);
    out->call = call;
    out->sleeps = rows[0].key == EVENT_THREAD_SLEEP;
    out->parked = rows[0].key == EVENT_THREAD_PARK;
  }
  f->out->failed |= !good;
  tally_free(&calls);
}

void find_growth(const struct finder *f) {
  const struct model *m = f->m;
  place_t place = m->threads.clock.lossy ? 0 : find_place(f);
  if (place == 0) return;
  struct crowd c = gather_crowd(m, place);
  if (!grows(m, &c)) return;
  struct found_growth out = {.name = name_crowd(f, place),
                             .started = c.started,
                             .alive = c.alive,
                             .span = found_ns(c.last - c.first),
                             .place = name_place(f, place)};
  add_call(f, &c, &out);
  FINDINGS_ADD(f->out, growth, c.lived, &out);
}
