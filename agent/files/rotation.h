#pragma once
/* The sets of files of a recording. The current set ends when it is large or old enough (options
   maxsize, keep, age), or for a snapshot; then the next set begins, and old sets are deleted. A
   recording without maxsize and age is one set that never ends. Each set can be read on its own: it
   defines everything that its lines name, and it starts with lines that repeat the state at its
   start (carryover.h). All other lines are in exactly one set. The number of repeated lines is in
   .info, so that a reader of several sets can skip them. Writer thread only.

   If the next set cannot be made, for example without a free descriptor, the current set goes on
   and this module tries again ROTATION_RETRY_NS later. */
#include "agent/base/clock.h"
#include "agent/base/extern_c.h"
#include "agent/files/info.h"
#include "agent/files/set_files.h"

BEGIN_C

#define ROTATION_RETRY_NS NS_PER_S /* after an attempt to begin the next set that failed */
#define ROTATION_SETS_PER_AGE 4    /* a set ends after this part of the age */
#define ROTATION_MAX_EARLY 16      /* sets in a row that end early and count as one */

struct finished_set {
  unsigned number;
  bool is_early; /* it ended for a snapshot: `keep` counts it together with the next set */
  uint64_t start_ns, end_ns; /* CLOCK_MONOTONIC; no line of the set is of a later time */
  uint64_t bytes;
};

/* The caller sets the fields up to `age_ns`, and all others to 0, and calls rotation_start. */
struct rotation {
  struct dump_file *files; /* of the current set */
  uint64_t maxsize;        /* bytes of a set; 0: no limit */
  unsigned keep;           /* sets that are kept, with the current one; 0: all */
  uint64_t age_ns;         /* how much of the past is kept; 0: all */

  bool is_lost; /* the current set is lost; there are no files until the next set */
  bool is_cut;  /* a file of the current set reached the largest size and lacks lines: the set gets
                   no further ones, and ends when the next set can begin */
  bool lacks_definitions;   /* the same, and the file is one of definitions */
  bool is_limit_reported;   /* that sets end at `file_limit` */
  uint64_t file_limit;      /* the largest size of a file, in bytes (ulimit -f); UINT64_MAX: none,
                               or the set does not end for it */
  unsigned number;          /* of the current set, from 1 */
  uint64_t carryover_bytes; /* size of the current set after its repeated lines */
  uint64_t start_ns;        /* CLOCK_MONOTONIC at which the current set began */
  uint64_t early_bytes;     /* of the sets directly before it that ended early */
  unsigned num_early;       /* how many they are */
  uint64_t first_ns;        /* time of the first line after the repeated ones; 0: there is none */

  struct finished_set *finished; /* those that are not deleted, oldest first */
  size_t num_finished, capacity;
  unsigned pinned; /* this set and later ones are not deleted now; 0: none is pinned */

  struct dump_file next[NUM_FILES]; /* made by rotation_make_next, else not open */
  uint64_t retry_ns; /* the next attempt is not before this time; 0: the last one succeeded */
  uint64_t failures; /* attempts that failed */
  int last_errno;    /* why the last of them did */

  struct info_start start; /* of the recording; it owns copies of the strings */
};

/* rotation_has_limits returns whether the current set can end. */
static inline bool rotation_has_limits(const struct rotation *r) {
  return r->maxsize != 0 || r->age_ns != 0;
}

/* rotation_start begins a recording. If its sets can end, it deletes what an earlier recording with
   this prefix has left: finished sets, and files of a next set. False without memory. rotation_end
   must be called in both cases; it makes all fields 0. */
bool rotation_start(struct rotation *r, const struct info_start *start);
void rotation_end(struct rotation *r);

/* rotation_info writes the start of the .info of a set: the time at which the set began, and how
   many lines of .orca and of .samples repeat the state before it. */
void rotation_info(const struct rotation *r, struct builder *info, uint64_t time_ns,
                   uint64_t thread_lines, uint64_t sample_lines);

/* rotation_change sets the options that the .info of later sets shows. Without memory it changes
   nothing and returns false. */
bool rotation_change(struct rotation *r, const char *options);

/* rotation_note_line notes that the set gets a line of this time. */
void rotation_note_line(struct rotation *r, uint64_t time_ns);

/* rotation_is_full returns whether the current set is large enough to end, or a file of it nearly
   as large as a file can be, or the end `is_wanted` for another reason. Repeated lines are never
   more than half of such a set. rotation_is_old returns whether its first line is old enough. A set
   without lines does not become old. Both return false until the time of the next attempt. */
bool rotation_is_full(const struct rotation *r, bool is_wanted);
bool rotation_is_old(const struct rotation *r, uint64_t now_ns);

/* rotation_has_room returns whether the current set may get another line: not if it was cut. While
   the next set cannot be made, it deletes the oldest sets, so that all sets together stay below
   keep * maxsize, and returns false when only the current set is left and has this size. */
bool rotation_has_room(struct rotation *r);

/* rotation_delete_for_room deletes the oldest finished set because the disk is full. Returns false
   if there is none that may be deleted: the options keep and age are off, or only the current set
   is left. */
bool rotation_delete_for_room(struct rotation *r);

/* rotation_delete_old deletes the finished sets that ended longer than the age ago. */
void rotation_delete_old(struct rotation *r, uint64_t now_ns);

/* rotation_pin keeps all sets that reach to this time or a later one, until rotation_unpin, which
   deletes those that are too many. */
void rotation_pin(struct rotation *r, uint64_t since_ns);
void rotation_unpin(struct rotation *r);

/* rotation_next_due returns the time at which rotation_is_old or rotation_delete_old has something
   to do, if no line is written until then; UINT64_MAX: never. */
uint64_t rotation_next_due(const struct rotation *r);

/* rotation_make_next makes the files of the next set. If it returns false, it has counted the
   failure, reported the first one of the recording in one line on stderr, and left nothing; the
   current set goes on. A failure after the current set was lost is neither counted nor reported.
   Otherwise rotation_drop_next or rotation_next_set follows. */
bool rotation_make_next(struct rotation *r);
void rotation_drop_next(struct rotation *r);

/* rotation_next_set replaces the files of the current set, which must have been flushed, by those
   of the next set. Then it deletes sets that are too many. Sets that end early, for a snapshot,
   count as one with the set after them, up to ROTATION_MAX_EARLY of them and up to the size of one.
   If the current set is lost, or somebody has moved its files, it is not a finished set of this
   recording any more. It fails in the same way as rotation_make_next. */
bool rotation_next_set(struct rotation *r, bool is_early);

/* rotation_measure_carryover stores the size of the set. The caller has just written all repeated
   lines. */
void rotation_measure_carryover(struct rotation *r);

END_C
