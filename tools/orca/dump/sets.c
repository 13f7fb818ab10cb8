#include "tools/orca/dump/sets.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/text.h"
#include "agent/event/info.h"
#include "tools/orca/dump/lines.h"

#define MIN_DIGITS 4
#define MAX_TRIES 20 /* to find .info while the writer switches to the next set */
#define RETRY_NS 5000000

/* --- names ---------------------------------------------------------------------------------- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t sets_stem_len(const char *name, size_t len) {
  size_t stem = len;
  while (stem > 0 && is_digit(name[stem - 1])) stem--;
  bool is_finished = stem > 1 && len - stem >= MIN_DIGITS && name[stem - 1] == '.';
  return is_finished ? stem - 1 : len;
}

static void append_path(struct builder *out, const char *prefix, unsigned number,
                        enum dump_file file) {
  char text[16] = "";
  if (number != 0) snprintf(text, sizeof text, ".%04u", number);
  builder_string(out, prefix);
  builder_string(out, text);
  builder_string(out, dump_suffixes[file]);
  builder_char(out, '\0');
}

static bool set_file_exists(const char *prefix, unsigned number, enum dump_file file) {
  struct builder path = {0};
  append_path(&path, prefix, number, file);
  bool found = !path.failed && access(path.data, F_OK) == 0;
  builder_free(&path);
  return found;
}

/* The writer renames the files of a finished set one by one. So for the last set this checks
   whether the file has its number in its name already. */
unsigned sets_path(const struct sets *s, size_t at, enum dump_file file, struct builder *out) {
  unsigned number = s->sets[at].number;
  if (at + 1 == s->num && number != 0 && !set_file_exists(s->prefix, number, file)) number = 0;
  append_path(out, s->prefix, number, file);
  return number;
}

/* --- finding files ---------------------------------------------------------------------------- */

/* The keys of .info that describe a set. */
struct set_info {
  bool is_there; /* .info has at least one key */
  int64_t pid;
  ticks_t start; /* of the set */
  ticks_t recording;
  struct set set; /* number 0: .info has no key set.number */
};

static void read_set_key(struct set_info *h, struct span key, struct span value) {
  enum info_key found = info_key_find(key);
  int64_t n = 0;
  h->is_there = true;
  if (found == INFO_PID) text_parse_decimal(value, &h->pid);
  if (found == INFO_START_MONOTONIC) text_parse_ticks(value, &h->start);
  if (found == INFO_SET_RECORDING) text_parse_ticks(value, &h->recording);
  if (!text_parse_decimal(value, &n) || n < 0) return;
  if (found == INFO_SET_NUMBER && n <= 999999999) h->set.number = (unsigned)n;
  if (found == INFO_SET_THREADS) h->set.thread_lines = (uint64_t)n;
  if (found == INFO_SET_SAMPLES) h->set.sample_lines = (uint64_t)n;
}

static struct set_info read_set_info(const char *prefix, unsigned number) {
  struct set_info h = {0};
  struct builder path = {0};
  const char *why;
  struct span line, key, value;
  append_path(&path, prefix, number, DUMP_INFO);
  struct lines *l = path.failed ? NULL : lines_open(path.data, &why);
  while (l != NULL && lines_next(l, &line) == LINES_LINE) {
    if (info_line_read(line, &key, &value) == NULL) read_set_key(&h, key, value);
  }
  if (l != NULL) lines_close(l);
  builder_free(&path);
  return h;
}

/* Opens the folder of a prefix. `*out_base` is the last part of the prefix. */
static DIR *open_folder(const char *prefix, const char **out_base) {
  const char *slash = strrchr(prefix, '/');
  *out_base = slash == NULL ? prefix : slash + 1;
  char *folder = slash == NULL ? strdup(".") : strndup(prefix, (size_t)(slash - prefix) + 1);
  DIR *dir = folder == NULL ? NULL : opendir(folder);
  free(folder);
  return dir;
}

/* Returns the number of a finished set from the name of its .orca; 0 for any other name. */
static unsigned parse_set_number(const char *name, const char *base) {
  size_t len = strlen(base), digits;
  if (strncmp(name, base, len) != 0 || name[len] != '.') return 0;
  digits = strspn(name + len + 1, "0123456789");
  if (digits < MIN_DIGITS || digits > 9) return 0;
  if (strcmp(name + len + 1 + digits, dump_suffixes[DUMP_EVENTS]) != 0) return 0;
  return (unsigned)strtoul(name + len + 1, NULL, 10);
}

static bool add_set(struct sets *s, struct set set) {
  if (s->num == s->capacity) {
    size_t capacity = s->capacity == 0 ? 16 : 2 * s->capacity;
    struct set *sets = realloc(s->sets, capacity * sizeof *sets);
    if (sets == NULL) return false;
    s->sets = sets;
    s->capacity = capacity;
  }
  s->sets[s->num++] = set;
  return true;
}

