#pragma once
/* One walk over the lines of a dump. The pass reads events, samples and counts once, in the order
   of their times. It keeps the state of threads and locks. It hands each line, together with that
   state, to its listeners. A new analysis is a new listener; the model and every replay use this
   same walk. A pass and its listeners belong to one thread. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/model/short_calls.h"
#include "tools/orca/model/state/activity.h"
#include "tools/orca/model/state/open_calls.h"
#include "tools/orca/model/state/releases.h"

BEGIN_C

/* The lines that a listener takes, as bits. */
#define PASS_SAMPLE(kind) (1u << (kind)) /* a line of .samples; `kind` is an enum sample_kind */
#define PASS_EVENTS (1u << 16)
#define PASS_COUNTS (1u << 17)     /* all lines of .counts, sums of short calls included */
#define PASS_OPEN_PAIRS (1u << 18) /* at the end: each pair that never ended */
#define PASS_PAIRS (PASS_EVENTS | PASS_OPEN_PAIRS)
#define PASS_ALL_STACKS                                                                           \
  (1u << 19) /* with PASS_EVENTS: `stack` is set for all events, not only where the pass needs it \
              */

enum step_origin {
  STEP_RECORDED,
  STEP_OLDER,   /* the begin of a call that was open when the recording began (open_calls.h) */
  STEP_INFERRED /* the end of such a call: it is not in the file, and its text has no stack */
};

/* One line, or at the end one pair that never ended. Everything it points to lives until the
   listener returns. Exactly one of `event`, `sample`, `count` is set, or none for an open pair. */
struct step {
  ticks_t time;                     /* of the line */
  const struct event_line *event;   /* as in the file */
  const struct event_line *clipped; /* the same, its time moved into the range of the filter */
  const struct sample_line *sample;
  const struct count_line *count;
  stack_id_t stack; /* of the event, the sample, or the sum of short calls; 0: none. Cpu lines: with
                       its pseudo frames */
  enum activity activity;        /* of a Sample line */
  bool matches;                  /* matches the filter, apart from its time */
  bool in_time;                  /* its time is in the range of the filter */
  enum step_origin origin;       /* of `event` */
  const struct pairs *pairs;     /* of the pass, if `event` is set */
  const struct holders *holders; /* the same */
  uint32_t owner; /* of the BEGIN of a pair and of MonitorOwner: holders_owner; of ClassInitWait:
                     the initializer; else 0 */
  const struct pair *pair; /* the pair that the event ended, or that never ended; not clipped */
  const struct pair *clipped_pair; /* the same, clipped to the range of the filter */
  bool pair_counts;                /* the clipped pair matches the filter */
  const struct pair *named_pair;   /* an open pair whose owner this event is the first to name */
  bool had_to_wait;                /* of `pair`: releases_had_to_wait */
  bool released;                   /* the event released the last hold of its thread on this lock */
  ticks_t held; /* if `released`: how long the thread had held it, within the filter's range */
};

/* step_counts returns whether a line matches the filter, its time included. */
static inline bool step_counts(const struct step *step) { return step->matches && step->in_time; }

/* step_is_short_sum returns whether a line of .counts is a sum of short calls that counts. */
static inline bool step_is_short_sum(const struct step *step) {
  return is_sum_of_calls(step->count) && step_counts(step);
}

/* step_ends_wait returns whether the step ends a pair that matches the filter and had to wait. Open
   pairs end with the recording. */
static inline bool step_ends_wait(const struct step *step) {
  return step->pair != NULL && step->pair_counts && step->had_to_wait;
}

/* Each function returns false when memory ran out, which ends the pass. */
struct listener {
  const char *name;
  unsigned lines;                      /* PASS_… */
  bool (*wants)(enum event_kind kind); /* the kinds of events that it takes; NULL: all */
  /* Called before the event changes pairs and holders; NULL: not needed. Only `time`, `event`,
     `stack`, `matches`, `in_time` and `owner` are set. */
  bool (*before)(void *arg, const struct step *step);
  /* Called after that; NULL: not needed. */
  bool (*take)(void *arg, const struct step *step);
};

/* The model adds up to one for each analysis (model.c checks that). */
#define PASS_LISTENERS 24

/* The functions to call for one kind of line, in the order of the listeners. */
struct pass_calls {
  struct {
    bool (*take)(void *arg, const struct step *step);
    void *arg;
  } rows[PASS_LISTENERS];
  size_t num;
};

struct pass {
  struct dump *dump; /* this and the next two are the caller's */
  struct matcher *matcher;
  struct stacks *stacks;
  struct pairs pairs;       /* before or after the current event: see struct listener */
  struct holders holders;   /* their times are clipped to the filter's range */
  struct releases releases; /* of all locks */
  struct open_calls open_calls;
  bool cut; /* a file ended within a line */

  struct pass_calls before[NUM_EVENTS], event_calls[NUM_EVENTS];
  struct pass_calls sample_calls[NUM_SAMPLE_KINDS], count_calls, open_pair_calls;
  unsigned lines;           /* all lines that at least one listener takes */
  struct hashmap stack_ids; /* the stackID of .samples -> the id of the stack here */
  struct stream *events, *samples, *counts;
  struct event_line event; /* the next line of each file, if there is one */
  struct sample_line sample;
  struct count_line count;
  bool has_event, has_sample, has_count;
  bool has_open_calls; /* there was an OpenCall */
  bool is_open;        /* the streams are open */
};

/* pass_start prepares a pass over a dump. `stacks` receives the stacks. All three must outlive the
   pass. pass_free frees its memory. */
void pass_start(struct pass *p, struct dump *d, struct matcher *matcher, struct stacks *stacks);

/* pass_add adds a listener, at most PASS_LISTENERS. Listeners are called in the order in which they
   were added. Before pass_read. */
void pass_add(struct pass *p, const struct listener *row, void *arg);

/* pass_read reads all lines. pass_end then hands each pair that never ended to the listeners, with
   `end` as its end. False: memory ran out, or a listener returned false. */
bool pass_read(struct pass *p);
bool pass_end(struct pass *p, ticks_t end);

/* pass_advance reads the lines up to a time, of a recording that may grow: later calls go on where
   this one stopped, after dump_refresh. All lines up to that time have to be in the files, since a
   pass takes the lines of all files in the order of their times. In place of pass_read; pass_end is
   not needed. False: memory ran out, or a listener returned false. */
bool pass_advance(struct pass *p, ticks_t until);

/* pass_next_time returns the time of the first line that the last pass_advance has left;
   UINT64_MAX: it was at the end of the files. */
ticks_t pass_next_time(const struct pass *p);

void pass_free(struct pass *p);

END_C
