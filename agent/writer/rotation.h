#pragma once
/* Splits a recording into several sets of files (options maxsize, keep). When the current set is
   large enough, the next set begins, and the oldest set may be deleted. Each set can be read on its
   own: it defines everything that its lines name, and it starts with lines that repeat the state at
   its start (carryover.h). All other lines are in exactly one set. The number of repeated lines is
   in .info, so that a reader of several sets can skip them. Writer thread only. */
#include "agent/event/set_counts.h"
#include "agent/writer/carryover.h"
#include "agent/writer/definitions.h"
#include "agent/writer/info.h"
#include "agent/writer/set_files.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is off. What must be unique in the process, such as the number of a set in
   `definitions`, survives rotation_end. */
struct rotation {
  uint64_t maxsize;         /* bytes of a set; 0: off, and every function below does nothing */
  unsigned keep;            /* sets that are kept, with the current one; 0: all */
  unsigned number;          /* of the current set, from 1 */
  uint64_t carryover_bytes; /* size of the current set after its repeated lines */
  struct definitions definitions;
  struct carryover carryover;
  struct set_counts counts;
  struct living_classes *living; /* taken from the slot, not applied yet; NULL: none */
  struct info_start start;       /* of the recording; it owns copies of the strings */
};

static inline bool rotation_is_on(const struct rotation *r) { return r->maxsize != 0; }

/* rotation_start begins a recording. The caller has set `maxsize`, `keep` and the first fields of
   `definitions`. Deletes the finished sets of an earlier recording with this prefix. False without
   memory. rotation_end must be called in both cases. */
bool rotation_start(struct rotation *r, const struct info_start *start);
void rotation_end(struct rotation *r);

/* rotation_info writes the start of the .info of a set: the time at which the set began, and how
   many lines of .orca and of .samples repeat the state before it. */
void rotation_info(const struct rotation *r, struct builder *info, uint64_t time_ns,
                   uint64_t thread_lines, uint64_t sample_lines);

/* rotation_follow updates the state to repeat from a record that is about to be written. */
void rotation_follow(struct rotation *r, const struct record *record);

/* rotation_forget_unloaded takes the living classes from the slot and drops the others, once no
   record can name those any more: after all records up to `written_ns` are written. */
void rotation_forget_unloaded(struct rotation *r, struct living_classes **slot,
                              uint64_t written_ns);

/* rotation_is_due returns whether the current set is large enough. Repeated lines are never more
   than half of such a set. */
bool rotation_is_due(const struct rotation *r);

/* rotation_next_set replaces the files of the current set, which must have been flushed, by those
   of the next set. Returns NUM_FILES, or on failure the file that caused it, with errno. */
enum file rotation_next_set(struct rotation *r);

/* rotation_measure_carryover stores the size of the set. The caller has just written all repeated
   lines. */
void rotation_measure_carryover(struct rotation *r);

#ifdef __cplusplus
}
#endif
