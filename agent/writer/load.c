#include "agent/writer/load.h"

#include "agent/base/clock.h"
#include "agent/files/output.h"

/* --- the last seconds --------------------------------------------------------------------- */

void rates_init(struct rates *r) { pthread_mutex_init(&r->lock, NULL); }

void rates_begin(struct rates *r, uint64_t now_ns) {
  pthread_mutex_lock(&r->lock);
  r->last = r->looks[0] = (struct rates_look){.time_ns = now_ns};
  r->num = 1;
  pthread_mutex_unlock(&r->lock);
}

void rates_note(struct rates *r, const struct rates_look *totals) {
  pthread_mutex_lock(&r->lock);
  const struct rates_look *newest = &r->looks[(r->num - 1) % RATES_LOOKS];
  bool is_new = r->num == 0 || totals->time_ns >= newest->time_ns + NS_PER_S;
  if (is_new) r->looks[r->num++ % RATES_LOOKS] = *totals;
  r->last = *totals;
  pthread_mutex_unlock(&r->lock);
}

/* Returns the newest look before the window, or else the oldest one. */
static const struct rates_look *find_begin(const struct rates *r, uint64_t now_ns) {
  unsigned kept = r->num < RATES_LOOKS ? r->num : RATES_LOOKS;
  const struct rates_look *found = NULL;
  for (unsigned back = 1; back <= kept; back++) {
    found = &r->looks[(r->num - back) % RATES_LOOKS];
    if (now_ns >= found->time_ns + RATES_WINDOW_NS) break;
  }
  return found;
}

struct rates_span rates_read(struct rates *r, uint64_t now_ns) {
  struct rates_span span = {0, 0, 0, 0};
  pthread_mutex_lock(&r->lock);
  const struct rates_look *begin = find_begin(r, now_ns);
  if (begin != NULL && now_ns > begin->time_ns) {
    span = (struct rates_span){now_ns - begin->time_ns, r->last.events - begin->events,
                               r->last.samples - begin->samples, r->last.bytes - begin->bytes};
  }
  pthread_mutex_unlock(&r->lock);
  return span;
}

/* --- a recording ------------------------------------------------------------------------- */

void load_init(struct load *l) {
  *l = (struct load){0};
  rates_init(&l->rates);
}

void load_begin(struct load *l) {
  rates_begin(&l->rates, clock_monotonic_ns());
  l->bytes = l->counted_set.number = 0;
  l->counted_set.size = 0;
}

/* --- tables ----------------------------------------------------------------------------- */

static void publish_size(struct load *l, enum writer_table table, size_t entries, size_t bytes) {
  __atomic_store_n(&l->sizes[table].entries, entries, __ATOMIC_RELAXED);
  __atomic_store_n(&l->sizes[table].bytes, bytes, __ATOMIC_RELAXED);
}

void load_publish_tables(struct load *l, const struct output *output) {
  const struct definitions *d = &output->definitions;
  const struct carryover *c = &output->carryover;
  publish_size(l, WRITER_CLASSES, hashmap_size(&d->classes),
               d->class_bytes + hashmap_bytes(&d->classes));
  publish_size(l, WRITER_METHODS, hashmap_size(&d->methods),
               d->method_bytes + hashmap_bytes(&d->methods));
  publish_size(l, WRITER_OBJECTS, d->num_objects,
               d->capacity * sizeof *d->objects + hashmap_bytes(&d->by_hash));
  publish_size(l, WRITER_THREADS, carryover_count(c),
               c->capacity * sizeof *c->threads + hashmap_bytes(&c->by_hash));
}

struct table_size load_read_table(const struct load *l, enum writer_table table) {
  return (struct table_size){__atomic_load_n(&l->sizes[table].entries, __ATOMIC_RELAXED),
                             __atomic_load_n(&l->sizes[table].bytes, __ATOMIC_RELAXED)};
}

/* --- files ------------------------------------------------------------------------------ */

static uint64_t count_current_bytes(const struct output *output) {
  uint64_t bytes = 0;
  for (int i = 0; i < NUM_FILES; i++) bytes += output->files[i].size;
  return bytes;
}

/* Counts what was written since the last call: by the sets that have ended since, and the current
   one. */
static void count_bytes(struct load *l, const struct output *output) {
  const struct rotation *r = &output->rotation;
  uint64_t size = count_current_bytes(output), before = l->counted_set.size;
  for (size_t i = 0; r->number != l->counted_set.number && i < r->num_finished; i++) {
    if (r->finished[i].number < l->counted_set.number) continue;
    bool is_counted = r->finished[i].number == l->counted_set.number;
    l->bytes += r->finished[i].bytes - (is_counted ? before : 0);
  }
  if (r->number != l->counted_set.number) before = 0;
  l->bytes += size > before ? size - before : 0;
  l->counted_set.number = r->number;
  l->counted_set.size = size;
}

void load_publish(struct load *l, const struct output *output, uint64_t kept) {
  const struct rotation *r = &output->rotation;
  uint64_t bytes = count_current_bytes(output);
  for (size_t i = 0; i < r->num_finished; i++) bytes += r->finished[i].bytes;
  __atomic_store_n(&l->now.disk_bytes, bytes, __ATOMIC_RELAXED);
  __atomic_store_n(&l->now.sets, r->num_finished + 1, __ATOMIC_RELAXED);
  __atomic_store_n(&l->now.kept, kept, __ATOMIC_RELAXED);
  __atomic_store_n(&l->now.sets_delayed, r->failures, __ATOMIC_RELAXED);
  count_bytes(l, output);
  struct rates_look totals = {clock_monotonic_ns(), output->events, output->samples, l->bytes};
  rates_note(&l->rates, &totals);
  load_publish_tables(l, output);
}

struct writer_load load_read(struct load *l) {
  return (struct writer_load){
      .recent = rates_read(&l->rates, clock_monotonic_ns()),
      .disk_bytes = __atomic_load_n(&l->now.disk_bytes, __ATOMIC_RELAXED),
      .sets = __atomic_load_n(&l->now.sets, __ATOMIC_RELAXED),
      .kept = __atomic_load_n(&l->now.kept, __ATOMIC_RELAXED),
      .sets_delayed = __atomic_load_n(&l->now.sets_delayed, __ATOMIC_RELAXED)};
}
