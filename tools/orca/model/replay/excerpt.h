#pragma once
/* A bounded selection of the events that match the filter. If the recording has few events, it
   contains all of them. Otherwise it contains:
   - pairs that took long;
   - the beginning and end of threads, unless they are too many;
   - all events around given moments, as many moments as there is room for.
   Whatever the excerpt says that it contains, it contains from the beginning to the end.
   Call excerpt_start, excerpt_add_moment for each moment, excerpt_take for each step of a replay,
   and excerpt_end. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

struct excerpt_row {
  ticks_t time;
  enum event_kind kind;
  uint32_t thread, object, owner;
  stack_id_t stack;
  bool has_took; /* the event begins or ends a pair */
  ticks_t took;  /* duration of the pair */
};

#define EXCERPT_MOMENTS 32

/* All zero is empty; excerpt_free frees the memory. */
struct excerpt {
  const struct matcher *matcher; /* the model's */
  struct excerpt_row *rows;      /* after excerpt_end: by time */
  size_t num, capacity;
  size_t max;    /* rows */
  bool whole;    /* the excerpt contains every event that matches */
  ticks_t least; /* otherwise: pairs that took at least this long are selected */
  bool lives;    /* otherwise: all starts and ends of threads are selected */
  struct {
    ticks_t begin, end;
  } moments[EXCERPT_MOMENTS];
  size_t num_moments;
  uint64_t events; /* that match the filter, selected or not */
};

/* excerpt_start sets the maximal number of rows. If the recording has more events, pairs that took
   less than `least` are left out. If the others are still too many, `least` becomes longer, and
   starts and ends of threads and the last moments are left out. */
void excerpt_start(struct excerpt *e, const struct model *m, size_t max, ticks_t least);

/* excerpt_add_moment adds a moment: the events from `begin` to `end` are selected. The most
   important moment comes first. More moments than EXCERPT_MOMENTS are ignored. */
void excerpt_add_moment(struct excerpt *e, ticks_t begin, ticks_t end);

/* excerpt_take takes a step of a replay of REPLAY_LINES. Returns false when memory ran out. */
bool excerpt_take(struct excerpt *e, const struct step *step);

/* excerpt_end sorts the rows by time. */
void excerpt_end(struct excerpt *e);

void excerpt_free(struct excerpt *e);

END_C
