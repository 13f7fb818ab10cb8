#include "agent/files/rotation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"

static uint64_t read_file_limit(void) {
  struct rlimit limit;
  bool is_limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? (uint64_t)limit.rlim_cur : UINT64_MAX;
}

bool rotation_start(struct rotation *r, const struct info_start *start) {
  r->number = 1;
  for (int i = 0; i < NUM_FILES; i++) r->next[i].fd = -1;
  r->start_ns = clock_monotonic_ns();
  r->file_limit = rotation_has_limits(r) ? read_file_limit() : UINT64_MAX;
  r->start = *start;
  r->start.java_version = memory_new_text(start->java_version);
  r->start.command = memory_new_text(start->command);
  r->start.options = memory_new_text(start->options);
  if (rotation_has_limits(r)) set_files_clear(r->files);
  return r->start.java_version != NULL && r->start.command != NULL && r->start.options != NULL;
}

void rotation_end(struct rotation *r) {
  free((char *)r->start.java_version);
  free((char *)r->start.command);
  free((char *)r->start.options);
  free(r->finished);
  memset(r, 0, sizeof *r); /* too large for the stack */
}

bool rotation_change(struct rotation *r, const char *options) {
  char *copy = memory_new_text(options);
  if (copy == NULL) return false;
  free((char *)r->start.options);
  r->start.options = copy;
  return true;
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
  if (!rotation_has_limits(r)) return;
  info_number(info, INFO_SET_NUMBER, r->number);
  info_ticks(info, INFO_SET_RECORDING, r->start.monotonic_ns);
  info_number(info, INFO_SET_THREADS, thread_lines);
  info_number(info, INFO_SET_SAMPLES, sample_lines);
}

void rotation_note_line(struct rotation *r, uint64_t time_ns) {
  if (r->first_ns == 0) r->first_ns = time_ns;
}

/* --- when a set ends --------------------------------------------------------------------- */

static uint64_t get_set_size(const struct rotation *r) {
  uint64_t size = 0;
  for (int i = 0; i < NUM_FILES; i++) size += r->files[i].size + r->files[i].lines.len;
  return size;
}

static bool may_try(const struct rotation *r) {
  return r->retry_ns == 0 || clock_monotonic_ns() >= r->retry_ns;
}

/* Room for the lines of one record, with its definitions. */
#define MOST_SPARE_BYTES ((uint64_t)1 << 20)

/* Returns whether a file could soon take no whole line. */
static bool is_near_file_limit(const struct rotation *r) {
  if (r->file_limit == UINT64_MAX) return false;
  uint64_t spare = r->file_limit / 8, largest = 0;
  if (spare > MOST_SPARE_BYTES) spare = MOST_SPARE_BYTES;
  for (int i = 0; i < NUM_FILES; i++) {
    const struct dump_file *f = &r->files[i];
    if (f->size + f->lines.len > largest) largest = f->size + f->lines.len;
  }
  return largest + spare >= r->file_limit;
}

bool rotation_is_full(const struct rotation *r, bool is_wanted) {
  if (!rotation_has_limits(r)) return false;
  if (r->is_cut) return may_try(r);
  uint64_t size = get_set_size(r);
  bool full = (r->maxsize != 0 && size + r->early_bytes >= r->maxsize) || is_wanted ||
              is_near_file_limit(r);
  return full && size >= 2 * r->carryover_bytes && may_try(r);
}

/* The time at which the current set is old enough. */
static uint64_t get_old_ns(const struct rotation *r) {
  if (r->age_ns == 0 || r->first_ns == 0) return UINT64_MAX;
  uint64_t old_ns = r->first_ns + r->age_ns / ROTATION_SETS_PER_AGE;
  return old_ns > r->retry_ns ? old_ns : r->retry_ns;
}

bool rotation_is_old(const struct rotation *r, uint64_t now_ns) { return now_ns >= get_old_ns(r); }

/* --- deleting ----------------------------------------------------------------------------- */

static bool can_delete_oldest(const struct rotation *r) {
  return r->num_finished > 0 && (r->pinned == 0 || r->finished[0].number < r->pinned);
}

static void delete_oldest(struct rotation *r) {
  set_files_delete(r->files, r->finished[0].number);
  r->num_finished--;
  memmove(r->finished, r->finished + 1, r->num_finished * sizeof *r->finished);
}

bool rotation_delete_for_room(struct rotation *r) {
  bool may_delete = (r->keep != 0 || r->age_ns != 0) && can_delete_oldest(r);
  if (may_delete) delete_oldest(r);
  return may_delete;
}

/* The time at which the oldest finished set is too old. */
static uint64_t get_expiry_ns(const struct rotation *r) {
  if (r->age_ns == 0 || !can_delete_oldest(r)) return UINT64_MAX;
  return r->finished[0].end_ns + r->age_ns;
}

void rotation_delete_old(struct rotation *r, uint64_t now_ns) {
  while (now_ns >= get_expiry_ns(r)) delete_oldest(r);
}

