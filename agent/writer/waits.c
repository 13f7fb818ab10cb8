#include "agent/writer/waits.h"

#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/event/meaning.h"

#define BUCKETS 4096

/* The number of a call, from 1; 0: none. */
typedef uint32_t number_t;

/* A call whose begin event was written, and whose end event was not. */
struct open {
  uint32_t thread, object;
  enum event_kind kind; /* of the begin event */
  number_t older;       /* call of the same bucket of threads; for an unused one, the next unused */
  number_t older_on_object; /* call of the same bucket of objects */
};

struct waits {
  number_t by_thread[BUCKETS], by_object[BUCKETS]; /* the newest call */
  struct open calls[WAITS_MAX_OPEN + 1];
  number_t num_used; /* calls that were ever used */
  number_t unused;
  uint64_t untracked; /* begins that found no room, or came before */
  uint64_t left_out;
};

struct waits *waits_new(bool knows_all) {
  struct waits *w = memory_new_zeroed(1, sizeof *w);
  if (w != NULL) w->untracked = knows_all ? 0 : 1;
  return w;
}

void waits_free(struct waits *w) { free(w); }

/* Mixes the hash, since no JVM makes all of its bits random. */
static uint32_t find_bucket(uint32_t hash) { return hash * 0x9E3779B9u >> 20; }

static number_t take_unused(struct waits *w) {
  number_t at = w->unused;
  if (at != 0) w->unused = w->calls[at].older;
  if (at == 0 && w->num_used < WAITS_MAX_OPEN) at = ++w->num_used;
  return at;
}

static void begin(struct waits *w, const struct record *event) {
  number_t at = take_unused(w);
  number_t *thread = &w->by_thread[find_bucket(event->thread)];
  number_t *object = &w->by_object[find_bucket(event->object)];
  if (at == 0) {
    w->untracked++;
    return;
  }
  w->calls[at] =
      (struct open){event->thread, event->object, (enum event_kind)event->event, *thread, *object};
  *thread = *object = at;
}

/* Removes the call that `*link` names, a link of its bucket of threads. */
static void remove_call(struct waits *w, number_t *link) {
  number_t at = *link;
  struct open *call = &w->calls[at];
  number_t *other = &w->by_object[find_bucket(call->object)];
  while (*other != at) other = &w->calls[*other].older_on_object;
  *other = call->older_on_object;
  *link = call->older;
  call->older = w->unused;
  w->unused = at;
}

/* Returns whether `hash` is a thread in a call, or the object of one. */
static bool is_waited_on(const struct waits *w, uint32_t hash) {
  number_t at = w->by_object[find_bucket(hash)];
  while (at != 0 && w->calls[at].object != hash) at = w->calls[at].older_on_object;
  if (at != 0) return true;
  at = w->by_thread[find_bucket(hash)];
  while (at != 0 && w->calls[at].thread != hash) at = w->calls[at].older;
  return at != 0;
}

/* Removes the newest call of this thread and kind, and those inside of it, whose ends were lost.
   NUM_EVENTS: all calls of the thread. */
static void end(struct waits *w, uint32_t thread, enum event_kind kind) {
  number_t *first = &w->by_thread[find_bucket(thread)], *link = first;
  bool is_found = kind == NUM_EVENTS;
  for (number_t at = *first; at != 0 && !is_found; at = w->calls[at].older)
    is_found = w->calls[at].thread == thread && w->calls[at].kind == kind;
  while (is_found && *link != 0) {
    const struct open *call = &w->calls[*link];
    if (call->thread != thread) {
      link = &w->calls[*link].older;
      continue;
    }
    bool is_last = call->kind == kind;
    remove_call(w, link);
    if (is_last) return;
  }
}

bool waits_wants(struct waits *w, const struct record *event) {
  enum event_kind kind = (enum event_kind)event->event;
  bool is_wait = event_infos[kind].group != GROUP_MONITOR;
  if (is_wait && event_infos[kind].role == ROLE_BEGIN) begin(w, event);
  if (is_wait && event_is_end(kind)) end(w, event->thread, event_begin(kind));
  if (kind == EVENT_THREAD_ENDED) end(w, event->thread, NUM_EVENTS);
  bool is_wanted = !event_is_wake(kind) || w->untracked > 0 || is_waited_on(w, event->object);
  if (!is_wanted) w->left_out++;
  return is_wanted;
}

uint64_t waits_left_out(const struct waits *w) { return w->left_out; }