static int compare_numbers(const void *left, const void *right) {
  const struct set *a = left, *b = right;
  return (a->number > b->number) - (a->number < b->number);
}

/* Lists the finished sets of all recordings with this prefix, in order. */
static bool list_finished_sets(struct sets *s) {
  const char *base;
  DIR *dir = open_folder(s->prefix, &base);
  bool ok = true;
  s->num = 0;
  if (dir == NULL) return true;
  for (struct dirent *entry; ok && (entry = readdir(dir)) != NULL;) {
    unsigned number = parse_set_number(entry->d_name, base);
    if (number != 0) ok = add_set(s, (struct set){.number = number});
  }
  closedir(dir);
  if (s->num > 0) qsort(s->sets, s->num, sizeof *s->sets, compare_numbers);
  return ok;
}

bool sets_exist(const char *prefix) {
  const char *base;
  DIR *dir = open_folder(prefix, &base);
  bool found = false;
  if (dir == NULL) return false;
  for (struct dirent *entry; !found && (entry = readdir(dir)) != NULL;) {
    found = parse_set_number(entry->d_name, base) != 0;
  }
  closedir(dir);
  return found;
}

/* --- choosing the sets of the recording ------------------------------------------------------ */

/* Finds the set being written, or else the newest finished set. If .info is missing, the writer may
   be switching to the next set, so this tries again for a short time. */
static bool find_last_set(struct sets *s, struct set_info *last) {
  const struct timespec delay = {.tv_nsec = RETRY_NS};
  for (int i = 0; i < MAX_TRIES; i++) {
    *last = read_set_info(s->prefix, 0);
    if (last->is_there && last->set.number == 0) return true;
    if (!list_finished_sets(s)) return false;
    if (last->is_there || s->num == 0) return true;
    nanosleep(&delay, NULL);
  }
  *last = read_set_info(s->prefix, s->sets[s->num - 1].number);
  last->set.number = s->sets[s->num - 1].number;
  return true;
}

/* --- ends ------------------------------------------------------------------------------------ */

/* The writer may rename the file at the same time, as in stream.c. */
static uint64_t find_end(const struct sets *s, enum dump_file file) {
  for (;;) {
    struct builder before = {0}, after = {0};
    struct stat st = {0};
    unsigned number = sets_path(s, s->num - 1, file, &before);
    bool is_there = !before.failed && stat(before.data, &st) == 0;
    bool is_same = sets_path(s, s->num - 1, file, &after) == number;
    builder_free(&before);
    builder_free(&after);
    if (is_same) return is_there ? (uint64_t)st.st_size : 0;
  }
}

/* The writer writes lines after the lines that they need. So the files are looked at in the
   opposite order to its own (agent/files/dump_file.c). */
static void find_ends(struct sets *s) {
  static const enum dump_file order[NUM_DUMP_FILES] = {
      DUMP_INFO, DUMP_EVENTS, DUMP_COUNTS, DUMP_SAMPLES, DUMP_OBJECTS, DUMP_METHODS, DUMP_CLASSES};
  for (int i = 0; i < NUM_DUMP_FILES; i++) s->ends[order[i]] = find_end(s, order[i]);
}

uint64_t sets_end(const struct sets *s, size_t at, enum dump_file file) {
  return at + 1 < s->num ? UINT64_MAX : s->ends[file];
}

/* --- all ------------------------------------------------------------------------------------- */

bool sets_find(struct sets *s, char *prefix) {
  struct set_info last;
  *s = (struct sets){.prefix = prefix, .first = 1};
  if (!find_last_set(s, &last)) return false;
  if (last.set.number == 0) s->num = 0;
  size_t kept = 0; /* sets before the last one, of the same recording */
  for (size_t i = 0; i < s->num && s->sets[i].number < last.set.number; i++) {
    struct set_info h = read_set_info(s->prefix, s->sets[i].number);
    bool is_same =
        h.recording == last.recording && h.pid == last.pid && h.set.number == s->sets[i].number;
    if (is_same) s->sets[kept++] = h.set;
  }
  s->num = kept;
  if (!add_set(s, last.set)) return false;
  find_ends(s);
  s->pid = last.pid;
  s->recording = last.set.number == 0 ? last.start : last.recording;
  if (last.set.number == 0) return true;
  s->first = s->sets[0].number;
  s->missing = last.set.number - s->first + 1 - (unsigned)s->num;
  return true;
}

bool sets_refresh(struct sets *s, bool *out_replaced) {
  struct sets found;
  bool good = sets_find(&found, s->prefix);
  *out_replaced = good && (found.pid != s->pid || found.recording != s->recording);
  for (size_t i = 0; good && !*out_replaced && i < found.num; i++) {
    if (found.sets[i].number > s->sets[s->num - 1].number) good = add_set(s, found.sets[i]);
  }
  if (good && !*out_replaced) memcpy(s->ends, found.ends, sizeof s->ends);
  sets_free(&found);
  return good;
}

void sets_free(struct sets *s) {
  free(s->sets);
  *s = (struct sets){0};
}
