#include "agent/record/suspects.h"

#include <string.h>

static bool is_in(const struct suspects *s, enum suspects_state state) {
  return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == state;
}

static void put(struct suspects *s, const uint32_t *threads, size_t num,
                enum suspects_state state) {
  s->num = num < SUSPECTS_MAX ? num : SUSPECTS_MAX;
  memcpy(s->threads, threads, s->num * sizeof *threads);
  __atomic_store_n(&s->state, state, __ATOMIC_RELEASE);
}

void suspects_init(struct suspects *s) {
  s->state = SUSPECTS_NONE;
  semaphore_init(&s->asked, 0);
}

void suspects_reset(struct suspects *s) {
  while (semaphore_try(&s->asked)) continue;
  __atomic_store_n(&s->state, SUSPECTS_NONE, __ATOMIC_RELEASE);
}

bool suspects_are_free(const struct suspects *s) {
  return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == SUSPECTS_NONE;
}

bool suspects_ask(struct suspects *s, const uint32_t *threads, size_t num, uint64_t now_ns) {
  if (!is_in(s, SUSPECTS_NONE)) return false;
  s->asked_ns = now_ns;
  put(s, threads, num, SUSPECTS_ASKED);
  semaphore_post(&s->asked);
  return true;
}

bool suspects_take(struct suspects *s, uint32_t *out, size_t *out_num, uint64_t *out_asked_ns) {
  if (!is_in(s, SUSPECTS_ANSWERED)) return false;
  memcpy(out, s->threads, s->num * sizeof *out);
  *out_num = s->num;
  *out_asked_ns = s->asked_ns;
  __atomic_store_n(&s->state, SUSPECTS_NONE, __ATOMIC_RELEASE);
  return true;
}

bool suspects_wait(struct suspects *s) {
  semaphore_wait(&s->asked, SEMAPHORE_FOREVER);
  return is_in(s, SUSPECTS_ASKED);
}

void suspects_answer(struct suspects *s, const uint32_t *ring, size_t num) {
  put(s, ring, num, SUSPECTS_ANSWERED);
}

void suspects_end(struct suspects *s) { semaphore_post(&s->asked); }
