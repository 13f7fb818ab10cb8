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

/* What .info tells of who wrote it, and when. */
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
    if (span_is(key, "start.monotonic")) text_parse_ticks(value, &origin.start);
    if (span_is(key, "pid")) text_parse_decimal(value, &origin.pid);
  }
  stream_close(s);
  faults_free(&faults);
  return origin;
}

static uint64_t size_of_events(const char *prefix) {
  struct builder path = {0};
  struct stat st;
  builder_string(&path, prefix);
  builder_bytes(&path, ".orca", sizeof ".orca");
  uint64_t size = !path.failed && stat(path.data, &st) == 0 ? (uint64_t)st.st_size : 0;
  builder_free(&path);
  return size;
}

static bool add(struct new_dumps *w, const char *path, int64_t pid) {
  void *grown = grow(w->dumps, w->num, &w->capacity, sizeof *w->dumps);
  if (grown == NULL) return false;
  w->dumps = grown;
  char *prefix = strndup(path, strlen(path) - strlen(".info"));
  if (prefix == NULL) return false;
  w->dumps[w->num++] = (struct new_dump){prefix, (uint64_t)pid, size_of_events(prefix)};
  return true;
}

/* --- all of them ----------------------------------------------------------------- */

/* The prefix as a pattern of glob(3). */
static void put_pattern(struct builder *b, const char *prefix) {
  for (const char *at = prefix; *at != '\0'; at++) {
    bool special = at[0] == '%' && (at[1] == 'p' || at[1] == 't');
    if (at[0] == '%' && at[1] != '\0' && strchr("pt%", at[1]) != NULL) at++;
    if (special) {
      builder_char(b, '*');
      continue;
    }
    if (strchr("*?[\\", *at) != NULL) builder_char(b, '\\');
    builder_char(b, *at);
  }
  builder_bytes(b, ".info", sizeof ".info");
}

static int by_bytes(const void *left, const void *right) {
  const struct new_dump *a = left, *b = right;
  if (a->bytes != b->bytes) return a->bytes < b->bytes ? 1 : -1;
  return strcmp(a->prefix, b->prefix);
}

/* A finished set of a recording that the set being written, or the last one, stands for. */
static bool is_finished_set(const char *path) {
  size_t len = strlen(path) - strlen(".info"), stem = sets_stem_len(path, len);
  struct builder last = {0};
  builder_bytes(&last, path, stem);
  builder_bytes(&last, ".info", sizeof ".info");
  bool found = stem < len && !last.failed && access(last.data, F_OK) == 0;
  builder_free(&last);
  return found;
}

static bool add_new(struct new_dumps *w, const glob_t *found, uint64_t since_ns) {
  for (size_t i = 0; i < found->gl_pathc; i++) {
    if (is_finished_set(found->gl_pathv[i])) continue;
    struct origin origin = read_origin(found->gl_pathv[i]);
    if (origin.start / TICKS_PER_NS < since_ns) continue;
    if (!add(w, found->gl_pathv[i], origin.pid)) return false;
  }
  return true;
}

bool new_dumps_find(struct new_dumps *w, const char *prefix, uint64_t since_ns) {
  struct builder pattern = {0};
  glob_t found = {0};
  put_pattern(&pattern, prefix);
  bool good = !pattern.failed;
  if (good && glob(pattern.data, GLOB_NOSORT, NULL, &found) == 0) {
    good = add_new(w, &found, since_ns);
    globfree(&found);
  }
  builder_free(&pattern);
  if (w->num > 0) qsort(w->dumps, w->num, sizeof *w->dumps, by_bytes);
  return good;
}

void new_dumps_keep(struct new_dumps *w, pid_t pid) {
  size_t at = 0;
  while (at < w->num && w->dumps[at].pid != (uint64_t)pid) at++;
  if (at == w->num) return;
  struct new_dump kept = w->dumps[at];
  w->dumps[at] = w->dumps[0];
  w->dumps[0] = kept;
  for (; w->num > 1; w->num--) free(w->dumps[w->num - 1].prefix);
}

void new_dumps_free(struct new_dumps *w) {
  for (size_t i = 0; i < w->num; i++) free(w->dumps[i].prefix);
  free(w->dumps);
  *w = (struct new_dumps){0};
}
