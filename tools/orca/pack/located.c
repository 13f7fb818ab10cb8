#include "tools/orca/pack/located.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "tools/orca/dump/prefix.h"
#include "tools/orca/pack/stems.h"
#include "tools/orca/pack/unpacked.h"
#include "tools/orca/pack/zipped.h"

#define OUTPUTS "outputs.zip" /* of a test of Bazel */

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void set_path(struct located *out, enum located_kind kind, const char *path,
                     const char *name) {
  out->kind = kind;
  builder_string(&out->path, path);
  if (name != NULL && path[strlen(path) - 1] != '/') builder_char(&out->path, '/');
  if (name != NULL) builder_string(&out->path, name);
  builder_char(&out->path, '\0');
}

/* Sets the path to the outputs.zip of a folder. Returns false if there is none. */
static bool find_outputs(struct located *out, const char *folder) {
  set_path(out, LOCATED_ZIP, folder, OUTPUTS);
  if (!out->path.failed && zipped_is_zip(out->path.data)) return true;
  builder_free(&out->path);
  return false;
}

static bool look_into_folder(struct located *out, const char *name, struct builder *why) {
  struct stems stems = {0};
  bool ok = stems_read(&stems, name);
  if (!ok) {
    builder_string(why, "out of memory");
  } else if (stems.num > 1) {
    stems_put_choice(&stems, name, why);
    ok = false;
  } else if (stems.num == 1) {
    set_path(out, LOCATED_DUMP, name, stems.names[0]);
  } else if (!find_outputs(out, name)) {
    set_path(out, LOCATED_DUMP, name, NULL);
  }
  stems_free(&stems);
  return ok;
}

/* Looks for ZIP/NAME and FOLDER/NAME: the longest start of the name that exists. */
static bool look_into_zip(struct located *out, const char *name) {
  bool is_found = false, exists = false;
  char *start = strdup(name);
  struct stat st;
  for (char *slash; start != NULL && !exists && (slash = strrchr(start, '/')) != NULL;) {
    *slash = '\0';
    exists = stat(start, &st) == 0;
    if (!exists) continue;
    out->recording = name + (slash - start) + 1;
    is_found = zipped_is_zip(start);
    if (is_found) set_path(out, LOCATED_ZIP, start, NULL);
    if (!is_found) is_found = is_folder(start) && find_outputs(out, start);
  }
  free(start);
  if (!is_found) out->recording = NULL;
  return is_found;
}

static bool is_dump(const char *name) {
  struct builder prefix = {0}, ignored = {0};
  bool is_found = prefix_find(name, &prefix, &ignored);
  builder_free(&prefix);
  builder_free(&ignored);
  return is_found;
}

static enum located_kind find_kind(const char *name) {
  if (zipped_is_zip(name)) return LOCATED_ZIP;
  return unpacked_is_pack(name) ? LOCATED_PACK : LOCATED_DUMP;
}

bool located_find(struct located *out, const char *name, struct builder *why) {
  bool has_dump = is_dump(name), is_found = false;
  enum located_kind kind = has_dump ? LOCATED_DUMP : find_kind(name);
  *out = (struct located){0};
  if (!has_dump && kind == LOCATED_DUMP) {
    is_found = is_folder(name);
    if (is_found && !look_into_folder(out, name, why)) return false;
    if (!is_found) is_found = look_into_zip(out, name);
  }
  if (!is_found) set_path(out, kind, name, NULL);
  if (out->path.failed) builder_string(why, "out of memory");
  return !out->path.failed;
}

void located_free(struct located *l) { builder_free(&l->path); }
