#include "tools/orca/run/new_dumps.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/text.h"
#include "tools/orca/dump/stream.h"
#include "tools/orca/model/base/grow.h"

/* --- one dump ------------------------------------------------------------------ */

/* The process that wrote a dump, and the start of the recording. */
struct origin {
  ticks_t start;
  int64_t pid;
};

static struct origin read_origin(const char *path) {
  struct origin origin = {0};
  struct faults faults = {0};
  struct span key, value;
  struct stream *s = stream_open(path, DUMP_INFO, &faults);
  while (stream_info(s, &key, &value)) {
    enum info_key found = info_key_find(key);
    if (found == INFO_START_MONOTONIC) text_parse_ticks(value, &origin.start);
    if (found == INFO_PID) text_parse_decimal(value, &origin.pid);
  }
  stream_close(s);
  faults_free(&faults);
  return origin;
}

static uint64_t get_events_size(const char *prefix) {
  struct builder path = {0};
  struct stat st;
  builder_string(&path, prefix);
  builder_string(&path, dump_suffixes[DUMP_EVENTS]);
  builder_char(&path, '\0');
  uint64_t size = !path.failed && stat(path.data, &st) == 0 ? (uint64_t)st.st_size : 0;
  builder_free(&path);
  return size;
}

/* --- all dumps ------------------------------------------------------------------- */

/* Appends the .info of the prefix as a pattern for glob(3). */
static void append_pattern(struct builder *b, const char *prefix) {
  for (const char *at = prefix; *at != '\0'; at++) {
    bool is_placeholder = at[0] == '%' && (at[1] == 'p' || at[1] == 't');
    if (at[0] == '%' && at[1] != '\0' && strchr("pt%", at[1]) != NULL) at++;
    if (is_placeholder) {
      builder_char(b, '*');
      continue;
    }
    if (strchr("*?[\\", *at) != NULL) builder_char(b, '\\');
    builder_char(b, *at);
  }
  builder_string(b, dump_suffixes[DUMP_INFO]);
  builder_char(b, '\0');
}

static int compare_sizes(const void *left, const void *right) {
  const struct new_dump *a = left, *b = right;
  if (a->bytes != b->bytes) return a->bytes < b->bytes ? 1 : -1;
  return strcmp(a->prefix, b->prefix);
}

/* Whether this is a finished set whose recording also has a .info without a number. */
static bool is_finished_set(const char *path) {
  size_t len = strlen(path) - strlen(dump_suffixes[DUMP_INFO]), stem = sets_stem_len(path, len);
  struct builder last = {0};
  builder_bytes(&last, path, stem);
  builder_string(&last, dump_suffixes[DUMP_INFO]);
  builder_char(&last, '\0');
  bool is_last_there = stem < len && !last.failed && access(last.data, F_OK) == 0;
  builder_free(&last);
  return is_last_there;
}

static bool add_new_dumps(struct new_dumps *dumps, const glob_t *paths, uint64_t since_ns) {
  for (size_t i = 0; i < paths->gl_pathc; i++) {
    const char *path = paths->gl_pathv[i];
    if (is_finished_set(path)) continue;
    struct origin origin = read_origin(path);
    if (origin.start / TICKS_PER_NS < since_ns) continue;
    void *grown = grow(dumps->rows, dumps->num, &dumps->capacity, sizeof *dumps->rows);
    if (grown == NULL) return false;
    dumps->rows = grown;
    char *prefix = strndup(path, strlen(path) - strlen(dump_suffixes[DUMP_INFO]));
    if (prefix == NULL) return false;
    uint64_t size = get_events_size(prefix);
    dumps->rows[dumps->num++] = (struct new_dump){prefix, (uint64_t)origin.pid, size};
  }
  return true;
}

bool new_dumps_find(struct new_dumps *dumps, const char *prefix, uint64_t since_ns) {
  struct builder pattern = {0};
  glob_t paths = {0};
  append_pattern(&pattern, prefix);
  bool ok = !pattern.failed;
  if (ok && glob(pattern.data, GLOB_NOSORT, NULL, &paths) == 0) {
    ok = add_new_dumps(dumps, &paths, since_ns);
    globfree(&paths);
  }
  builder_free(&pattern);
  if (dumps->num > 0) qsort(dumps->rows, dumps->num, sizeof *dumps->rows, compare_sizes);
  return ok;
}

void new_dumps_keep(struct new_dumps *dumps, pid_t pid) {
  size_t at = 0;
  while (at < dumps->num && dumps->rows[at].pid != (uint64_t)pid) at++;
  if (at == dumps->num) return;
  struct new_dump kept = dumps->rows[at];
  dumps->rows[at] = dumps->rows[0];
  dumps->rows[0] = kept;
  for (; dumps->num > 1; dumps->num--) free(dumps->rows[dumps->num - 1].prefix);
}

void new_dumps_free(struct new_dumps *dumps) {
  for (size_t i = 0; i < dumps->num; i++) free(dumps->rows[i].prefix);
  free(dumps->rows);
  *dumps = (struct new_dumps){0};
}
