#pragma once
/* What the lines of a recording contain, and so what may be concluded from a line that is there,
   and from one that is not. The options of the agent decide it, and what was lost. This is the one
   place in the reader that knows what an option means for the lines: views ask by the conclusion.

   Options may change while a recording runs. A question without a time is about all of it; one with
   `at` is about that moment. For acquisitions and releases of a lock these differ:

     releases   each acquisition and release has a line, so its holder can be known
     free       acquisitions that need not wait may have lines or be in sums
     uses       the user asked for lines of all of them (monitors=all, locks=all) */
#include "agent/base/extern_c.h"
#include "agent/base/text.h"
#include "agent/event/event.h"
#include "agent/event/meaning.h"
#include "agent/options/options.h"
#include "tools/orca/dump/arena.h"

BEGIN_C

struct dump;

/* Before `from` the value before it held, after `to` this one; in between the agent changed. */
struct option_change {
  ticks_t from, to;
  struct span cause, key, value; /* cause: "set", the name of a trigger, or "end" */
};

struct option_changes {
  struct option_change *rows; /* in order of time */
  size_t num, capacity;
};

/* Zero-initialised, it answers about losses, locks and thresholds as for a recording without
   options. What coverage_read sets otherwise, `groups`, `depth` and `has_cached_stacks`, says
   nothing then. */
struct coverage {
  struct option_changes changes;
  uint64_t threshold_ns;  /* the longest one: shorter pairs may lack lines; 0: none does */
  size_t depth;           /* a stack with so many frames may be cut; SIZE_MAX: not known */
  bool has_cached_stacks; /* the agent kept the stacks of callers; else the JVM walked each stack */
  /* The functions below answer with these. */
  struct span options;   /* of .info: their values when the recording began */
  ticks_t start;         /* 0: not known */
  struct span threshold; /* the longest one, as the user wrote it: "10ms"; empty: always 0 */
  uint32_t groups;       /* bit g is set if group g was recorded all the time */
  bool is_lossy;
  bool has_all_uses, has_all_monitors; /* always locks=all, monitors=all */
  bool counts_were_full;
};

/* coverage_add_change adds a value of the key `change` of .info, "from,to,cause,option=value"; it
   ignores any other text. The arena owns the texts. Returns false when memory ran out.
   coverage_read reads the rest from the other keys and keeps the changes. Its texts are those of
   the dump, which must outlive it. coverage_free frees the changes. */
bool coverage_add_change(struct coverage *c, struct arena *memory, struct span value);
void coverage_read(struct coverage *c, const struct dump *d);
void coverage_free(struct coverage *c);

/* These are for views that show or compare options.
   coverage_option gets the value that an option had when the recording began. Returns false if
   .info does not name it, as with an agent of an older version. coverage_constant gets the
   same value, or the default if .info names none. Returns whether the option kept it all the time.
   coverage_next_change returns the next change of the option after `before`, NULL after
   the last. Start with NULL. */
bool coverage_option(const struct coverage *c, enum option_key key, struct span *out);
bool coverage_constant(const struct coverage *c, enum option_key key, struct span *out);
const struct option_change *coverage_next_change(const struct coverage *c, enum option_key key,
                                                 const struct option_change *before);

/* --- lines that are missing ---------------------------------------------------------------- */

/* coverage_is_lossy returns whether events were dropped, so that a pair may lack one of its events.
   If .info does not tell, it returns whether they may have been: whether the option overflow is
   "drop". */
bool coverage_is_lossy(const struct coverage *c);

/* coverage_has_group returns whether events of this group were recorded all the time. Recordings
   without the option `events` contain all groups. coverage_groups_changed returns whether at times
   other groups were recorded. */
bool coverage_has_group(const struct coverage *c, enum event_group group);
bool coverage_groups_changed(const struct coverage *c);

/* coverage_has_short_pairs returns whether pairs have lines however short they are.
   coverage_has_whole_pairs: also, no pair lacks one of its events. */
