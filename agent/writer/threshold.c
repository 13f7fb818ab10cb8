#include "agent/writer/threshold.h"

#include <stdlib.h>

#include "agent/base/hashmap.h"
#include "agent/base/memory.h"

#define BUCKET_BITS 12

/* The number of a slot; 0: none. */
typedef uint32_t slot_t;

struct slot {
  struct record event;
  slot_t earlier, later; /* in order of time; for a free slot, `later` is the next free slot */
  slot_t newer, older;   /* open begin events of the same bucket */
  bool is_open;          /* a begin event whose pair may still be shorter than the threshold */
};

struct threshold {
  uint64_t least_ns;
  struct short_lines *sums;
  slot_t first, last; /* in order of time */
  slot_t first_free;
  slot_t num_touched; /* slots that were ever used */
  size_t num_held;
  struct threshold_counts counts;
  struct hashmap older;            /* thread -> 1: it has had no pair since its older calls began */
  slot_t newest[1 << BUCKET_BITS]; /* newest open begin event of each bucket */
  struct slot slots[];
};

struct threshold *threshold_new(uint64_t least_ns, struct short_lines *sums) {
  /* Slot 0 is not used, and threshold_add exceeds the bound by one until threshold_next. */
  size_t num = THRESHOLD_MAX_HELD + 2;
  struct threshold *t = memory_new_zeroed(1, sizeof *t + num * sizeof t->slots[0]);
  if (t == NULL) return NULL;
  t->least_ns = least_ns;
  t->sums = sums;
  return t;
}

void threshold_change(struct threshold *t, uint64_t least_ns) { t->least_ns = least_ns; }

void threshold_free(struct threshold *t) {
  if (t == NULL) return;
  for (slot_t at = t->first; at != 0; at = t->slots[at].later) {
    record_release(&t->slots[at].event);
  }
  hashmap_free(&t->older);
  free(t);
}

/* --- pairs ------------------------------------------------------------------------------- */

static bool is_of_task(const struct record *event) {
  return event_has((enum event_kind)event->event, TRAIT_NAMES_TASK);
}

/* A method exit has the class of the exception in place of an object. */
static bool has_object(const struct record *event) {
  return !shape_has_outcome(event_infos[event->event].shape);
}

/* A pair here is any span of time (event_begins_span). Two threads handle a task. Both events of
   other pairs have the same struct stack, which is stricter than the same text. */
static bool is_begin_of(const struct record *begin, const struct record *end) {
  if (is_of_task(begin)) return begin->object == end->object;
  return begin->thread == end->thread && begin->stack == end->stack &&
         (begin->object == end->object || !has_object(end));
}

/* --- open begin events --------------------------------------------------------------------- */

/* The pairs of a thread are in one bucket; a task is in that of the task. Mixes the hash, since no
   JVM makes all of its bits random. */
static slot_t *find_bucket(struct threshold *t, const struct record *event) {
  uint32_t hash = is_of_task(event) ? event->object : event->thread;
  return &t->newest[hash * 0x9E3779B9u >> (32 - BUCKET_BITS)];
}

static void add_open_begin(struct threshold *t, slot_t at) {
  struct slot *s = &t->slots[at];
  slot_t *newest = find_bucket(t, &s->event);
  s->is_open = true;
  s->newer = 0;
  s->older = *newest;
  if (*newest != 0) t->slots[*newest].newer = at;
  *newest = at;
}

static void remove_open_begin(struct threshold *t, slot_t at) {
  struct slot *s = &t->slots[at];
  s->is_open = false;
  if (s->older != 0) t->slots[s->older].newer = s->newer;
  if (s->newer != 0) {
    t->slots[s->newer].older = s->older;
  } else {
    *find_bucket(t, &s->event) = s->older;
  }
}

/* --- order of time -------------------------------------------------------------------------- */

static slot_t append_event(struct threshold *t, const struct record *event) {
  slot_t at = t->first_free;
  if (at != 0) {
    t->first_free = t->slots[at].later;
  } else {
    at = ++t->num_touched;
  }
  t->slots[at] = (struct slot){.event = *event, .earlier = t->last};
  *(t->last == 0 ? &t->first : &t->slots[t->last].later) = at;
  t->last = at;
  t->num_held++;
  return at;
}

static void remove_slot(struct threshold *t, slot_t at) {
  struct slot *s = &t->slots[at];
  *(s->earlier == 0 ? &t->first : &t->slots[s->earlier].later) = s->later;
  *(s->later == 0 ? &t->last : &t->slots[s->later].earlier) = s->earlier;
  s->later = t->first_free;
  t->first_free = at;
  t->num_held--;
}

/* --- adding and returning events ------------------------------------------------------------ */

/* If the innermost begin event that matches `end` is still held back, ends the pair. Releases both
   events and returns true if the pair was shorter than the threshold. */
static bool drop_short_pair(struct threshold *t, const struct record *end, enum event_kind begin) {
  slot_t at = *find_bucket(t, end);
  while (at != 0 && !(t->slots[at].event.event == begin && is_begin_of(&t->slots[at].event, end))) {
    at = t->slots[at].older;
  }
  if (at == 0) return false; /* it was returned to the caller already */
  const struct record *event = &t->slots[at].event;
  uint64_t took_ns = end->time_ns - event->time_ns;
  remove_open_begin(t, at);
  if (took_ns >= t->least_ns) return false;
  /* Nearly every task is queued once, so a sum for each tells little, and nothing has defined it.
   */
  uint32_t object = is_of_task(event) ? 0 : event->object;
  short_lines_add(t->sums, begin, object, event->stack, took_ns);
  record_release(event);
  record_release(end);
  remove_slot(t, at);
  t->counts.pairs++;
  return true;
}

/* How long an older call has taken is not known. The first pair after it shows a reader that the
   call is over. Without memory, that pair may be left out. */
static bool must_keep_pair(struct threshold *t, const struct record *begin) {
  bool is_older = begin->state == RECORD_OLDER;
  uint64_t was_in_older = 0;
  hashmap_get(&t->older, begin->thread, &was_in_older);
  if (is_older || was_in_older) hashmap_put(&t->older, begin->thread, is_older);
  return is_older || was_in_older;
}

void threshold_add(struct threshold *t, const struct record *event) {
  enum event_kind kind = (enum event_kind)event->event, begin;
  if (event_ends_span(kind, &begin) && drop_short_pair(t, event, begin)) return;
  slot_t at = append_event(t, event);
  if (event_begins_span(kind) && !must_keep_pair(t, event)) add_open_begin(t, at);
}

bool threshold_next(struct threshold *t, uint64_t complete_ns, struct record *out) {
  const struct slot *s = &t->slots[t->first];
  if (t->first == 0) return false;
  bool is_decided = !s->is_open || s->event.time_ns + t->least_ns <= complete_ns;
  if (!is_decided && t->num_held <= THRESHOLD_MAX_HELD) return false;
  if (!is_decided) t->counts.early++;
  if (s->is_open) remove_open_begin(t, t->first);
  *out = s->event;
  remove_slot(t, t->first);
  return true;
}

uint64_t threshold_known(const struct threshold *t, uint64_t complete_ns) {
  uint64_t first_ns = t->first == 0 ? UINT64_MAX : t->slots[t->first].event.time_ns;
  return first_ns < complete_ns ? first_ns : complete_ns;
}

bool threshold_is_empty(const struct threshold *t) { return t->num_held == 0; }

struct threshold_counts threshold_counts(const struct threshold *t) {
  return t->counts;
}
