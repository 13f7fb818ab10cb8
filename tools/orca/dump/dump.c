#include "tools/orca/dump/dump.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "tools/orca/dump/prefix.h"
#include "tools/orca/dump/tables.h"

struct dump {
  char *path;          /* the prefix of its files */
  char *prefix, *pack; /* see dump_open_pack; NULL: none */
  struct sets sets;
  struct faults faults;
  struct tables tables;
  struct coverage coverage;
  struct stream *growing[NUM_DUMP_FILES]; /* of the tables, since the first dump_refresh */
  size_t info_set;                        /* index of the set whose .info `growing` reads */
  struct read_callback read_callback;
};

static void load_table(struct dump *d, enum dump_file file, size_t set) {
  struct stream *s = stream_open_sets(&d->sets, set, file, &d->faults);
  if (!tables_load(&d->tables, file, s)) {
    faults_add(&d->faults, file, 0, "memory", "out of memory");
  }
  stream_close(s);
}

/* Without earlier sets, a set has the options that were in force at its beginning. The keys of
   .info come from the last set, except the start of the recording and the changes of all sets. */
static void load_start_and_changes(struct dump *d) {
  struct stream *s = dump_stream(d, DUMP_INFO);
  for (struct span key, value; stream_info(s, &key, &value);) {
    enum info_key found = info_key_find(key);
    bool is_start =
        found == INFO_START_MONOTONIC || found == INFO_START_UTC || found == INFO_OPTIONS;
    bool good = true;
    if (is_start && d->sets.num > 1 && stream_set(s) == 0) {
      good = tables_put_info(&d->tables, found, value);
    } else if (found == INFO_CHANGE) {
      good = coverage_add_change(&d->coverage, &d->tables.memory, value);
    }
    d->faults.failed |= !good;
  }
  stream_close(s);
}

struct dump *dump_open(const char *name, struct builder *why) {
  struct builder prefix = {0};
  struct dump *d = NULL;
  if (!prefix_find(name, &prefix, why)) goto done;
  d = calloc(1, sizeof *d);
  if (d == NULL || prefix.failed) {
    builder_string(why, "out of memory");
    goto done;
  }
  d->path = prefix.data;
  if (!sets_find(&d->sets, d->path)) {
    builder_string(why, "out of memory");
    sets_free(&d->sets);
    goto done;
  }
  load_table(d, DUMP_CLASSES, 0);
  load_table(d, DUMP_METHODS, 0);
  load_table(d, DUMP_OBJECTS, 0);
  load_table(d, DUMP_INFO, d->sets.num - 1);
  load_start_and_changes(d);
  coverage_read(&d->coverage, d);
  return d;
done:
  builder_free(&prefix);
  free(d);
  return NULL;
}

struct dump *dump_open_pack(const char *path, const char *pack, const char *prefix,
                            struct builder *why) {
  struct dump *d = dump_open(path, why);
  if (d == NULL) return NULL;
  d->pack = strdup(pack);
  d->prefix = strdup(prefix);
  if (d->pack != NULL && d->prefix != NULL) return d;
  builder_string(why, "out of memory");
  dump_close(d);
  return NULL;
}

/* --- growing ------------------------------------------------------------------------------- */

/* Reads the new lines of a table. The first call reads all of it again, which changes nothing. */
static bool refresh_table(struct dump *d, enum dump_file file, size_t set) {
  if (d->growing[file] == NULL)
    d->growing[file] = stream_open_sets(&d->sets, set, file, &d->faults);
  return tables_load(&d->tables, file, d->growing[file]);
}

static bool add_new_change(struct dump *d, struct span value) {
  struct option_changes *c = &d->coverage.changes;
  size_t before = c->num;
  if (!coverage_add_change(&d->coverage, &d->tables.memory, value)) return false;
  for (size_t i = 0; i < before && c->num > before; i++) {
    bool is_known =
        c->rows[i].from == c->rows[before].from && span_same(c->rows[i].key, c->rows[before].key);
    if (is_known) c->num = before;
  }
  return true;
}

