#include "agent/record/stall.h"

#include "agent/base/clock.h"

void stall_reset(struct stall *s, uint64_t patience_ns) {
  __atomic_store_n(&s->patience_ns, patience_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&s->is_on, false, __ATOMIC_RELAXED);
  __atomic_store_n(&s->is_reported, false, __ATOMIC_RELAXED);
  stall_set_lacks_files(s, false);
}

static uint64_t get_patience_ns(const struct stall *s) {
  return __atomic_load_n(&s->patience_ns, __ATOMIC_RELAXED);
}

void stall_limit_patience(struct stall *s, uint64_t limit_ns) {
  uint64_t patience_ns = get_patience_ns(s);
  if (patience_ns == 0 || patience_ns > limit_ns)
    __atomic_store_n(&s->patience_ns, limit_ns, __ATOMIC_RELAXED);
}

bool stall_enter_device(struct stall *s) {
  if (__atomic_load_n(&s->since_ns, __ATOMIC_RELAXED) != 0) return false;
  __atomic_store_n(&s->since_ns, clock_monotonic_ns(), __ATOMIC_RELAXED);
  return true;
}

void stall_leave_device(struct stall *s, bool entered) {
  if (entered) __atomic_store_n(&s->since_ns, 0, __ATOMIC_RELAXED);
}

uint64_t stall_device_ns(const struct stall *s) {
  uint64_t since_ns = __atomic_load_n(&s->since_ns, __ATOMIC_RELAXED), now = clock_monotonic_ns();
  return since_ns == 0 || now < since_ns ? 0 : now - since_ns;
}

bool stall_begin(struct stall *s) {
  return !__atomic_exchange_n(&s->is_on, true, __ATOMIC_RELAXED);
}

void stall_end(struct stall *s) {
  if (stall_is_on(s)) __atomic_store_n(&s->is_on, false, __ATOMIC_RELAXED);
}

void stall_set_lacks_files(struct stall *s, bool lacks_files) {
  __atomic_store_n(&s->lacks_files, lacks_files, __ATOMIC_RELAXED);
}

bool stall_is_over_patience(const struct stall *s, uint64_t waited_ns) {
  uint64_t patience_ns = get_patience_ns(s);
  return patience_ns != 0 && waited_ns >= patience_ns;
}

bool stall_claim_report(struct stall *s) {
  return !__atomic_exchange_n(&s->is_reported, true, __ATOMIC_RELAXED);
}
