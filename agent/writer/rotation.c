#include "agent/writer/rotation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"

bool rotation_start(struct rotation *r, const struct info_start *start) {
  if (!rotation_is_on(r)) return true;
  r->number = 1;
  r->said = 0;
  r->start = *start;
  r->start.java_version = memory_new_text(start->java_version);
  r->start.command = memory_new_text(start->command);
  r->start.options = memory_new_text(start->options);
  definitions_start(&r->known);
  r->known.files[OBJECTS].last = r->known.files[ORCA].last = start->monotonic_ns * TICKS_PER_NS;
  set_files_clear(r->known.files);
  return r->start.java_version != NULL && r->start.command != NULL && r->start.options != NULL;
}

void rotation_end(struct rotation *r) {
  if (!rotation_is_on(r)) return;
  free((char *)r->start.java_version);
  free((char *)r->start.command);
  free((char *)r->start.options);
  definitions_end(&r->known);
  carryover_free(&r->standing);
  set_counts_free(&r->counts);
  r->maxsize = 0;
}

/* The wall clock may have been set since the recording began. */
static struct info_start start_of_set(const struct rotation *r, uint64_t time_ns) {
  struct info_start start = r->start;
  if (r->number == 1) return start;
  start.monotonic_ns = time_ns;
  start.utc_ns = clock_utc_ns() - (clock_monotonic_ns() - time_ns);
  return start;
}

void rotation_info(const struct rotation *r, struct builder *info, uint64_t time_ns,
                   uint64_t thread_lines, uint64_t sample_lines) {
  struct info_start start = start_of_set(r, time_ns);
  info_start_write(info, &start);
  info_number(info, "set.number", r->number);
  info_ticks(info, "set.recording", r->start.monotonic_ns);
  info_number(info, "set.threads", thread_lines);
  info_number(info, "set.samples", sample_lines);
}

void rotation_follow(struct rotation *r, const struct record *record) {
  carryover_follow(&r->standing, record);
  if (r->standing.failed) definitions_failed(&r->known, ORCA);
}

static uint64_t size_of_set(const struct rotation *r) {
  uint64_t size = 0;
  for (int i = 0; i < NUM_FILES; i++) size += r->known.files[i].size + r->known.files[i].lines.len;
  return size;
}

bool rotation_is_due(const struct rotation *r) {
  if (!rotation_is_on(r)) return false;
  uint64_t size = size_of_set(r);
  bool full = size >= r->maxsize || definitions_is_full(&r->known);
  return full && size >= 2 * r->said;
}

enum file rotation_turn(struct rotation *r) {
  enum file failed = set_files_turn(r->known.files, r->number);
  if (failed != NUM_FILES) return failed;
  r->number++;
  if (r->keep != 0 && r->number > r->keep) {
    set_files_delete(r->known.files, r->number - r->keep);
  }
  definitions_next_set(&r->known);
  if (set_counts_next_set(&r->counts)) return NUM_FILES;
  errno = ENOMEM;
  return COUNTS;
}

void rotation_began(struct rotation *r) { r->said = size_of_set(r); }