/* The rows are in a list, the last one of the file first. */
static bool add_new_changes(struct dump *d, const struct info_row *row,
                            const struct info_row *until) {
  if (row == until) return true;
  return add_new_changes(d, row->next, until) &&
         (row->key != INFO_CHANGE || add_new_change(d, row->value));
}

/* A new set has an .info of its own, in which keys of the set before are missing. What belongs to
   the whole recording stays that of the first set, which may be deleted by now. */
static bool refresh_info(struct dump *d) {
  static const enum info_key whole[] = {INFO_START_MONOTONIC, INFO_START_UTC, INFO_OPTIONS};
  enum { NUM_WHOLE = sizeof whole / sizeof *whole };
  const struct info_row *before = d->tables.info;
  struct span kept[NUM_WHOLE] = {{NULL, 0}};
  size_t last = d->sets.num - 1;
  bool is_new_set = d->growing[DUMP_INFO] == NULL || d->info_set != last;
  if (is_new_set) {
    for (int i = 0; i < NUM_WHOLE; i++) dump_info(d, whole[i], &kept[i]);
    stream_close(d->growing[DUMP_INFO]);
    d->growing[DUMP_INFO] = NULL;
    d->info_set = last;
    d->tables.info = NULL;
    before = NULL;
  }
  bool good = refresh_table(d, DUMP_INFO, last) && add_new_changes(d, d->tables.info, before);
  for (int i = 0; i < NUM_WHOLE && good; i++) {
    if (kept[i].data != NULL) good = tables_put_info(&d->tables, whole[i], kept[i]);
  }
  return good;
}

static bool has_ended(const struct dump *d) {
  struct span reason;
  return dump_info(d, INFO_END_REASON, &reason) && !span_is(reason, "rotated") &&
         !span_is(reason, "snapshot");
}

enum dump_growth dump_refresh(struct dump *d) {
  bool is_replaced;
  if (!sets_refresh(&d->sets, &is_replaced)) return DUMP_NO_MEMORY;
  if (is_replaced) return DUMP_IS_REPLACED;
  bool good = refresh_table(d, DUMP_CLASSES, 0) && refresh_table(d, DUMP_METHODS, 0) &&
              refresh_table(d, DUMP_OBJECTS, 0) && refresh_info(d);
  if (!good) return DUMP_NO_MEMORY;
  coverage_read(&d->coverage, d);
  return has_ended(d) ? DUMP_HAS_ENDED : DUMP_GROWS;
}

void dump_close(struct dump *d) {
  if (d == NULL) return;
  coverage_free(&d->coverage);
  for (int i = 0; i < NUM_DUMP_FILES; i++) stream_close(d->growing[i]);
  tables_free(&d->tables);
  faults_free(&d->faults);
  sets_free(&d->sets);
  free(d->path);
  free(d->prefix);
  free(d->pack);
  free(d);
}

const struct sets *dump_sets(const struct dump *d) { return &d->sets; }

const char *dump_prefix(const struct dump *d) { return d->prefix == NULL ? d->path : d->prefix; }

const char *dump_pack(const struct dump *d) { return d->pack; }

struct faults *dump_faults(struct dump *d) {
  return &d->faults;
}

struct stream *dump_stream(struct dump *d, enum dump_file file) {
  struct stream *s = stream_open_sets(&d->sets, 0, file, &d->faults);
  stream_set_read_callback(s, &d->read_callback);
  return s;
}

void dump_set_read_callback(struct dump *d, struct read_callback callback) {
  d->read_callback = callback;
}

/* Returns the size of a file in all sets. */
static uint64_t get_file_size(const struct dump *d, enum dump_file file) {
  uint64_t bytes = 0;
  for (size_t at = 0; at < d->sets.num; at++) {
    struct builder path = {0};
    struct stat st;
    sets_path(&d->sets, at, file, &path);
    if (!path.failed && stat(path.data, &st) == 0) bytes += (uint64_t)st.st_size;
    builder_free(&path);
  }
  return bytes;
}

uint64_t dump_bytes(const struct dump *d) {
  return get_file_size(d, DUMP_EVENTS) + get_file_size(d, DUMP_SAMPLES) +
         get_file_size(d, DUMP_COUNTS);
}

