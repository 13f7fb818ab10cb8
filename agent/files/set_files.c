#include "agent/files/set_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE sizeof((struct dump_file *)NULL)->path
#define NEXT_NAME ".next" /* after PREFIX, in the names of the next set */

/* --- names ------------------------------------------------------------------------------- */

void set_files_prefix(const struct dump_file files[NUM_FILES], char *out, size_t size) {
  const struct dump_file *f = &files[FILE_EVENTS];
  size_t len = strlen(f->path) - strlen(file_suffixes[FILE_EVENTS]);
  snprintf(out, size, "%.*s", (int)len, f->path);
}

bool set_files_path(const char *prefix, unsigned number, enum file file, char *out, size_t size) {
  int n = number == 0 ? snprintf(out, size, "%s%s", prefix, file_suffixes[file])
                      : snprintf(out, size, "%s.%04u%s", prefix, number, file_suffixes[file]);
  bool fits = n > 0 && (size_t)n < size;
  if (!fits) errno = ENAMETOOLONG;
  return fits;
}

/* --- the next set ----------------------------------------------------------------------- */

void set_files_drop_next(struct dump_file next[NUM_FILES]) {
  for (int i = 0; i < NUM_FILES; i++) {
    if (next[i].fd >= 0) unlink(next[i].path);
    dump_file_close(&next[i]);
  }
}

enum file set_files_make_next(struct dump_file next[NUM_FILES],
                              const struct dump_file files[NUM_FILES]) {
  char prefix[PATH_SIZE + sizeof NEXT_NAME];
  set_files_prefix(files, prefix, PATH_SIZE);
  strcat(prefix, NEXT_NAME);
  for (int i = 0; i < NUM_FILES; i++) next[i].fd = -1;
  for (int i = 0; i < NUM_FILES; i++) {
    enum file file = file_order[i];
    if (dump_file_make(&next[file], prefix, file_suffixes[file])) continue;
    int why = errno;
    set_files_drop_next(next);
    errno = why;
    return file;
  }
  return NUM_FILES;
}

/* The renames of a switch, in order: first those of the finished set, then those of the next set.
   The .info is the last file of each, so a reader takes the finished set for the current one until
   all of its files have their new names. */
#define NUM_RENAMES (2 * NUM_FILES)

struct paths {
  char from[PATH_SIZE], to[PATH_SIZE];
};

/* Finds the paths of the rename with index `at`. False with errno if they are too long. */
static bool find_rename(struct paths *p, const struct dump_file files[],
                        const struct dump_file next[], unsigned number, int at) {
  enum file file = file_order[at % NUM_FILES];
  if (at >= NUM_FILES) {
    strcpy(p->from, next[file].path);
    strcpy(p->to, files[file].path);
    return true;
  }
  char prefix[PATH_SIZE];
  set_files_prefix(files, prefix, sizeof prefix);
  strcpy(p->from, files[file].path);
  return set_files_path(prefix, number, file, p->to, sizeof p->to);
}

/* A file with the new name is not of this recording, which has not used the number yet. */
static bool rename_to_new_name(const struct paths *p) {
  struct stat st;
  bool exists = lstat(p->to, &st) == 0;
  if (exists) errno = EEXIST;
  return !exists && rename(p->from, p->to) == 0;
}

bool set_files_are_in_place(const struct dump_file files[NUM_FILES]) {
  int i = 0;
  while (i < NUM_FILES && dump_file_find_place(&files[i]) == DUMP_IN_PLACE) i++;
  return i == NUM_FILES;
}

enum file set_files_switch(const struct dump_file files[NUM_FILES],
                           const struct dump_file next[NUM_FILES], unsigned number) {
  struct paths p;
  int first = number == 0 ? NUM_FILES : 0, done = first;
  while (done < NUM_RENAMES && find_rename(&p, files, next, number, done) &&
         rename_to_new_name(&p)) {
    done++;
  }
  if (done == NUM_RENAMES) return NUM_FILES;
  int why = errno;
  for (int at = done; at > first; at--) {
    if (find_rename(&p, files, next, number, at - 1)) rename(p.to, p.from);
  }
  errno = why;
  return file_order[done % NUM_FILES];
}

void set_files_take_over(struct dump_file files[NUM_FILES], struct dump_file next[NUM_FILES]) {
  for (int i = 0; i < NUM_FILES; i++) {
    next[i].last_line_time = files[i].last_line_time;
    next[i].lines = files[i].lines;
    strcpy(next[i].path, files[i].path);
    files[i].lines = (struct builder){0};
    dump_file_close(&files[i]);
    files[i] = next[i];
    next[i].fd = -1;
    next[i].lines = (struct builder){0};
  }
}

/* --- deleting ------------------------------------------------------------------------------ */

