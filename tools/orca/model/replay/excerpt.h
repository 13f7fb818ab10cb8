#pragma once
/* A bounded part of the events that are asked for: all of them where they are few; else the pairs
   that took longest, the lives of threads, and everything around the moments that are named. First
   the moments, then the steps of a replay, then excerpt_end. */
#include "tools/orca/model/replay/replay.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An event; that which ends a pair knows how long it took, and so does the one that began it. */
struct excerpt_row {
  ticks_t time;
  enum event_kind kind;
  uint32_t thread, object, owner;
  stack_id_t stack;
  bool has_took;
  ticks_t took;
};

#define EXCERPT_MOMENTS 32

/* All zero is empty; excerpt_free gives the memory back. */
struct excerpt {
  const struct matcher *matcher; /* that of the model */
  struct excerpt_row *rows;
  size_t num, capacity;
  size_t max;
  bool whole;    /* every event has its row */
  ticks_t least; /* else: pairs from this time on are kept wherever they are */
  struct {
    ticks_t begin, end;
  } moments[EXCERPT_MOMENTS];
  size_t num_moments;
  uint64_t events; /* that are asked for */
};

/* excerpt_start sets the bound and, for a dump of more events, the pairs that are kept: those that
   took `least` at least. */
void excerpt_start(struct excerpt *e, const struct model *m, size_t max, ticks_t least);

/* excerpt_around names a moment; more than EXCERPT_MOMENTS are ignored. */
void excerpt_around(struct excerpt *e, ticks_t begin, ticks_t end);

/* excerpt_take takes a step. False: memory ran out. */
bool excerpt_take(struct excerpt *e, const struct step *step);

/* excerpt_end sorts by time. */
void excerpt_end(struct excerpt *e);

void excerpt_free(struct excerpt *e);

#ifdef __cplusplus
}
#endif