uint64_t dump_size(const struct dump *d) {
  uint64_t bytes = 0;
  for (int file = 0; file < NUM_DUMP_FILES; file++) bytes += get_file_size(d, (enum dump_file)file);
  return bytes;
}

static const void *find_row(const struct hashmap *map, uint32_t id) {
  uint64_t row = 0;
  hashmap_get(map, id, &row);
  return (const void *)(uintptr_t)row;
}

const struct class_line *dump_class(const struct dump *d, uint32_t class_id) {
  return find_row(&d->tables.classes, class_id);
}

const struct method_line *dump_method(const struct dump *d, uint32_t method_id) {
  return find_row(&d->tables.methods, method_id);
}

uint32_t dump_alike_method(const struct dump *d, uint32_t method_id) {
  const struct alike_methods *row = find_row(&d->tables.alike, method_id);
  return row == NULL ? method_id : row->first;
}

uint64_t dump_alike_classes(const struct dump *d, uint32_t method_id) {
  const struct alike_methods *row = find_row(&d->tables.alike, method_id);
  return row == NULL ? 1 : row->classes;
}

uint32_t dump_source_line(const struct dump *d, struct frame frame) {
  const struct method_line *method = dump_method(d, frame.method);
  if (method == NULL || frame.location == LOCATION_NATIVE) return 0;
  return lines_find(method->lines, frame.location);
}

const struct dump_object *dump_objects(const struct dump *d, uint32_t hash) {
  return find_row(&d->tables.objects, hash);
}

const struct class_line *dump_represented(const struct dump *d, const struct dump_object *object) {
  const struct class_line *own = dump_class(d, object->line.class_id);
  bool is_class = own != NULL && span_is(own->signature, "Ljava/lang/Class;");
  return is_class ? dump_class(d, object->line.hash) : NULL;
}

static bool get_next_id(const struct hashmap *map, size_t *cursor, uint32_t *out) {
  struct hashmap_slot slot;
  if (!hashmap_next(map, cursor, &slot)) return false;
  *out = (uint32_t)slot.key;
  return true;
}

bool dump_next_class(const struct dump *d, size_t *cursor, uint32_t *out_class_id) {
  return get_next_id(&d->tables.classes, cursor, out_class_id);
}

bool dump_next_method(const struct dump *d, size_t *cursor, uint32_t *out_method_id) {
  return get_next_id(&d->tables.methods, cursor, out_method_id);
}

bool dump_next_object(const struct dump *d, size_t *cursor, uint32_t *out_hash) {
  return get_next_id(&d->tables.objects, cursor, out_hash);
}

bool dump_info(const struct dump *d, enum info_key key, struct span *out_value) {
  const struct info_row *row = d->tables.info;
  while (row != NULL && row->key != key) row = row->next;
  if (row != NULL) *out_value = row->value;
  return row != NULL;
}

uint64_t dump_info_count(const struct dump *d, enum info_key key) {
  struct span value;
  int64_t count;
  bool is_known = dump_info(d, key, &value) && text_parse_decimal(value, &count);
  return is_known && count > 0 ? (uint64_t)count : 0;
}

/* The start is "2026-11-20T11:30:00.123456789Z". */
uint64_t dump_utc_ns(const struct dump *d, ticks_t at) {
  struct span utc, monotonic;
  char text[32] = "";
  struct tm tm = {0};
  ticks_t start = 0;
  if (!dump_info(d, INFO_START_UTC, &utc) || utc.len >= sizeof text) return 0;
  if (!dump_info(d, INFO_START_MONOTONIC, &monotonic) || !text_parse_ticks(monotonic, &start))
    return 0;
  memcpy(text, utc.data, utc.len);
  const char *fraction = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
  if (fraction == NULL || *fraction != '.') return 0;
  uint64_t start_ns = (uint64_t)timegm(&tm) * 1000000000 + strtoull(fraction + 1, NULL, 10);
  return start_ns + (at - start) / TICKS_PER_NS;
}

const struct coverage *dump_coverage(const struct dump *d) { return &d->coverage; }
