#include "tools/orca/pack/zip_list.h"

#include <stdlib.h>

#include "agent/base/text.h"
#include "tools/orca/model/base/grow.h"

#define MAX_SHOWN 200 /* bytes of a path in a message */

/* The fields before the path. A line is
   "-rw-r--r--  3.0 unx     312 tx     100 defN 26-Nov-23 23:16 sub/shop.info". */
enum { MODE, VERSION, SYSTEM, SIZE, FLAGS, PACKED, METHOD, DAY, TIME, NUM_FIELDS };

/* Splits a line. Returns false for the other lines: the heading and the totals. */
static bool split_line(struct span line, struct span fields[NUM_FIELDS], struct span *out_path) {
  for (int i = 0; i < NUM_FIELDS; i++) {
    while (line.len > 0 && line.data[0] == ' ') line.data++, line.len--;
    if (!span_cut(&line, ' ', &fields[i]) || line.data == NULL) return false;
  }
  *out_path = line;
  bool is_mode = fields[MODE].len >= 7 && strchr("-dlcbps?", fields[MODE].data[0]) != NULL;
  return is_mode && fields[FLAGS].len == 2 && line.len > 0;
}

/* A path that leads out of the folder, or none that unzip would write. */
static bool is_path_good(struct span path) {
  struct span rest = path, name;
  while (span_cut(&rest, '/', &name)) {
    if (name.len == 0 || span_is(name, ".") || span_is(name, "..")) return false;
  }
  return memchr(path.data, '\0', path.len) == NULL;
}

/* Returns what is wrong with a file, NULL if nothing is. */
static const char *find_problem(const struct span fields[NUM_FIELDS], struct span path,
                                int64_t *out_size) {
  /* '?': some programs do not write what an entry is. Its bytes become a plain file. */
  if (strchr("-?", fields[MODE].data[0]) == NULL) return "is no plain file";
  if (fields[FLAGS].data[0] == 'T' || fields[FLAGS].data[0] == 'B') return "is encrypted";
  if (!text_parse_decimal(fields[SIZE], out_size) || *out_size < 0) return "has no size";
  return is_path_good(path) ? NULL : "has a path that leads elsewhere";
}

static bool add_file(struct zip_list *l, struct span path, struct span stem, uint64_t size) {
  struct zip_file *files = grow(l->files, l->num, &l->capacity, sizeof *files);
  if (files == NULL) return false;
  l->files = files;
  char *copy = span_copy(path);
  if (copy == NULL) return false;
  l->files[l->num++] = (struct zip_file){copy, stem.len, size};
  return stems_add(&l->stems, stem);
}

static void refuse_file(const char *zip, struct span path, const char *problem,
                        struct builder *why) {
  builder_format(why, "%s cannot be unpacked: \"%.*s\" %s", zip,
                 (int)(path.len < MAX_SHOWN ? path.len : MAX_SHOWN), path.data, problem);
}

bool zip_list_take(struct zip_list *l, struct span line, const char *zip, struct builder *why) {
  struct span fields[NUM_FIELDS], path, stem;
  int64_t size = 0;
  bool is_entry = split_line(line, fields, &path) && fields[MODE].data[0] != 'd';
  if (!is_entry || !stems_find(path, &stem)) return true;
  const char *problem = find_problem(fields, path, &size);
  if (problem == NULL && l->num >= ZIP_LIST_MAX) problem = "is one file too many";
  if (problem != NULL) {
    refuse_file(zip, path, problem, why);
    return false;
  }
  if (add_file(l, path, stem, (uint64_t)size)) return true;
  builder_string(why, "out of memory");
  return false;
}

static int compare_paths(const void *left, const void *right) {
  return strcmp(((const struct zip_file *)left)->path, ((const struct zip_file *)right)->path);
}

bool zip_list_end(struct zip_list *l, const char *zip, struct builder *why) {
  if (l->num > 0) qsort(l->files, l->num, sizeof *l->files, compare_paths);
  for (size_t i = 1; i < l->num; i++) {
    const char *path = l->files[i].path;
    if (strcmp(path, l->files[i - 1].path) != 0) continue;
    refuse_file(zip, (struct span){path, strlen(path)}, "is there twice", why);
    return false;
  }
  return true;
}

void zip_list_free(struct zip_list *l) {
  for (size_t i = 0; i < l->num; i++) free(l->files[i].path);
  free(l->files);
  stems_free(&l->stems);
  *l = (struct zip_list){0};
}
