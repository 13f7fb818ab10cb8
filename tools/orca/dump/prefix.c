#include "tools/orca/dump/prefix.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/orca/dump/faults.h"
#include "tools/orca/dump/sets.h"

#define MOST_NAMES 8

/* --- does it exist? ---------------------------------------------------------- */

static bool exists(const char *path) {
  struct stat st;
  return stat(path, &st) == 0;
}

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Where its last set has just been finished, or was all there is, only finished sets are there. */
static bool has_sets(const char *name, size_t len) {
  char *prefix = strndup(name, len);
  bool found = prefix != NULL && sets_exist(prefix);
  free(prefix);
  return found;
}

/* Whether the first `len` bytes of `name` are the prefix of a dump; they are then in `out`. */
static bool is_prefix(const char *name, size_t len, struct builder *out) {
  size_t before = out->len;
  builder_bytes(out, name, len);
  builder_bytes(out, dump_suffixes[DUMP_EVENTS], strlen(dump_suffixes[DUMP_EVENTS]) + 1);
  bool found = !out->failed && (exists(out->data + before) || has_sets(name, len));
  out->len = found ? before + len : before;
  if (found) builder_char(out, '\0');
  return found;
}

static bool ends_with(const char *name, size_t len, const char *suffix) {
  size_t n = strlen(suffix);
  return len > n && memcmp(name + len - n, suffix, n) == 0;
}

/* The length of `name` less the suffix of a dump file, if it has one. */
static size_t stem_len(const char *name) {
  size_t len = strlen(name);
  for (int file = 0; file < NUM_DUMP_FILES; file++) {
    if (ends_with(name, len, dump_suffixes[file])) return len - strlen(dump_suffixes[file]);
  }
  return len;
}

/* --- what is here instead ------------------------------------------------------ */

/* The dumps of a folder: the first names in order, and how many there are. */
struct names {
  char *first[MOST_NAMES];
  size_t num;
};

/* Puts `name` where it belongs in the order, once; the last one may fall out. */
static void insert(struct names *names, char *name) {
  size_t kept = names->num < MOST_NAMES ? names->num : MOST_NAMES;
  for (size_t i = 0; i < kept; i++) {
    int order = strcmp(name, names->first[i]);
    if (order == 0) {
      free(name);
      return;
    }
    if (order > 0) continue;
    char *moved = names->first[i];
    names->first[i] = name;
    name = moved;
  }
  if (kept < MOST_NAMES) {
    names->first[kept] = name;
  } else {
    free(name);
  }
  names->num++;
}

static void list_folder(struct names *names, DIR *folder) {
  const char *suffix = dump_suffixes[DUMP_EVENTS];
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    size_t len = strlen(entry->d_name);
    if (!ends_with(entry->d_name, len, suffix)) continue;
    char *name = strndup(entry->d_name, sets_stem(entry->d_name, len - strlen(suffix)));
    if (name != NULL) insert(names, name);
  }
}

/* Control characters in the name of a file do not reach a terminal. */
static void say_name(struct builder *why, const char *name) {
  for (; *name != '\0'; name++) {
    builder_char(why, (unsigned char)*name < 0x20 || *name == 0x7F ? '?' : *name);
  }
}

static void say_names(struct builder *why, const char *folder, struct names *names) {
  size_t kept = names->num < MOST_NAMES ? names->num : MOST_NAMES;
  builder_string(why, kept == 0 ? "no dump is there" : "found there: ");
  for (size_t i = 0; i < kept; i++) {
    if (i > 0) builder_string(why, ", ");
    say_name(why, folder);
    say_name(why, names->first[i]);
    free(names->first[i]);
  }
  if (names->num > kept) builder_string(why, ", …");
}

/* The folder part of `name` with its '/', "" where it has none. The caller frees it. */
static char *folder_of(const char *name) {
  const char *slash = strrchr(name, '/');
  return strndup(name, slash == NULL ? 0 : (size_t)(slash - name) + 1);
}

static void say_here(struct builder *why, const char *name) {
  char *folder = folder_of(name);
  DIR *dir = folder == NULL ? NULL : opendir(folder[0] == '\0' ? "." : folder);
  if (dir == NULL) {
    builder_string(why, "the folder cannot be read: ");
    builder_string(why, strerror(errno));
  } else {
    struct names names = {{NULL}, 0};
    list_folder(&names, dir);
    closedir(dir);
    say_names(why, folder, &names);
  }
  free(folder);
}

static void say_missing(struct builder *why, const char *name, size_t stem) {
  builder_string(why, "no dump at ");
  say_name(why, name);
  builder_string(why, ": ");
  for (size_t i = 0; i < stem; i++) {
    char one[2] = {name[i], '\0'};
    say_name(why, one);
  }
  builder_string(why, dump_suffixes[DUMP_EVENTS]);
  builder_string(why, " does not exist (");
  say_here(why, name);
  builder_char(why, ')');
}

static void say_folder(struct builder *why, const char *name) {
  struct builder inside = {0};
  builder_string(&inside, name);
  if (name[strlen(name) - 1] != '/') builder_char(&inside, '/');
  builder_char(&inside, '\0');
  say_name(why, name);
  builder_string(why, " is a folder, not the prefix of a dump (");
  if (!inside.failed) say_here(why, inside.data);
  builder_char(why, ')');
  builder_free(&inside);
}

bool prefix_find(const char *name, struct builder *out, struct builder *why) {
  size_t stem = stem_len(name);
  if (is_prefix(name, strlen(name), out)) return true;
  if (stem < strlen(name) && is_prefix(name, stem, out)) return true;
  if (is_folder(name)) {
    say_folder(why, name);
  } else {
    say_missing(why, name, stem);
  }
  return false;
}
