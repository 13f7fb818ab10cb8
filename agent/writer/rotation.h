#pragma once
/* A recording that comes in sets of files (options maxsize, keep): when the set being written is
   large enough the next one begins, and the oldest may go. Each set can be read by itself: what its
   lines name is defined in it, and it begins with what stood when it began. No line is lost or
   stands in two sets, but for those of that beginning, whose number is told in .info, so that a
   reader of several sets leaves them out. Writer thread only. */
#include "agent/event/set_counts.h"
#include "agent/writer/carryover.h"
#include "agent/writer/definitions.h"
#include "agent/writer/info.h"
#include "agent/writer/set_files.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is off; rotation_start, and rotation_end, which leaves what has to go on through all
   recordings of the process. */
struct rotation {
  uint64_t maxsize; /* bytes of a set, 0: off, and then all below does nothing */
  unsigned keep;    /* sets, 0: all */
  unsigned number;  /* of the set being written, from 1 */
  uint64_t said;    /* bytes of what stood when it began */
  struct definitions known;
  struct carryover standing;
  struct set_counts counts;
  struct info_start start; /* of the recording; strings of its own */
};

static inline bool rotation_is_on(const struct rotation *r) { return r->maxsize != 0; }

/* rotation_start begins a recording; r->maxsize, r->keep and what r->known takes from others are
   set. Deletes the finished sets of an earlier recording of this prefix. False without memory;
   rotation_end is right even then. */
bool rotation_start(struct rotation *r, const struct info_start *start);
void rotation_end(struct rotation *r);

/* rotation_info writes the start of a set's .info: the set began at `time_ns`, with so many lines
   that say again what stood. */
void rotation_info(const struct rotation *r, struct builder *info, uint64_t time_ns,
                   uint64_t thread_lines, uint64_t sample_lines);

/* rotation_follow takes note of a record that is about to be written. */
void rotation_follow(struct rotation *r, const struct record *record);

/* rotation_is_due: the set is large enough. At least half of a set is not what it began with,
   however much that is. */
bool rotation_is_due(const struct rotation *r);

/* rotation_turn puts the next set in place of the one being written, which is flushed. NUM_FILES,
   or the file that this failed for, with errno: then the old ones are still there. */
enum file rotation_turn(struct rotation *r);

/* rotation_began: all is written that a set begins with. */
void rotation_began(struct rotation *r);

#ifdef __cplusplus
}
#endif
