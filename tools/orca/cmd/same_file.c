#include "tools/orca/cmd/same_file.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Finds the folder of a file. Returns its name there, which is in `path`; NULL: there is no such
   folder. */
static const char *find_folder(const char *name, char path[PATH_MAX], struct stat *out) {
  char folder[PATH_MAX];
  if (snprintf(path, PATH_MAX, "%s", name) >= PATH_MAX) return NULL;
  memcpy(folder, path, PATH_MAX);
  return stat(dirname(folder), out) == 0 ? basename(path) : NULL;
}

static bool are_equal(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool same_file(const char *a, const char *b) {
  char path_a[PATH_MAX], path_b[PATH_MAX];
  struct stat stat_a, stat_b;
  if (strcmp(a, b) == 0) return true;
  if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0) return false;
  bool exists_a = stat(a, &stat_a) == 0, exists_b = stat(b, &stat_b) == 0;
  if (exists_a && exists_b) return S_ISREG(stat_a.st_mode) && are_equal(&stat_a, &stat_b);
  if (exists_a || exists_b) return false;
  const char *name_a = find_folder(a, path_a, &stat_a), *name_b = find_folder(b, path_b, &stat_b);
  return name_a != NULL && name_b != NULL && strcmp(name_a, name_b) == 0 &&
         are_equal(&stat_a, &stat_b);
}
