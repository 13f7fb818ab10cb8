#include "agent/writer/short_threads.h"

#include <stdlib.h>

#include "agent/base/hashmap.h"
#include "agent/base/memory.h"
#include "agent/record/blocked.h"

#define SLOTS (SHORT_THREADS_MAX_HELD * 2) /* a power of two */
#define BUCKETS 4096

/* The number of a record, counted from 1. It is in the slot `number` modulo SLOTS. */
typedef uint64_t number_t;

struct held {
  struct record event;
  number_t older; /* of a start that is open: the next one of its bucket; 0: none */
  bool is_open;   /* the start of a thread that may still be left out */
  bool is_left_out;
};

struct short_threads {
  number_t next, end;       /* the first record that is held back, and the one after the last */
  number_t newest[BUCKETS]; /* the newest open start of each bucket; 0: none */
  struct hashmap named;     /* thread -> 1: a line of another file names it; 0: it has ended */
  size_t num_named;         /* those with 1 */
  uint64_t left_out;
  struct held slots[SLOTS];
};

struct short_threads *short_threads_new(void) {
  struct short_threads *s = memory_new_zeroed(1, sizeof *s);
  if (s != NULL) s->next = s->end = 1;
  return s;
}

static struct held *get_held(struct short_threads *s, number_t number) {
  return &s->slots[number % SLOTS];
}

void short_threads_free(struct short_threads *s) {
  if (s == NULL) return;
  for (number_t n = s->next; n < s->end; n++) {
    if (!get_held(s, n)->is_left_out) record_release(&get_held(s, n)->event);
  }
  hashmap_free(&s->named);
  free(s);
}

/* --- open starts ----------------------------------------------------------------------------- */

/* Mixes the hash, since no JVM makes all of its bits random. */
static number_t *find_bucket(struct short_threads *s, uint32_t thread) {
  return &s->newest[thread * 0x9E3779B9u >> 20];
}

/* Returns the link to the open start of a thread, or a link that is 0. */
static number_t *find_start(struct short_threads *s, uint32_t thread) {
  number_t *link = find_bucket(s, thread);
  while (*link != 0 && get_held(s, *link)->event.thread != thread)
    link = &get_held(s, *link)->older;
  return link;
}

/* Closes the open start that `*link` names: it is not open any more. */
static void close_start(struct short_threads *s, number_t *link) {
  struct held *start = get_held(s, *link);
  *link = start->older;
  start->is_open = false;
}

static void name_thread(struct short_threads *s, uint32_t thread) {
  number_t *link = find_start(s, thread);
  if (thread != 0 && *link != 0) close_start(s, link);
}

static void name_all(struct short_threads *s, const struct record *event) {
  enum event_shape shape = event_infos[event->event].shape;
  name_thread(s, event->thread);
  name_thread(s, event->object);
  if (!shape_has_owner(shape)) return;
  name_thread(s, event->owner);
  if (event->u.blocked != NULL) name_thread(s, blocked_owner(event->u.blocked));
}

/* --- threads that lines of other files name --------------------------------------------------- */

/* Without memory the thread may be left out all the same. */
void short_threads_name(struct short_threads *s, uint32_t thread) {
  uint64_t *value = hashmap_at(&s->named, thread);
  if (value != NULL && *value == 0) s->num_named++;
  if (value != NULL) *value = 1;
}

static bool is_named(const struct short_threads *s, uint32_t thread) {
  uint64_t value = 0;
  return s->num_named > 0 && hashmap_get(&s->named, thread, &value) && value != 0;
}

/* A hashmap cannot remove keys, so it is freed from time to time. */
static void forget_name(struct short_threads *s, uint32_t thread) {
  if (!is_named(s, thread)) return;
  hashmap_put(&s->named, thread, 0);
  if (--s->num_named == 0) hashmap_free(&s->named);
}

/* --- adding and returning events ------------------------------------------------------------- */

static void append(struct short_threads *s, const struct record *event, bool is_open) {
  struct held *held = get_held(s, s->end);
  *held = (struct held){.event = *event, .is_open = is_open};
  if (is_open) {
    number_t *newest = find_bucket(s, event->thread);
    held->older = *newest;
    *newest = s->end;
  }
  s->end++;
}

/* Leaves out a thread that ends, if its start is still open. */
static bool leave_out(struct short_threads *s, const struct record *end) {
  number_t *link = find_start(s, end->thread);
  if (*link == 0 || is_named(s, end->thread)) return false;
  struct held *start = get_held(s, *link);
  close_start(s, link);
  start->is_left_out = true;
  record_release(&start->event);
  record_release(end);
  s->left_out++;
  return true;
}

void short_threads_add(struct short_threads *s, const struct record *event) {
  bool is_virtual = event->state == RECORD_VIRTUAL;
  bool begins = is_virtual && event->event == EVENT_THREAD_STARTED;
  bool ends = is_virtual && event->event == EVENT_THREAD_ENDED;
  if (ends && leave_out(s, event)) return;
  if (ends) forget_name(s, event->thread);
  name_all(s, event); /* also an older thread with the same hash */
  append(s, event, begins);
}

bool short_threads_next(struct short_threads *s, uint64_t before_ns, struct record *out) {
  while (s->next < s->end && get_held(s, s->next)->is_left_out) s->next++;
  if (s->next == s->end) return false;
  struct held *first = get_held(s, s->next);
  bool is_decided = !first->is_open || first->event.time_ns < before_ns;
  if (!is_decided && s->end - s->next <= SHORT_THREADS_MAX_HELD) return false;
  if (first->is_open) name_thread(s, first->event.thread);
  *out = first->event;
  s->next++;
  return true;
}

bool short_threads_is_empty(const struct short_threads *s) {
  number_t n = s->next;
  while (n < s->end && s->slots[n % SLOTS].is_left_out) n++;
  return n == s->end;
}

uint64_t short_threads_left_out(const struct short_threads *s) { return s->left_out; }
