/* pprof's profile.proto in a gzip file. Each pair of thread and stack is a sample with all values.
   The field numbers are those of the published profile.proto. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/base/version.h"
#include "tools/orca/export/format.h"
#include "tools/orca/model/names.h"

/* --- Protocol Buffers --------------------------------------------------------------------- */

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

/* Appends a number without a field, for packed lists. */
static void put_varint(struct builder *b, uint64_t n) {
  for (; n >= 0x80; n >>= 7) builder_char(b, (char)(0x80 | (n & 0x7F)));
  builder_char(b, (char)n);
}

static void put_tag(struct builder *b, unsigned field, unsigned wire) {
  put_varint(b, field << 3 | wire);
}

/* Appends a field of an integer type. 0 is left out, because a missing field means 0. */
static void put_integer(struct builder *b, unsigned field, uint64_t n) {
  if (n == 0) return;
  put_tag(b, field, WIRE_VARINT);
  put_varint(b, n);
}

/* Appends a field that contains a string or a message. An empty one is written too. */
static void put_bytes(struct builder *b, unsigned field, struct span bytes) {
  put_tag(b, field, WIRE_BYTES);
  put_varint(b, bytes.len);
  builder_bytes(b, bytes.data, bytes.len);
}

/* --- gzip ---------------------------------------------------------------------------------- */

#define LONGEST_BLOCK 0xFFFFu

