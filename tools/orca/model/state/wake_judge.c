#include "tools/orca/model/state/wake_judge.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"

struct judged_signal {
  uint64_t num_woken;   /* threads */
  uint64_t num_unknown; /* of them: without a reported outcome */
  uint64_t num_back, num_sure;
  bool counts; /* matches the filter */
  size_t next; /* of a free slot: the next one, plus one */
};

/* --- signals ------------------------------------------------------------------------------ */

static void free_signal(struct wake_judge *j, size_t mark) {
  j->signals[mark - 1].next = j->spare;
  j->spare = mark;
}

size_t wake_judge_next_mark(struct wake_judge *j) {
  if (j->spare != 0) return j->spare;
  size_t at = rows_add(&j->signals, &j->num_signals, &j->signals_capacity, sizeof *j->signals);
  if (at != 0) free_signal(j, at);
  return at;
}

void wake_judge_add_signal(struct wake_judge *j, uint64_t num_woken, bool counts) {
  if (num_woken == 0) return;
  struct judged_signal *signal = &j->signals[j->spare - 1];
  j->spare = signal->next;
  *signal =
      (struct judged_signal){.num_woken = num_woken, .num_unknown = num_woken, .counts = counts};
}

static void settle_thread(struct wake_judge *j, size_t mark, struct wake_judgement *out) {
  struct judged_signal *signal = &j->signals[mark - 1];
  *out = (struct wake_judgement){0};
  if (--signal->num_unknown > 0) return;
  if (signal->counts && signal->num_woken > 0) {
    /* If all threads seem to have gone back, assume that one of them had a reason to wake, unless
       all outcomes are certain. */
    bool had_reason = signal->num_back == signal->num_woken && signal->num_sure < signal->num_woken;
    *out =
        (struct wake_judgement){signal->num_woken, signal->num_sure, signal->num_back - had_reason};
  }
  free_signal(j, mark);
}

void wake_judge_report(struct wake_judge *j, size_t mark, bool is_back, bool is_sure,
                       struct wake_judgement *out) {
  j->signals[mark - 1].num_back += is_back;
  j->signals[mark - 1].num_sure += is_sure;
  settle_thread(j, mark, out);
}

void wake_judge_exclude_thread(struct wake_judge *j, size_t mark, struct wake_judgement *out) {
  j->signals[mark - 1].num_woken--;
  settle_thread(j, mark, out);
}

/* --- threads ------------------------------------------------------------------------------ */

bool wake_judge_put_thread(struct wake_judge *j, uint32_t thread, uint64_t value) {
  uint64_t *at = hashmap_at(&j->pending, thread);
  if (at == NULL) return false;
  j->num_pending += *at == 0;
  *at = value;
  return true;
}

uint64_t wake_judge_take_thread(struct wake_judge *j, uint32_t thread) {
  uint64_t value = 0;
  if (j->num_pending == 0 || !hashmap_get(&j->pending, thread, &value) || value == 0) return 0;
  j->num_pending--;
  hashmap_put(&j->pending, thread, 0); /* the key exists, so this needs no memory */
  return value;
}

void wake_judge_free(struct wake_judge *j) {
  hashmap_free(&j->pending);
  free(j->signals);
  *j = (struct wake_judge){0};
}
