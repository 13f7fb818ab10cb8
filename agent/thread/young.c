#include "agent/thread/young.h"

#include <stddef.h>

/* The low bits of the state. The others are the time at which the call began. */
enum mark {
  MARK_YOUNG,    /* nobody has recorded the begin */
  MARK_RECORDED, /* the watch has */
  MARK_LEAVING,  /* the thread does, and then the end */
  MARK_PREPARED, /* the time is not known yet */
  MARKS
};
#define MARK_BITS (MARKS - 1)

/* A thread that prepares and then reads the clock gets a later time than a watch that read the
   clock and then the state. Both have a full fence in between. */
void young_prepare(struct young *y) {
  __atomic_exchange_n(&y->state, MARK_PREPARED, __ATOMIC_SEQ_CST);
}

void young_begin(struct young *y, const struct young_call *call, uint64_t since_ns) {
  __atomic_store_n(&y->call.recording, call->recording, __ATOMIC_RELAXED);
  __atomic_store_n(&y->call.object, call->object, __ATOMIC_RELAXED);
  __atomic_store_n(&y->call.owner, call->owner, __ATOMIC_RELAXED);
  __atomic_store_n(&y->call.class_id, call->class_id, __ATOMIC_RELAXED);
  __atomic_store_n(&y->call.row, call->row, __ATOMIC_RELAXED);
  __atomic_store_n(&y->inside, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&y->state, since_ns, __ATOMIC_RELEASE);
}

static void change_inside(struct young *y, int32_t row, uint32_t by) {
  if (!young_is_open(y) || y->call.row != row) return;
  __atomic_store_n(&y->inside, y->inside + by, __ATOMIC_SEQ_CST);
}

void young_enter_inside(struct young *y, int32_t row) { change_inside(y, row, 1); }
void young_leave_inside(struct young *y, int32_t row) { change_inside(y, row, UINT32_MAX); }

uint32_t young_inside(const struct young *y) {
  return __atomic_load_n(&y->inside, __ATOMIC_SEQ_CST);
}

/* If the thread ends the call meanwhile and begins another one, `*out` may be mixed. Then
   young_claim fails, since the times differ. */
uint64_t young_read(const struct young *y, struct young_call *out) {
  uint64_t state = __atomic_load_n(&y->state, __ATOMIC_SEQ_CST);
  if (state == 0 || (state & MARK_BITS) == MARK_RECORDED) return YOUNG_NONE;
  if ((state & MARK_BITS) != MARK_YOUNG) return YOUNG_UNKNOWN;
  out->recording = __atomic_load_n(&y->call.recording, __ATOMIC_RELAXED);
  out->object = __atomic_load_n(&y->call.object, __ATOMIC_RELAXED);
  out->owner = __atomic_load_n(&y->call.owner, __ATOMIC_RELAXED);
  out->class_id = __atomic_load_n(&y->call.class_id, __ATOMIC_RELAXED);
  out->row = __atomic_load_n(&y->call.row, __ATOMIC_RELAXED);
  return state;
}

/* Only the watch stores the stack, and the thread reads it only in the state MARK_RECORDED. */
bool young_claim(struct young *y, uint64_t since_ns, struct stack *stack) {
  uint64_t expected = since_ns;
  __atomic_store_n(&y->stack, stack, __ATOMIC_RELAXED);
  return __atomic_compare_exchange_n(&y->state, &expected, since_ns | MARK_RECORDED, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

enum young_end young_end(struct young *y, uint64_t since_ns, bool is_long) {
  uint64_t expected = since_ns;
  uint64_t next = is_long ? since_ns | MARK_LEAVING : 0;
  if (__atomic_compare_exchange_n(&y->state, &expected, next, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return is_long ? YOUNG_ALONE : YOUNG_LEFT_OUT;
  return YOUNG_RECORDED;
}

void young_close(struct young *y) { __atomic_store_n(&y->state, 0, __ATOMIC_RELEASE); }