/* The CRC-32 of gzip, computed bit by bit. That is fast enough, because exports are small. */
static uint32_t compute_crc(struct span data) {
  uint32_t crc = 0xFFFFFFFF;
  for (size_t i = 0; i < data.len; i++) {
    crc ^= (unsigned char)data.data[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

static void put_little_endian(struct builder *b, uint32_t n, int bytes) {
  for (; bytes > 0; bytes--, n >>= 8) builder_char(b, (char)(n & 0xFF));
}

/* A stored block of deflate (RFC 1951). */
static void put_block(struct builder *b, struct span data, bool last) {
  builder_char(b, last ? 1 : 0);
  put_little_endian(b, (uint32_t)data.len, 2);
  put_little_endian(b, ~(uint32_t)data.len, 2);
  builder_bytes(b, data.data, data.len);
}

/* Appends a gzip file (RFC 1952) of uncompressed data. Some readers of pprof accept only gzip, and
   this form needs no compression library. */
static void put_gzip(struct builder *b, struct span data) {
  static const char header[10] = {0x1F, (char)0x8B, 8, 0, 0, 0, 0, 0, 0, (char)255};
  uint32_t crc = compute_crc(data), size = (uint32_t)data.len;
  builder_bytes(b, header, sizeof header);
  while (data.len > LONGEST_BLOCK) {
    put_block(b, (struct span){data.data, LONGEST_BLOCK}, false);
    data = (struct span){data.data + LONGEST_BLOCK, data.len - LONGEST_BLOCK};
  }
  put_block(b, data, true);
  put_little_endian(b, crc, 4);
  put_little_endian(b, size, 4);
}

/* --- the parts of a profile -------------------------------------------------------------- */

/* Field numbers, by message. */
enum {
  OF_SAMPLE_TYPE = 1,
  OF_SAMPLE,
  OF_MAPPING,
  OF_LOCATION,
  OF_FUNCTION,
  OF_STRING,
  OF_TIME = 9,
  OF_DURATION,
  OF_PERIOD_TYPE,
  OF_PERIOD,
  OF_COMMENT,
  OF_DEFAULT_TYPE
};
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7, MAPPING_HAS_LINES = 9 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_LINE };

/* The values of a sample. "contentions" and "delay" are pprof's names in a mutex profile. */
static const struct value {
  const char *type, *unit;
  enum profile_value of;
  bool counts;
} values[] = {
    {"cpu", "nanoseconds", PROFILE_CPU, false},
    {"wall", "nanoseconds", PROFILE_WALL, false},
    {"contentions", "count", PROFILE_BLOCKED, true},
    {"delay", "nanoseconds", PROFILE_BLOCKED, false},
    {"waits", "count", PROFILE_WAITS, true},
    {"waited", "nanoseconds", PROFILE_WAITS, false},
};
#define NUM_VALUES (sizeof values / sizeof *values)

struct pprof {
  const struct export_job *job;
  struct builder file;
  struct builder sample, list, part, text; /* parts that are being built */
  uint64_t num_strings;
  struct hashmap functions, locations; /* method, place_t -> id */
  struct hashmap threads, paths;       /* thread, class -> index of a string */
  bool no_memory;
  uint64_t nowhere; /* stands for a map's value if memory ran out */
};

static struct span span_of_builder(const struct builder *b) {
  return (struct span){b->data, b->len};
}

/* Moves the contents of `part` into a field of `into`, which fails if `part` has failed. */
static void put_part(struct builder *into, unsigned field, struct builder *part) {
  into->failed |= part->failed;
  put_bytes(into, field, span_of_builder(part));
  part->len = 0;
}

/* Moves `text` to the table of strings, and returns its index. */
static uint64_t take_text(struct pprof *p) {
  put_part(&p->file, OF_STRING, &p->text);
  return p->num_strings++;
}

static uint64_t add_string(struct pprof *p, const char *text) {
  builder_string(&p->text, text);
  return take_text(p);
}

/* A pointer to the value of a key; the value is 0 if the key is new. Never NULL. */
static uint64_t *find_value(struct pprof *p, struct hashmap *map, uint64_t key) {
  uint64_t *at = hashmap_at(map, key);
  if (at != NULL) return at;
  p->no_memory = true;
  p->nowhere = 0;
  return &p->nowhere;
}

/* --- functions and locations ----------------------------------------------------------- */

static uint64_t add_function(struct pprof *p, uint32_t method) {
  uint64_t *id = find_value(p, &p->functions, method);
  if (*id != 0) return *id;
  *id = hashmap_size(&p->functions);
  names_full_method(&p->text, p->job->dump, method);
  uint64_t name = take_text(p);
  const struct method_line *m = dump_method(p->job->dump, method);
  uint64_t *path = find_value(p, &p->paths, m == NULL ? 0 : m->class_id);
  if (*path == 0) {
    names_path(&p->text, p->job->dump, method);
    *path = take_text(p);
  }
  put_integer(&p->part, FUNCTION_ID, *id);
  put_integer(&p->part, FUNCTION_NAME, name);
  put_integer(&p->part, FUNCTION_SYSTEM_NAME, name);
  put_integer(&p->part, FUNCTION_FILE, *path);
  put_integer(&p->part, FUNCTION_LINE, dump_source_line(p->job->dump, (struct frame){method, 0}));
  put_part(&p->file, OF_FUNCTION, &p->part);
  return *id;
}

static uint64_t add_location(struct pprof *p, struct frame frame) {
  place_t place = place_of_frame(p->job->dump, frame);
  uint64_t *id = find_value(p, &p->locations, place);
  if (*id != 0) return *id;
  *id = hashmap_size(&p->locations);
  uint64_t function = add_function(p, frame.method);
  put_integer(&p->text, LINE_FUNCTION, function);
  put_integer(&p->text, LINE_NUMBER, place_line(place));
  put_integer(&p->part, LOCATION_ID, *id);
  put_integer(&p->part, LOCATION_MAPPING, 1);
  put_part(&p->part, LOCATION_LINE, &p->text);
  put_part(&p->file, OF_LOCATION, &p->part);
  return *id;
}

/* --- samples ---------------------------------------------------------------------------- */

static bool put_sample(struct pprof *p, const struct profile_row *row, uint64_t label) {
  size_t depth;
  const struct frame *frames = stacks_frames(&p->job->model->stacks, row->stack, &depth);
  for (size_t i = 0; i < depth; i++) put_varint(&p->list, add_location(p, frames[i]));
  put_part(&p->sample, SAMPLE_LOCATIONS, &p->list);
  for (size_t i = 0; i < NUM_VALUES; i++) {
    const struct profile_cost *cost = &row->costs[values[i].of];
    put_varint(&p->list, values[i].counts ? cost->count : cost->time / TICKS_PER_NS);
  }
  put_part(&p->sample, SAMPLE_VALUES, &p->list);
  uint64_t *thread = find_value(p, &p->threads, row->thread);
  if (*thread == 0) {
    names_thread(&p->text, &p->job->model->threads, row->thread);
    *thread = take_text(p);
  }
  put_integer(&p->part, LABEL_KEY, label);
  put_integer(&p->part, LABEL_STRING, *thread);
  put_part(&p->sample, SAMPLE_LABEL, &p->part);
  put_part(&p->file, OF_SAMPLE, &p->sample);
  return !p->no_memory;
}

static bool put_samples(struct pprof *p) {
  const struct profile *profile = &p->job->model->profile;
  uint64_t label = add_string(p, "thread");
  for (size_t i = 0; i < profile->num; i++) {
    if (!put_sample(p, &profile->rows[i], label)) return false;
  }
  return true;
}

/* --- header ------------------------------------------------------------------------------ */

static void put_type(struct pprof *p, unsigned field, const char *type, const char *unit) {
  uint64_t type_number = add_string(p, type), unit_number = add_string(p, unit);
  put_integer(&p->part, TYPE_NAME, type_number);
  put_integer(&p->part, TYPE_UNIT, unit_number);
  put_part(&p->file, field, &p->part);
}

static void put_sample_times(struct pprof *p) {
  const struct recording *r = &p->job->model->recording;
  uint64_t ns = recording_time(r) / TICKS_PER_NS, start = dump_utc_ns(p->job->dump, r->from);
  put_integer(&p->file, OF_TIME, start);
  put_integer(&p->file, OF_DURATION, ns);
  uint64_t samples = r->by_signal ? r->cpu_samples : r->ticks;
  if (r->by_signal) ns = p->job->model->cpu.total_ns;
  if (samples == 0) return;
  put_type(p, OF_PERIOD_TYPE, "cpu", "nanoseconds");
  put_integer(&p->file, OF_PERIOD, ns / samples);
}

static bool put_file(struct pprof *p) {
  add_string(p, ""); /* string 0 must be empty */
  for (size_t i = 0; i < NUM_VALUES; i++) {
    put_type(p, OF_SAMPLE_TYPE, values[i].type, values[i].unit);
  }
  put_integer(&p->file, OF_DEFAULT_TYPE, add_string(p, values[0].type));
  uint64_t file = add_string(p, "java");
  put_integer(&p->part, MAPPING_ID, 1);
  put_integer(&p->part, MAPPING_FILE, file);
  /* Without these flags readers would look for symbols in the program's executable. */
  for (unsigned flag = MAPPING_HAS_FUNCTIONS; flag <= MAPPING_HAS_LINES; flag++) {
    put_integer(&p->part, flag, true);
  }
  put_part(&p->file, OF_MAPPING, &p->part);
  put_sample_times(p);
  put_integer(&p->file, OF_COMMENT, add_string(p, "orca " ORCA_VERSION));
  recording_put_sampler(&p->text, &p->job->model->recording);
  put_integer(&p->file, OF_COMMENT, take_text(p));
  /* pprof prints a comment before every answer unless it begins with '#'; `pprof -comments` prints
     all of them. */
  struct span command;
  if (dump_info(p->job->dump, INFO_COMMAND, &command) && command.len > 0) {
    builder_string(&p->text, "# ");
    text_plain(&p->text, command);
    put_integer(&p->file, OF_COMMENT, take_text(p));
  }
  return put_samples(p) && !p->file.failed;
}

bool export_pprof(const struct export_job *job) {
  struct pprof p = {.job = job};
  bool is_good = put_file(&p);
  if (is_good) put_gzip(&job->out->text, span_of_builder(&p.file));
  struct builder *const builders[] = {&p.file, &p.sample, &p.list, &p.part, &p.text};
  struct hashmap *const maps[] = {&p.functions, &p.locations, &p.threads, &p.paths};
  for (size_t i = 0; i < sizeof builders / sizeof *builders; i++) builder_free(builders[i]);
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) hashmap_free(maps[i]);
  return is_good;
}
