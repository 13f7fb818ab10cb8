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

/* The threads that lines of other files name. */
struct names {
  struct hashmap threads; /* thread -> 1 */
  uint64_t last_ns;       /* time of the last line */
};

struct short_threads {
  number_t next, end;         /* the first record that is held back, and the one after the last */
  number_t newest[BUCKETS];   /* the newest open start of each bucket; 0: none */
  struct names recent, older; /* see short_threads_name */
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
  hashmap_free(&s->recent.threads);
  hashmap_free(&s->older.threads);
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
void short_threads_name(struct short_threads *s, uint32_t thread, uint64_t time_ns) {
  hashmap_put(&s->recent.threads, thread, 1);
  s->recent.last_ns = time_ns;
}

static bool is_named(const struct short_threads *s, uint32_t thread) {
  uint64_t value;
  return hashmap_get(&s->recent.threads, thread, &value) ||
         hashmap_get(&s->older.threads, thread, &value);
}

/* A thread that was named before this time began before it, so nothing asks for it any more. A
   hashmap cannot remove keys, so there are two, of which the older one is freed. */
static void forget_names(struct short_threads *s, uint64_t before_ns) {
  if (hashmap_size(&s->recent.threads) == 0 || before_ns <= s->older.last_ns) return;
  hashmap_free(&s->older.threads);
  s->older = s->recent;
  s->recent = (struct names){0};
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

/* A second start is of another thread with the same hash, or announces the thread again. Whose end
   comes first is not known, so both are written. */
static bool may_be_left_out(struct short_threads *s, const struct record *start) {
  return start->thread != 0 && *find_start(s, start->thread) == 0;
}

void short_threads_add(struct short_threads *s, const struct record *event) {
  bool is_virtual = event->state == RECORD_VIRTUAL;
  bool begins = is_virtual && event->event == EVENT_THREAD_STARTED && may_be_left_out(s, event);
  bool ends = is_virtual && event->event == EVENT_THREAD_ENDED;
  if (ends && leave_out(s, event)) return;
  name_all(s, event);
  append(s, event, begins);
}

bool short_threads_next(struct short_threads *s, uint64_t before_ns, struct record *out) {
  forget_names(s, before_ns);
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
