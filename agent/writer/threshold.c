#include "agent/writer/threshold.h"

#include <stdlib.h>

#include "agent/base/memory.h"

#define BUCKET_BITS 12

/* Slots are known by their number, 0 is none. */
typedef uint32_t slot_t;

struct slot {
  struct record event;
  slot_t earlier, later; /* in order of time; `later` of a spare one is the next spare one */
  slot_t newer, older;   /* open begins of the same bucket */
  bool is_open;          /* a begin of which it is not known how long it takes */
};

struct threshold {
  uint64_t least_ns;
  slot_t first, last; /* in order of time */
  slot_t spare, num_touched;
  size_t num_held;
  struct threshold_counts counts;
  slot_t newest[1 << BUCKET_BITS]; /* open begins, by thread */
  struct slot slots[];
};

struct threshold *threshold_new(uint64_t least_ns) {
  /* One more for the slot 0, one more as there is room only when the next was asked for. */
  size_t num = THRESHOLD_MAX_HELD + 2;
  struct threshold *t = memory_new_zeroed(1, sizeof *t + num * sizeof t->slots[0]);
  if (t != NULL) t->least_ns = least_ns;
  return t;
}

void threshold_free(struct threshold *t) {
  if (t == NULL) return;
  for (slot_t at = t->first; at != 0; at = t->slots[at].later) {
    record_release(&t->slots[at].event);
  }
  free(t);
}

/* --- pairs ------------------------------------------------------------------------------- */

/* Calls of methods nest and are no pairs to event.def, but each exit has its entry. */
static bool begins(enum event_kind kind) {
  return event_infos[kind].role == ROLE_BEGIN || kind == EVENT_METHOD_ENTRY;
}

static bool ends(enum event_kind kind, enum event_kind *out_begin) {
  bool is_end = event_ends(kind) || kind == EVENT_METHOD_EXIT;
  if (is_end) *out_begin = kind == EVENT_METHOD_EXIT ? EVENT_METHOD_ENTRY : event_begin(kind);
  return is_end;
}

/* A begin and its end have one stack, not only the same text. The object of an exit is what was
   thrown. */
static bool is_begin_of(const struct record *begin, const struct record *end) {
  return begin->thread == end->thread && begin->stack == end->stack &&
         (begin->object == end->object || end->event == EVENT_METHOD_EXIT);
}

/* --- open begins --------------------------------------------------------------------------- */

/* Hashes of threads are random, but in no JVM in all their bits. */
static slot_t *bucket(struct threshold *t, uint32_t thread) {
  return &t->newest[thread * 0x9E3779B9u >> (32 - BUCKET_BITS)];
}

static void open(struct threshold *t, slot_t at) {
  struct slot *s = &t->slots[at];
  slot_t *newest = bucket(t, s->event.thread);
  s->is_open = true;
  s->newer = 0;
  s->older = *newest;
  if (*newest != 0) t->slots[*newest].newer = at;
  *newest = at;
}

static void settle(struct threshold *t, slot_t at) {
  struct slot *s = &t->slots[at];
  s->is_open = false;
  if (s->older != 0) t->slots[s->older].newer = s->newer;
  if (s->newer != 0) {
    t->slots[s->newer].older = s->older;
  } else {
    *bucket(t, s->event.thread) = s->older;
  }
}

/* The innermost open begin that `end` may be the end of; 0: it was given already. */
static slot_t find_open(struct threshold *t, const struct record *end, enum event_kind begin) {
  slot_t at = *bucket(t, end->thread);
  while (at != 0 && !(t->slots[at].event.event == begin && is_begin_of(&t->slots[at].event, end))) {
    at = t->slots[at].older;
  }
  return at;
}

/* --- order of time -------------------------------------------------------------------------- */

static slot_t append(struct threshold *t, const struct record *event) {
  slot_t at = t->spare;
  if (at != 0) {
    t->spare = t->slots[at].later;
  } else {
    at = ++t->num_touched;
  }
  t->slots[at] = (struct slot){.event = *event, .earlier = t->last};
  *(t->last == 0 ? &t->first : &t->slots[t->last].later) = at;
  t->last = at;
  t->num_held++;
  return at;
}

static void take_out(struct threshold *t, slot_t at) {
  struct slot *s = &t->slots[at];
  *(s->earlier == 0 ? &t->first : &t->slots[s->earlier].later) = s->later;
  *(s->later == 0 ? &t->last : &t->slots[s->later].earlier) = s->earlier;
  s->later = t->spare;
  t->spare = at;
  t->num_held--;
}

/* --- in and out ---------------------------------------------------------------------------------
 */

/* Ends the pair whose begin is held, if it is; true where both are left out. */
static bool leave_out(struct threshold *t, const struct record *end, enum event_kind begin) {
  slot_t at = find_open(t, end, begin);
  if (at == 0) return false;
  settle(t, at);
  if (end->time_ns - t->slots[at].event.time_ns >= t->least_ns) return false;
  record_release(&t->slots[at].event);
  record_release(end);
  take_out(t, at);
  t->counts.pairs++;
  return true;
}

void threshold_add(struct threshold *t, const struct record *event) {
  enum event_kind kind = (enum event_kind)event->event, begin;
  if (ends(kind, &begin) && leave_out(t, event, begin)) return;
  slot_t at = append(t, event);
  if (begins(kind)) open(t, at);
}

bool threshold_next(struct threshold *t, uint64_t complete_ns, struct record *out) {
  const struct slot *s = &t->slots[t->first];
  if (t->first == 0) return false;
  bool known = !s->is_open || s->event.time_ns + t->least_ns <= complete_ns;
  if (!known && t->num_held <= THRESHOLD_MAX_HELD) return false;
  if (!known) t->counts.early++;
  if (s->is_open) settle(t, t->first);
  *out = s->event;
  take_out(t, t->first);
  return true;
}

bool threshold_is_empty(const struct threshold *t) { return t->num_held == 0; }

struct threshold_counts threshold_counts(const struct threshold *t) {
  return t->counts;
}
