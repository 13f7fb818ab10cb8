#include "tools/orca/run/new_dumps.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/event/info.h"
#include "tools/orca/dump/stream.h"
#include "tools/orca/model/base/grow.h"

/* Returns whether this is the .info of a dump of the run. */
static bool is_of_run(const char *path, const char *run) {
  struct faults faults = {0};
  struct span key, value;
  bool found = false;
  struct stream *s = stream_open(path, DUMP_INFO, &faults);
  while (!found && stream_info(s, &key, &value)) {
    found = info_key_find(key) == INFO_RUN && span_is(value, run);
  }
  stream_close(s);
  faults_free(&faults);
  return found;
}

/* Makes a pattern for glob(3): the .info files of the prefix, with `end` after it. */
static void make_pattern(struct builder *b, const char *prefix, const char *end) {
  b->len = 0;
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
  builder_string(b, end);
  builder_string(b, dump_suffixes[DUMP_INFO]);
  builder_char(b, '\0');
}

static int compare_prefixes(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool has_prefix(const struct new_dumps *dumps, const char *prefix) {
  size_t at = 0;
  while (at < dumps->num && strcmp(dumps->prefixes[at], prefix) != 0) at++;
  return at < dumps->num;
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

static bool add_dump(struct new_dumps *dumps, const char *path) {
  char *prefix = strndup(path, strlen(path) - strlen(dump_suffixes[DUMP_INFO]));
  if (prefix != NULL && has_prefix(dumps, prefix)) {
    free(prefix);
    return true;
  }
  void *grown = grow(dumps->prefixes, dumps->num, &dumps->capacity, sizeof *dumps->prefixes);
  if (grown != NULL) dumps->prefixes = grown;
  if (grown == NULL || prefix == NULL) {
    free(prefix);
    return false;
  }
  dumps->prefixes[dumps->num++] = prefix;
  return true;
}

static bool add_matches(struct new_dumps *dumps, const char *pattern, const char *run) {
  glob_t paths = {0};
  bool ok = true;
  if (glob(pattern, GLOB_NOSORT, NULL, &paths) != 0) return true;
  for (size_t i = 0; ok && i < paths.gl_pathc; i++) {
    const char *path = paths.gl_pathv[i];
    if (!is_finished_set(path) && is_of_run(path, run)) ok = add_dump(dumps, path);
  }
  globfree(&paths);
  return ok;
}

bool new_dumps_find(struct new_dumps *dumps, const char *prefix, const char *run) {
  static const char *const ends[] = {"", "-*"}; /* see prefix_vary */
  struct builder pattern = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < sizeof ends / sizeof *ends; i++) {
    make_pattern(&pattern, prefix, ends[i]);
    ok = !pattern.failed && add_matches(dumps, pattern.data, run);
  }
  builder_free(&pattern);
  if (dumps->num > 0) {
    qsort(dumps->prefixes, dumps->num, sizeof *dumps->prefixes, compare_prefixes);
  }
  return ok;
}

void new_dumps_free(struct new_dumps *dumps) {
  for (size_t i = 0; i < dumps->num; i++) free(dumps->prefixes[i]);
  free(dumps->prefixes);
  *dumps = (struct new_dumps){0};
}
