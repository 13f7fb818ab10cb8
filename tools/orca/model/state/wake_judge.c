#include "tools/orca/model/state/wake_judge.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"

struct wake_judge_signal {
  uint64_t called, left, back, sure; /* left: of whom nothing is known so far */
  bool asked;
  size_t next; /* of a spare slot, plus one */
};

/* --- signals ------------------------------------------------------------------------------ */

static void give_back(struct wake_judge *j, size_t mark) {
  j->signals[mark - 1].next = j->spare;
  j->spare = mark;
}

size_t wake_judge_mark(struct wake_judge *j) {
  if (j->spare != 0) return j->spare;
  size_t at = rows_add(&j->signals, &j->num_signals, &j->signals_capacity, sizeof *j->signals);
  if (at != 0) give_back(j, at);
  return at;
}

void wake_judge_signal(struct wake_judge *j, uint64_t called, bool asked) {
  if (called == 0) return;
  struct wake_judge_signal *signal = &j->signals[j->spare - 1];
  j->spare = signal->next;
  *signal = (struct wake_judge_signal){.called = called, .left = called, .asked = asked};
}

/* Of those who all seem to have come for nothing one is taken to have had cause, unless it is
   certain that none had. */
static struct wake_judgement judge(const struct wake_judge_signal *s) {
  bool one_had_cause = s->back == s->called && s->sure < s->called;
  return (struct wake_judgement){s->called, s->sure, s->back - one_had_cause};
}

static void settle(struct wake_judge *j, size_t mark, struct wake_judgement *out) {
  struct wake_judge_signal *signal = &j->signals[mark - 1];
  *out = (struct wake_judgement){0};
  if (--signal->left > 0) return;
  if (signal->asked && signal->called > 0) *out = judge(signal);
  give_back(j, mark);
}

void wake_judge_tell(struct wake_judge *j, size_t mark, bool back, bool sure,
                     struct wake_judgement *out) {
  j->signals[mark - 1].back += back;
  j->signals[mark - 1].sure += sure;
  settle(j, mark, out);
}

void wake_judge_drop(struct wake_judge *j, size_t mark, struct wake_judgement *out) {
  j->signals[mark - 1].called--;
  settle(j, mark, out);
}

/* --- threads ------------------------------------------------------------------------------ */

bool wake_judge_pending(struct wake_judge *j, uint32_t thread, uint64_t what) {
  uint64_t *at = hashmap_at(&j->pending, thread);
  if (at == NULL) return false;
  j->num_pending += *at == 0;
  *at = what;
  return true;
}

uint64_t wake_judge_next(struct wake_judge *j, uint32_t thread) {
  uint64_t what = 0;
  if (j->num_pending == 0 || !hashmap_get(&j->pending, thread, &what) || what == 0) return 0;
  j->num_pending--;
  hashmap_put(&j->pending, thread, 0); /* the key is there: no memory is needed */
  return what;
}

void wake_judge_free(struct wake_judge *j) {
  hashmap_free(&j->pending);
  free(j->signals);
  *j = (struct wake_judge){0};
}
