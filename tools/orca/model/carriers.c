#include "tools/orca/model/carriers.h"

#include "tools/orca/model/model.h"

size_t carriers_count_unbegun(const struct carriers *c, ticks_t until, ticks_t *out_first) {
  struct hashmap_slot slot;
  size_t num = 0;
  for (size_t cursor = 0; hashmap_next(&c->unbegun, &cursor, &slot);) {
    if (slot.value == 0 || slot.value > until) continue;
    if (num++ == 0 || slot.value < *out_first) *out_first = slot.value;
  }
  return num;
}

uint32_t carriers_unbegun_of(const struct carriers *c, ticks_t until, uint32_t starter) {
  struct hashmap_slot slot;
  uint64_t by;
  for (size_t cursor = 0; hashmap_next(&c->unbegun, &cursor, &slot);) {
    bool is_unbegun = slot.value != 0 && slot.value <= until;
    if (is_unbegun && hashmap_get(&c->starters, slot.key, &by) && by == starter)
      return (uint32_t)slot.key;
  }
  return 0;
}

bool carriers_is_pinned(const struct carriers *c, const struct pair *call) {
  uint64_t time = 0;
  return call->open && hashmap_get(&c->pinned, call->thread, &time) && time >= call->begin;
}

void carriers_free(struct carriers *c) {
  hashmap_free(&c->unbegun);
  hashmap_free(&c->starters);
  hashmap_free(&c->pinned);
  *c = (struct carriers){0};
}

/* --- the analysis --------------------------------------------------------------------------- */

static bool is_carrier_event(enum event_kind kind) {
  return kind == EVENT_THREAD_START || kind == EVENT_THREAD_STARTED || kind == EVENT_THREAD_PINNED;
}

static bool take_line(void *arg, const struct step *step) {
  struct model *m = arg;
  struct carriers *c = &m->carriers;
  const struct event_line *line = step->event;
  uint64_t started;
  if (line->kind == EVENT_THREAD_PINNED) return hashmap_put(&c->pinned, line->thread, step->time);
  if (line->kind == EVENT_THREAD_START) {
    return !has_carrier(m->dump, line->object) ||
           (hashmap_put(&c->unbegun, line->object, step->time) &&
            hashmap_put(&c->starters, line->object, line->thread));
  }
  if (!hashmap_get(&c->unbegun, line->thread, &started)) return true;
  c->begun = step->time;
  return hashmap_put(&c->unbegun, line->thread, 0);
}

const struct analysis analysis_carriers = {
    .listener = {"carriers", PASS_EVENTS, is_carrier_event, .take = take_line}};
