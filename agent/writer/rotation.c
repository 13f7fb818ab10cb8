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
  r->carryover_bytes = 0;
  r->start = *start;
  r->start.java_version = memory_new_text(start->java_version);
  r->start.command = memory_new_text(start->command);
  r->start.options = memory_new_text(start->options);
  definitions_start(&r->definitions);
  ticks_t start_time = start->monotonic_ns * TICKS_PER_NS;
  r->definitions.files[FILE_OBJECTS].last_line_time =
      r->definitions.files[FILE_EVENTS].last_line_time = start_time;
  set_files_clear(r->definitions.files);
  return r->start.java_version != NULL && r->start.command != NULL && r->start.options != NULL;
}

void rotation_end(struct rotation *r) {
  if (!rotation_is_on(r)) return;
  free((char *)r->start.java_version);
  free((char *)r->start.command);
  free((char *)r->start.options);
  definitions_end(&r->definitions);
  carryover_free(&r->carryover);
  set_counts_free(&r->counts);
  living_classes_free(r->living);
  r->living = NULL;
  r->maxsize = 0;
}

void rotation_info(const struct rotation *r, struct builder *info, uint64_t time_ns,
                   uint64_t thread_lines, uint64_t sample_lines) {
  struct info_start start = r->start;
  if (r->number != 1) {
    start.monotonic_ns = time_ns;
    /* The wall clock may have been set after the recording began. */
    start.utc_ns = clock_utc_ns() - (clock_monotonic_ns() - time_ns);
  }
  info_start_write(info, &start);
  info_number(info, INFO_SET_NUMBER, r->number);
  info_ticks(info, INFO_SET_RECORDING, r->start.monotonic_ns);
  info_number(info, INFO_SET_THREADS, thread_lines);
  info_number(info, INFO_SET_SAMPLES, sample_lines);
}

void rotation_follow(struct rotation *r, const struct record *record) {
  carryover_follow(&r->carryover, record);
  if (r->carryover.failed) definitions_fail_file(&r->definitions, FILE_EVENTS);
}

/* A thread of Orca's own can take the stack of another thread, and record it a moment later. */
#define LATEST_RECORD_NS (5 * NS_PER_S)

static void keep_stack(void *definitions, const struct stack *stack) {
  definitions_keep_stack(definitions, stack);
}

void rotation_forget_unloaded(struct rotation *r, struct living_classes **slot,
                              uint64_t written_ns) {
  if (!rotation_is_on(r)) return;
  if (r->living == NULL) r->living = living_classes_take(slot);
  if (r->living == NULL || written_ns < r->living->time_ns + LATEST_RECORD_NS) return;
  carryover_visit_stacks(&r->carryover, keep_stack, &r->definitions);
  definitions_drop_unloaded(&r->definitions, r->living);
  living_classes_free(r->living);
  r->living = NULL;
}

static uint64_t get_set_size(const struct rotation *r) {
  uint64_t size = 0;
  for (int i = 0; i < NUM_FILES; i++)
    size += r->definitions.files[i].size + r->definitions.files[i].lines.len;
  return size;
}

bool rotation_is_due(const struct rotation *r) {
  if (!rotation_is_on(r)) return false;
  uint64_t size = get_set_size(r);
  bool full = size >= r->maxsize || definitions_is_full(&r->definitions);
  return full && size >= 2 * r->carryover_bytes;
}

enum file rotation_next_set(struct rotation *r) {
  enum file failed = set_files_rotate(r->definitions.files, r->number);
  if (failed != NUM_FILES) return failed;
  r->number++;
  if (r->keep != 0 && r->number > r->keep) {
    set_files_delete(r->definitions.files, r->number - r->keep);
  }
  definitions_next_set(&r->definitions);
  if (set_counts_next_set(&r->counts)) return NUM_FILES;
  errno = ENOMEM;
  return FILE_COUNTS;
}

void rotation_measure_carryover(struct rotation *r) { r->carryover_bytes = get_set_size(r); }