bool coverage_has_short_pairs(const struct coverage *c);
bool coverage_has_whole_pairs(const struct coverage *c);

/* coverage_threshold_changed returns whether pairs of one length have lines at some times only.
   coverage_put_threshold appends the longest threshold: "10ms", or "the threshold". */
bool coverage_threshold_changed(const struct coverage *c);
void coverage_put_threshold(struct builder *b, const struct coverage *c);

/* coverage_threshold_at returns whether there is a threshold at this time, and since when. Short
   pairs may have no lines then. */
struct coverage_threshold {
  bool is_on;    /* at the time */
  ticks_t begin; /* of the last period with a threshold, up to the time; UINT64_MAX: none */
};
struct coverage_threshold coverage_threshold_at(const struct coverage *c, ticks_t at);

/* --- acquisitions and releases ------------------------------------------------------------- */

/* coverage_has_releases returns whether each acquisition and release of locks of this sort has a
   line. True for monitors: each acquisition and release of a monitor has a line, or none has. */
bool coverage_has_releases(const struct coverage *c, enum lock_sort sort);
bool coverage_has_releases_at(const struct coverage *c, enum lock_sort sort, ticks_t at);

/* coverage_may_have_free returns whether also acquisitions that need not wait may have lines at
   this time. It differs from coverage_has_releases_at only while options change. */
bool coverage_may_have_free(const struct coverage *c, enum lock_sort sort, ticks_t at);

/* coverage_had_free_before returns whether a sum of short calls that was written at this time may
   contain acquisitions that need not wait. True for semaphores; for locks of java.util.concurrent
   from the first locks=all on, because hooks change during a moment. */
bool coverage_had_free_before(const struct coverage *c, enum lock_sort sort, ticks_t at);

/* coverage_has_uses returns whether uses of locks of this sort have lines also without a wait: of
   monitors in the classes of the option filter, of other locks all. coverage_had_uses: at least at
   times. coverage_uses_option returns the option that records them, as the user writes it. */
bool coverage_has_uses(const struct coverage *c, enum lock_sort sort);
bool coverage_had_uses(const struct coverage *c, enum lock_sort sort);
const char *coverage_uses_option(enum lock_sort sort);

/* coverage_has_owners returns whether each contended acquisition of a monitor names the owner. */
bool coverage_has_owners(const struct coverage *c);

/* coverage_has_exact_counts returns whether .counts has each acquisition of locks of
   java.util.concurrent that has no line. With a threshold, those before the first wait for a lock
   may be missing; and at times the table of counts may have been full. */
bool coverage_has_exact_counts(const struct coverage *c);

/* coverage_lacks_counts returns whether options changed so that neither lines nor counts tell how
   often locks of this sort were acquired: a part of the recording has neither. */
bool coverage_lacks_counts(const struct coverage *c, enum lock_sort sort);

/* coverage_monitor_hooks_changed returns whether the hooks of monitors may have gone while a thread
   held one; coverage_method_hooks_changed: of the methods of the option track, while a thread was
   inside. */
bool coverage_monitor_hooks_changed(const struct coverage *c);
bool coverage_method_hooks_changed(const struct coverage *c);

/* coverage_forgets_holders returns whether an option changed after the last call, up to `at`, that
   decides which acquisitions and releases have lines: nobody knows then who holds a lock. `*next`
   counts the changes that were looked at; start with 0. */
bool coverage_forgets_holders(const struct coverage *c, size_t *next, ticks_t at);

/* --- samples ------------------------------------------------------------------------------- */

/* coverage_interval_ns returns the time between two samples of CPU time at this moment, 0 if it is
   not known or no duration. coverage_interval_changed: is it another one at times? */
uint64_t coverage_interval_ns(const struct coverage *c, ticks_t at);
bool coverage_interval_changed(const struct coverage *c);

END_C
