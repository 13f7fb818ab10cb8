#include "tools/orca/dump/prefix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/orca/dump/faults.h"
#include "tools/orca/dump/sets.h"

#define MAX_NAMES 8

/* --- finding the dump ----------------------------------------------------------- */

/* A dump may consist of finished sets only: while the writer starts the next set, or when the JVM
   was killed at that time. */
static bool has_finished_sets(const char *name, size_t len) {
  char *prefix = strndup(name, len);
  bool found = prefix != NULL && sets_exist(prefix);
  free(prefix);
  return found;
}

/* Appends the first `len` bytes of `name` and a NUL to `out` if they are the prefix of a dump. */
static bool take_prefix(const char *name, size_t len, struct builder *out) {
  struct stat st;
  size_t before = out->len;
  builder_bytes(out, name, len);
  builder_bytes(out, dump_suffixes[DUMP_EVENTS], strlen(dump_suffixes[DUMP_EVENTS]) + 1);
  bool found = !out->failed && (stat(out->data + before, &st) == 0 || has_finished_sets(name, len));
  out->len = found ? before + len : before;
  if (found) builder_char(out, '\0');
  return found;
}

static bool has_suffix(const char *name, size_t len, const char *suffix) {
  size_t n = strlen(suffix);
  return len > n && memcmp(name + len - n, suffix, n) == 0;
}

size_t prefix_stem_len(const char *name) {
  size_t len = strlen(name);
  for (int file = 0; file < NUM_DUMP_FILES; file++) {
    if (has_suffix(name, len, dump_suffixes[file])) return len - strlen(dump_suffixes[file]);
  }
  return len;
}

/* --- the message that lists the dumps of the folder ------------------------------ */

/* The dumps of a folder: the first names in alphabetical order, and the number of all. */
struct names {
  char *first[MAX_NAMES];
  size_t num;
};

/* Inserts `name` in order and takes ownership of it. Drops a duplicate, and the last name if there
   are too many. */
static void insert_name(struct names *names, char *name) {
  size_t kept = names->num < MAX_NAMES ? names->num : MAX_NAMES;
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
  if (kept < MAX_NAMES) {
    names->first[kept] = name;
  } else {
    free(name);
  }
  names->num++;
}

/* Returns whether this is the .orca of a set that the writer has made, but not begun. */
static bool is_next_set(const char *name, size_t len, DIR *folder) {
  struct stat st;
  return has_suffix(name, len, ".next.orca") &&
         fstatat(dirfd(folder), name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_size == 0;
}

static void list_dumps(struct names *names, DIR *folder) {
  const char *suffix = dump_suffixes[DUMP_EVENTS];
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    size_t len = strlen(entry->d_name);
    if (!has_suffix(entry->d_name, len, suffix) || is_next_set(entry->d_name, len, folder)) {
      continue;
    }
    char *name = strndup(entry->d_name, sets_stem_len(entry->d_name, len - strlen(suffix)));
    if (name != NULL) insert_name(names, name);
  }
}

/* Replaces control characters, which a terminal would interpret, by '?'. */
static void append_name(struct builder *why, const char *name) {
  for (; *name != '\0'; name++) {
    builder_char(why, (unsigned char)*name < 0x20 || *name == 0x7F ? '?' : *name);
  }
}

static void append_names(struct builder *why, const char *folder, struct names *names) {
  size_t kept = names->num < MAX_NAMES ? names->num : MAX_NAMES;
  builder_string(why, kept == 0 ? "no recording is there" : "found there: ");
  for (size_t i = 0; i < kept; i++) {
    if (i > 0) builder_string(why, ", ");
    append_name(why, folder);
    append_name(why, names->first[i]);
    free(names->first[i]);
  }
  if (names->num > kept) builder_string(why, ", …");
}

static void append_dumps_near(struct builder *why, const char *name) {
  const char *slash = strrchr(name, '/');
  char *folder = strndup(name, slash == NULL ? 0 : (size_t)(slash - name) + 1);
  DIR *dir = folder == NULL ? NULL : opendir(folder[0] == '\0' ? "." : folder);
  if (dir == NULL) {
    builder_string(why, "the folder cannot be read: ");
    builder_string(why, strerror(errno));
  } else {
    struct names names = {{NULL}, 0};
    list_dumps(&names, dir);
    closedir(dir);
    append_names(why, folder, &names);
  }
  free(folder);
}

static void append_missing_error(struct builder *why, const char *name, size_t stem) {
  builder_string(why, "no recording at ");
  append_name(why, name);
  builder_string(why, ": ");
  for (size_t i = 0; i < stem; i++) {
    char one[2] = {name[i], '\0'};
    append_name(why, one);
  }
  builder_string(why, dump_suffixes[DUMP_EVENTS]);
  builder_string(why, " does not exist (");
  append_dumps_near(why, name);
  builder_char(why, ')');
}

static void append_folder_error(struct builder *why, const char *name) {
  struct builder inside = {0};
  builder_string(&inside, name);
  if (name[strlen(name) - 1] != '/') builder_char(&inside, '/');
  builder_char(&inside, '\0');
  append_name(why, name);
  builder_string(why, " is a folder, not the prefix of a recording (");
  if (!inside.failed) append_dumps_near(why, inside.data);
  builder_char(why, ')');
  builder_free(&inside);
}

bool prefix_find(const char *name, struct builder *out, struct builder *why) {
  struct stat st;
  size_t stem = prefix_stem_len(name);
  if (take_prefix(name, strlen(name), out)) return true;
  if (stem < strlen(name) && take_prefix(name, stem, out)) return true;
  if (stat(name, &st) == 0 && S_ISDIR(st.st_mode)) {
    append_folder_error(why, name);
  } else {
    append_missing_error(why, name, stem);
  }
  return false;
}