uint64_t rotation_next_due(const struct rotation *r) {
  uint64_t old_ns = get_old_ns(r), expiry_ns = get_expiry_ns(r);
  return old_ns < expiry_ns ? old_ns : expiry_ns;
}

/* Sets that ended early do not count. */
static bool has_surplus(const struct rotation *r) {
  unsigned num = 1; /* the current set */
  for (size_t i = 0; i < r->num_finished; i++) num += !r->finished[i].is_early;
  return r->keep != 0 && num > r->keep;
}

static void delete_surplus(struct rotation *r) {
  while (has_surplus(r) && can_delete_oldest(r)) delete_oldest(r);
}

void rotation_pin(struct rotation *r, uint64_t since_ns) {
  size_t at = 0;
  while (at < r->num_finished && r->finished[at].end_ns < since_ns) at++;
  r->pinned = at < r->num_finished ? r->finished[at].number : r->number;
}

void rotation_unpin(struct rotation *r) {
  r->pinned = 0;
  delete_surplus(r);
}

bool rotation_has_room(struct rotation *r) {
  if (r->is_cut) return false;
  if (r->retry_ns == 0 || r->keep == 0 || r->maxsize == 0) return true;
  uint64_t size = get_set_size(r), most = r->keep * r->maxsize;
  for (size_t i = 0; i < r->num_finished; i++) size += r->finished[i].bytes;
  while (size >= most && can_delete_oldest(r)) {
    size -= r->finished[0].bytes;
    delete_oldest(r);
  }
  return size < most;
}

/* --- the next set -------------------------------------------------------------------------- */

/* Counts and reports a failure, whose reason is in errno. */
static bool fail_next_set(struct rotation *r, const char *path) {
  r->last_errno = errno;
  if (!r->is_lost && r->failures++ == 0) {
    log_line(
        "cannot begin the next set of files at %s: %s; the current set goes on, Orca tries "
        "again every second",
        path, strerror(errno));
  }
  rotation_drop_next(r);
  r->retry_ns = clock_monotonic_ns() + ROTATION_RETRY_NS;
  return false;
}

static bool reserve_finished(struct rotation *r) {
  if (r->num_finished < r->capacity) return true;
  size_t capacity = r->capacity == 0 ? 16 : 2 * r->capacity;
  struct finished_set *finished = memory_resize(r->finished, capacity * sizeof *finished);
  if (finished == NULL) return false;
  r->finished = finished;
  r->capacity = capacity;
  return true;
}

bool rotation_make_next(struct rotation *r) {
  if (!reserve_finished(r)) return fail_next_set(r, r->files[FILE_EVENTS].path);
  enum file failed = set_files_make_next(r->next, r->files);
  return failed == NUM_FILES || fail_next_set(r, r->next[failed].path);
}

void rotation_drop_next(struct rotation *r) { set_files_drop_next(r->next); }

/* Not if a set was cut, which is reported otherwise. */
static void report_file_limit(struct rotation *r) {
  if (r->is_limit_reported || r->is_cut || !is_near_file_limit(r)) return;
  r->is_limit_reported = true;
  log_line("a file may have %llu bytes (ulimit -f), so a set of files ends before that",
           (unsigned long long)r->file_limit);
}

/* Very many snapshots must not make sets that count nothing, neither many bytes nor many files. */
static struct finished_set describe_current_set(const struct rotation *r, bool is_early) {
  uint64_t bytes = get_set_size(r);
  bool is_small =
      r->num_early < ROTATION_MAX_EARLY && (r->maxsize == 0 || r->early_bytes + bytes < r->maxsize);
  return (struct finished_set){.number = r->number,
                               .is_early = is_early && is_small,
                               .start_ns = r->start_ns,
                               .end_ns = clock_monotonic_ns(),
                               .bytes = bytes};
}

bool rotation_next_set(struct rotation *r, bool is_early) {
  struct dump_file *files = r->files;
  struct finished_set set = describe_current_set(r, is_early);
  bool is_finished = !r->is_lost && set_files_are_in_place(files);
  enum file failed = set_files_switch(files, r->next, is_finished ? r->number : 0);
  if (failed != NUM_FILES) {
    char prefix[sizeof files->path], path[sizeof files->path];
    int why = errno;
    set_files_prefix(files, prefix, sizeof prefix);
    set_files_path(prefix, r->number, failed, path, sizeof path);
    errno = why;
    return fail_next_set(r, path);
  }
  report_file_limit(r);
  set_files_take_over(files, r->next);
  r->retry_ns = r->first_ns = 0;
  r->start_ns = set.end_ns;
  bool is_early_set = set.is_early && is_finished;
  r->early_bytes = is_early_set ? r->early_bytes + set.bytes : 0;
  r->num_early = is_early_set ? r->num_early + 1 : 0;
  if (is_finished) r->finished[r->num_finished++] = set;
  r->is_lost = r->is_cut = r->lacks_definitions = false;
  r->file_limit = read_file_limit();
  r->number++;
  delete_surplus(r);
  return true;
}

void rotation_measure_carryover(struct rotation *r) { r->carryover_bytes = get_set_size(r); }