void set_files_delete(const struct dump_file files[NUM_FILES], unsigned number) {
  char prefix[PATH_SIZE], path[PATH_SIZE];
  set_files_prefix(files, prefix, sizeof prefix);
  if (set_files_path(prefix, number, FILE_EVENTS, path, sizeof path)) unlink(path);
  for (int i = 0; i < NUM_FILES; i++) {
    if (i == FILE_EVENTS || !set_files_path(prefix, number, (enum file)i, path, sizeof path))
      continue;
    unlink(path);
  }
}

/* Returns whether `name` is `base`, '.', four or more digits, and the suffix of a file. */
static bool is_finished_name(const char *name, const char *base) {
  size_t len = strlen(base);
  if (strncmp(name, base, len) != 0 || name[len] != '.') return false;
  size_t digits = strspn(name + len + 1, "0123456789");
  const char *suffix = name + len + 1 + digits;
  int file = 0;
  while (file < NUM_FILES && strcmp(suffix, file_suffixes[file]) != 0) file++;
  return digits >= 4 && file < NUM_FILES;
}

void set_files_visit(const char *prefix, bool (*visit)(void *arg, const char *path), void *arg) {
  const char *slash = strrchr(prefix, '/'), *base = slash == NULL ? prefix : slash + 1;
  char path[PATH_SIZE];
  int folder_len = snprintf(path, sizeof path, "%.*s", (int)(base - prefix), prefix);
  DIR *dir = opendir(folder_len == 0 ? "." : path);
  if (dir == NULL) return;
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    if (!is_finished_name(entry->d_name, base)) continue;
    snprintf(path + folder_len, sizeof path - (size_t)folder_len, "%s", entry->d_name);
    if (!visit(arg, path)) break;
  }
  closedir(dir);
}

static bool is_own(const struct stat *st) { return st->st_uid == geteuid(); }

static bool delete_file(void *arg, const char *path) {
  struct stat st;
  (void)arg;
  if (lstat(path, &st) == 0 && is_own(&st)) unlink(path);
  return true;
}

/* Deletes empty files of a next set. Files that are not empty, or are locked, are those of another
   recording whose prefix ends with NEXT_NAME. */
static void delete_next_files(const char *prefix) {
  char next[PATH_SIZE + sizeof NEXT_NAME];
  snprintf(next, sizeof next, "%s%s", prefix, NEXT_NAME);
  struct stat st;
  struct dump_file info = {.fd = -1};
  bool is_free = dump_file_lock(&info, next, file_suffixes[FILE_INFO], false) || info.fd < 0;
  bool has_keys = lstat(info.path, &st) == 0 && st.st_size > 0;
  for (int i = 0; is_free && !has_keys && i < NUM_FILES; i++) {
    char path[PATH_SIZE];
    bool exists = set_files_path(next, 0, file_order[i], path, sizeof path) &&
                  lstat(path, &st) == 0 && S_ISREG(st.st_mode);
    if (exists && st.st_size == 0 && is_own(&st)) unlink(path);
  }
  dump_file_close(&info);
}

void set_files_clear(const struct dump_file files[NUM_FILES]) {
  char prefix[PATH_SIZE];
  set_files_prefix(files, prefix, sizeof prefix);
  set_files_visit(prefix, delete_file, NULL);
  delete_next_files(prefix);
}

/* --- claiming a prefix -------------------------------------------------------------------- */

/* A run, and whether a recording of it was found. */
struct search {
  const char *run;
  bool found;
};

/* The key `run` is among the first lines of .info, which are short. */
static bool is_of_run(const char *path, const char *run) {
  char start[512], line[256];
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  ssize_t n = fd < 0 ? -1 : read(fd, start, sizeof start - 1);
  if (fd >= 0) close(fd);
  start[n < 0 ? 0 : n] = '\0';
  snprintf(line, sizeof line, "\nrun=%s\n", run);
  return strstr(start, line) != NULL;
}

static bool search_finished_set(void *arg, const char *path) {
  struct search *s = arg;
  size_t len = strlen(path), suffix = strlen(file_suffixes[FILE_INFO]);
  bool is_info = len > suffix && strcmp(path + len - suffix, file_suffixes[FILE_INFO]) == 0;
  s->found = is_info && is_of_run(path, s->run);
  return !s->found;
}

/* Must not make .info while another JVM of the run switches to its next set of files: it has
   renamed its .info and makes the next one. Its finished set is there then. */
static bool lock_info(struct dump_file *info, const char *prefix, const char *run) {
  const char *suffix = file_suffixes[FILE_INFO];
  if (run == NULL) return dump_file_lock(info, prefix, suffix, true);
  if (dump_file_lock(info, prefix, suffix, false)) return true;
  if (errno != ENOENT) return false;
  struct search s = {.run = run};
  set_files_visit(prefix, search_finished_set, &s);
  if (!s.found) return dump_file_lock(info, prefix, suffix, true);
  errno = EWOULDBLOCK;
  return false;
}

bool set_files_claim(struct dump_file *info, const char *prefix, const char *run) {
  if (!lock_info(info, prefix, run)) return false;
  if (run == NULL || !is_of_run(info->path, run)) return true;
  errno = EWOULDBLOCK;
  return false;
}
