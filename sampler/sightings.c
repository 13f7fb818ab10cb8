#include "sampler/sightings.h"

#include <stdlib.h>

#include "agent/base/memory.h"

bool sightings_add(struct sightings *l, const struct sighting *s) {
  if (l->num >= l->capacity) {
    size_t capacity = l->capacity ? 2 * l->capacity : 64;
    struct sighting *threads = memory_resize(l->threads, capacity * sizeof *threads);
    if (threads == NULL) return false;
    l->threads = threads;
    l->capacity = capacity;
  }
  uint64_t *place = hashmap_at(&l->index, s->thread);
  if (place == NULL || *place != 0) return false;
  l->threads[l->num++] = *s;
  *place = l->num;
  return true;
}

struct sighting *sightings_find(const struct sightings *l, uint32_t thread) {
  uint64_t place = 0;
  return hashmap_get(&l->index, thread, &place) && place != 0 ? &l->threads[place - 1] : NULL;
}

void sightings_free(struct sightings *l) {
  hashmap_free(&l->index);
  free(l->threads);
  *l = (struct sightings){0};
}

int64_t sighting_cpu_used(const struct sighting *before, const struct sighting *now) {
  int64_t before_ns = before == NULL ? 0 : before->cpu_ns;
  if (now->cpu_ns < 0 || before_ns < 0) return -1;
  return now->cpu_ns > before_ns ? now->cpu_ns - before_ns : 0;
}

bool sighting_has_changed(const struct sighting *before, const struct sighting *now) {
  return before == NULL || before->state != now->state || now->stack == NULL ||
         before->stack != now->stack || sighting_cpu_used(before, now) > 0;
}

/* The first row with all of its bits set decides. A suspended thread also keeps the bits of its
   other state, so SUSPENDED comes before all states of a living thread. A more specific state comes
   before a more general one. */
static const struct {
  jint bits;
  enum thread_state state;
} rows[] = {
    {JVMTI_THREAD_STATE_TERMINATED, STATE_TERMINATED},
    {JVMTI_THREAD_STATE_SUSPENDED, STATE_SUSPENDED},
    {JVMTI_THREAD_STATE_SLEEPING, STATE_SLEEPING},
    {JVMTI_THREAD_STATE_PARKED | JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT, STATE_TIMED_PARKED},
    {JVMTI_THREAD_STATE_PARKED, STATE_PARKED},
    {JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER, STATE_BLOCKED},
    {JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT, STATE_TIMED_WAITING},
    {JVMTI_THREAD_STATE_WAITING, STATE_WAITING},
    {JVMTI_THREAD_STATE_RUNNABLE | JVMTI_THREAD_STATE_IN_NATIVE, STATE_NATIVE},
};

enum thread_state sighting_state(jint jvmti_state) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if ((jvmti_state & rows[i].bits) == rows[i].bits) return rows[i].state;
  }
  return STATE_RUNNABLE;
}
