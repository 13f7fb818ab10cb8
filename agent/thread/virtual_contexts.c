#include "agent/thread/virtual_contexts.h"

#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/thread/context.h"

void virtual_contexts_init(struct virtual_contexts *v) {
  *v = (struct virtual_contexts){0};
  for (int i = 0; i < VIRTUAL_LOCKS; i++) pthread_mutex_init(&v->locks[i], NULL);
}

static struct virtual_place *get_places(const struct virtual_contexts *v) {
  return __atomic_load_n(&v->places, __ATOMIC_ACQUIRE);
}

size_t virtual_contexts_bytes(const struct virtual_contexts *v) {
  return get_places(v) == NULL ? 0 : VIRTUAL_PLACES * sizeof(struct virtual_place);
}

/* Several threads may come here at the same time: the places of the first are kept. */
static struct virtual_place *make_places(struct virtual_contexts *v) {
  struct virtual_place *made = memory_new_zeroed(VIRTUAL_PLACES, sizeof *made), *first = NULL;
  if (made == NULL) __atomic_store_n(&v->is_incomplete, true, __ATOMIC_RELAXED);
  if (made == NULL || __atomic_compare_exchange_n(&v->places, &first, made, false, __ATOMIC_ACQ_REL,
                                                  __ATOMIC_ACQUIRE))
    return made;
  free(made);
  return first;
}

static pthread_mutex_t *find_lock(struct virtual_contexts *v, uint32_t thread) {
  return &v->locks[thread % VIRTUAL_LOCKS];
}

void virtual_contexts_add(struct virtual_contexts *v, struct context *c) {
  struct virtual_place *places = get_places(v);
  if (places == NULL) places = make_places(v);
  if (places == NULL) return;
  pthread_mutex_lock(find_lock(v, c->thread));
  places[c->thread % VIRTUAL_PLACES] = (struct virtual_place){c, true};
  pthread_mutex_unlock(find_lock(v, c->thread));
}

void virtual_contexts_remove(struct virtual_contexts *v, struct context *c) {
  struct virtual_place *places = get_places(v);
  if (places == NULL) return;
  struct virtual_place *place = &places[c->thread % VIRTUAL_PLACES];
  pthread_mutex_lock(find_lock(v, c->thread));
  if (place->context == c) place->context = NULL;
  pthread_mutex_unlock(find_lock(v, c->thread));
}

enum virtual_answer virtual_contexts_ask(struct virtual_contexts *v, uint32_t thread,
                                         void (*ask)(const struct context *c, void *arg),
                                         void *arg) {
  struct virtual_place *places = get_places(v);
  enum virtual_answer answer = VIRTUAL_NONE;
  if (__atomic_load_n(&v->is_incomplete, __ATOMIC_RELAXED)) answer = VIRTUAL_UNKNOWN;
  if (places == NULL) return answer;
  const struct virtual_place *place = &places[thread % VIRTUAL_PLACES];
  pthread_mutex_lock(find_lock(v, thread));
  if (place->was_used) answer = VIRTUAL_UNKNOWN;
  if (place->context != NULL && place->context->thread == thread) {
    answer = VIRTUAL_FOUND;
    ask(place->context, arg);
  }
  pthread_mutex_unlock(find_lock(v, thread));
  return answer;
}
