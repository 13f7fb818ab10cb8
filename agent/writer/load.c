#include "agent/writer/load.h"

#include "agent/base/clock.h"
#include "agent/files/output.h"

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
