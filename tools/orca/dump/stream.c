#include "tools/orca/dump/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/hashmap.h"
#include "agent/event/info.h"
#include "tools/orca/dump/digest.h"
#include "tools/orca/dump/lines.h"

#define REPORT_EVERY ((uint64_t)256 << 10) /* bytes */

/* The counts of .counts from the start of the recording. A line contains either the number of
   events since the last line, or, of earlier agents, since the start of the set of files. Memory
   grows with the number of pairs of event and object. The maps go from event and object to a count
   from the recording's start. */
struct set_counts {
  struct hashmap last;   /* the last count */
  struct hashmap before; /* the last count of all earlier sets */
};

struct stream {
  struct lines *lines; /* NULL: the current file cannot be read or does not exist */
  enum dump_file file;
  struct faults *faults;
  const struct read_callback *callback; /* NULL: none */
  uint64_t unreported;                  /* bytes read since the last call of the callback */
  struct hashmap checked_stacks;        /* digest of a stack -> 1: its spelling is valid */

  const struct sets *sets;   /* NULL: a single file */
  size_t at, first;          /* index of the current set, and of the first set of the stream */
  unsigned number;           /* of the set, in the name of the current file */
  uint64_t lines_before;     /* lines in the files of the sets before */
  uint64_t num_repeat_lines; /* lines at the start of the current file that repeat earlier ones */
  uint64_t num_repeated;
  bool is_repeated, is_cut;
  struct set_counts counts;
};

/* Opens a file. Leaves `*out` NULL for a missing optional file. Returns false on a fault. */
static bool open_lines(const char *path, enum dump_file file, struct lines **out,
                       const char **why) {
  *out = NULL;
  if (dump_optional[file] && access(path, F_OK) != 0 && errno == ENOENT) return true;
  *out = lines_open(path, why);
  return *out != NULL;
}

struct stream *stream_open(const char *path, enum dump_file file, struct faults *faults) {
  faults_forget(faults, file);
  const char *why = "out of memory";
  struct stream *s = calloc(1, sizeof *s);
  struct lines *lines = NULL;
  if (s == NULL || !open_lines(path, file, &lines, &why)) {
    faults_add(faults, file, 0, "unreadable", "%s", why);
  }
  if (s != NULL && lines != NULL) {
    *s = (struct stream){.lines = lines, .file = file, .faults = faults};
    return s;
  }
  free(s);
  return NULL;
}

/* --- counts ---------------------------------------------------------------------------------- */

static uint64_t make_count_key(const struct count_line *line) {
  return (uint64_t)line->kind << 32 | line->object;
}

/* Makes `line->count` a count since the start of the recording. */
static bool add_count_before(struct set_counts *c, struct count_line *line) {
  uint64_t count = 0, key = make_count_key(line);
  hashmap_get(line->is_more ? &c->last : &c->before, key, &count);
  int64_t earlier = (int64_t)count;
  line->count = earlier > INT64_MAX - line->count ? INT64_MAX : line->count + earlier;
  line->is_more = false;
  return hashmap_put(&c->last, key, (uint64_t)line->count);
}

static bool begin_next_counts(struct set_counts *c) {
  struct hashmap_slot slot;
  bool good = true;
  for (size_t cursor = 0; hashmap_next(&c->last, &cursor, &slot);) {
    good = good && hashmap_put(&c->before, slot.key, slot.value);
  }
  return good;
}

/* --- one set after the other ----------------------------------------------------------------- */

/* Opens the file of the current set. The writer may rename the file at the same time. The opened
   file is the right one if its name is the same before and after. */
static void open_set(struct stream *s) {
  const char *why = "out of memory";
  bool ok;
  for (;;) {
    struct builder before = {0}, after = {0};
    s->number = sets_path(s->sets, s->at, s->file, &before);
    ok = !before.failed && open_lines(before.data, s->file, &s->lines, &why);
    bool is_same = sets_path(s->sets, s->at, s->file, &after) == s->number;
    builder_free(&before);
    builder_free(&after);
    if (is_same) break;
    if (s->lines != NULL) lines_close(s->lines);
    s->lines = NULL;
  }
  if (s->lines != NULL) (void)lines_end_at(s->lines, sets_end(s->sets, s->at, s->file));
  const struct set *set = &s->sets->sets[s->at];
  s->faults->set = s->number;
  s->num_repeat_lines = s->file == DUMP_SAMPLES  ? set->sample_lines
                        : s->file == DUMP_EVENTS ? set->thread_lines
                                                 : 0;
  if (!ok) faults_add(s->faults, s->file, 0, "unreadable", "%s", why);
}

struct stream *stream_open_sets(const struct sets *sets, size_t at, enum dump_file file,
                                struct faults *faults) {
  faults_forget(faults, file);
  struct stream *s = calloc(1, sizeof *s);
  if (s == NULL) {
    faults_add(faults, file, 0, "unreadable", "out of memory");
    return NULL;
  }
  *s = (struct stream){.file = file, .faults = faults, .sets = sets, .at = at, .first = at};
  open_set(s);
  if (s->lines != NULL || sets->num > 1) return s;
  free(s);
  return NULL;
}

static bool open_next_set(struct stream *s) {
  if (s->sets == NULL || s->at + 1 >= s->sets->num) return false;
  if (s->lines != NULL) {
    s->lines_before += lines_number(s->lines);
    s->is_cut |= lines_is_cut(s->lines);
    lines_close(s->lines);
    s->lines = NULL;
  }
  s->at++;
  if (s->file == DUMP_COUNTS && !begin_next_counts(&s->counts)) s->faults->failed = true;
  open_set(s);
  return true;
}

void stream_set_read_callback(struct stream *s, const struct read_callback *callback) {
  if (s != NULL) s->callback = callback->on_read == NULL ? NULL : callback;
}

static void report_bytes(struct stream *s, uint64_t bytes) {
  s->unreported += bytes;
  if (s->callback == NULL || s->unreported < REPORT_EVERY) return;
  s->callback->on_read(s->callback->arg, s->unreported);
  s->unreported = 0;
}

void stream_close(struct stream *s) {
  if (s == NULL) return;
  if (s->callback != NULL) {
    if (s->unreported > 0) s->callback->on_read(s->callback->arg, s->unreported);
    s->callback->on_read(s->callback->arg, 0);
  }
  if (s->lines != NULL) lines_close(s->lines);
  hashmap_free(&s->counts.last);
  hashmap_free(&s->counts.before);
  hashmap_free(&s->checked_stacks);
  if (s->sets != NULL) s->faults->set = 0;
  free(s);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void add_line_fault(struct stream *s, const char *fault) {
  s->faults->set = s->number;
  faults_add(s->faults, s->file, lines_number(s->lines), fault, "%s", fault);
}

/* Returns whether the file ends later by now, because of sets_refresh. */
static bool has_grown(struct stream *s) {
  if (s->sets == NULL || s->lines == NULL) return false;
  return lines_end_at(s->lines, sets_end(s->sets, s->at, s->file));
}

static bool read_stream_line(struct stream *s, struct span *out) {
  if (s == NULL) return false;
  for (;;) switch (s->lines == NULL ? LINES_END : lines_next(s->lines, out)) {
      case LINES_LINE:
        report_bytes(s, out->len + 1);
        s->faults->set = s->number;
        return true;
      case LINES_TOO_LONG:
        add_line_fault(s, "the line is longer than any that Orca writes (over 4 MiB)");
        break;
      case LINES_FAILED:
        add_line_fault(s, lines_why(s->lines));
        if (!open_next_set(s)) return false;
        break;
      case LINES_END:
        if (!has_grown(s) && !open_next_set(s)) return false;
        break;
    }
}

static void add_parse_fault(struct stream *s, struct span text, fault_t fault) {
  bool is_binary = text.len > 0 && memchr(text.data, 0, text.len) != NULL;
  add_line_fault(s, is_binary ? "the line is binary, not text" : fault);
}

/* Reads lines until `read` returns no fault for one of them. */
#define RETURN_VALID_LINE(s, text, read) \
  struct span text;                      \
  while (read_stream_line(s, &text)) {   \
    fault_t fault = (read);              \
    if (fault == NULL) return true;      \
    add_parse_fault(s, text, fault);     \
  }                                      \
  return false

/* Most bytes of .orca are stacks, and most stacks occur thousands of times. So each stack is
   checked only once. */
static fault_t parse_event(struct stream *s, struct span text, struct event_line *out) {
  fault_t fault = event_line_split(text, out);
  if (fault != NULL || out->stack.data == NULL) return fault;
  out->digest = digest(out->stack);
  uint64_t *is_valid = hashmap_at(&s->checked_stacks, out->digest);
  if (is_valid != NULL && *is_valid != 0) return NULL;
  fault = event_line_check(out);
  if (is_valid != NULL) *is_valid = fault == NULL;
  return fault;
}

static bool read_valid_event(struct stream *s, struct event_line *out) {
  RETURN_VALID_LINE(s, text, parse_event(s, text, out));
}

/* Returns false for a line that repeats a line of a set that this stream has read. */
static bool is_new_line(struct stream *s) {
  s->is_repeated = lines_number(s->lines) <= s->num_repeat_lines;
  return !s->is_repeated || s->at == s->first;
}

bool stream_event(struct stream *s, struct event_line *out) {
  while (read_valid_event(s, out)) {
    if (is_new_line(s)) return true;
    s->num_repeated++;
  }
  return false;
}

static bool read_valid_sample(struct stream *s, struct sample_line *out) {
  RETURN_VALID_LINE(s, text, sample_line_read(text, out));
}

/* A repeated Stack line is needed too, because a stack has a different id in each set. */
bool stream_sample(struct stream *s, struct sample_line *out) {
  while (read_valid_sample(s, out)) {
    if (is_new_line(s) || out->kind == SAMPLE_STACK) return true;
    s->num_repeated += out->kind == SAMPLE_THREAD;
  }
  return false;
}

bool stream_class(struct stream *s, struct class_line *out) {
  RETURN_VALID_LINE(s, text, class_line_read(text, out));
}

bool stream_method(struct stream *s, struct method_line *out) {
  RETURN_VALID_LINE(s, text, method_line_read(text, out));
}

bool stream_object(struct stream *s, struct object_line *out) {
  RETURN_VALID_LINE(s, text, object_line_read(text, out));
}

static bool read_valid_count(struct stream *s, struct count_line *out) {
  RETURN_VALID_LINE(s, text, count_line_read(text, out));
}

bool stream_count(struct stream *s, struct count_line *out) {
  if (!read_valid_count(s, out)) return false;
  bool has_sets = s->sets != NULL && s->sets->num > 1;
  bool adds_up = !out->is_short && (out->is_more || has_sets);
  if (adds_up && !add_count_before(&s->counts, out)) {
    s->faults->failed = true;
  }
  return true;
}

bool stream_info(struct stream *s, struct span *out_key, struct span *out_value) {
  RETURN_VALID_LINE(s, text, info_line_read(text, out_key, out_value));
}

enum dump_file stream_file(const struct stream *s) { return s->file; }

uint64_t stream_line(const struct stream *s) {
  return s == NULL || s->lines == NULL ? 0 : lines_number(s->lines);
}

uint64_t stream_lines(const struct stream *s) {
  return s == NULL ? 0 : s->lines_before + stream_line(s);
}

uint64_t stream_num_repeated(const struct stream *s) { return s == NULL ? 0 : s->num_repeated; }

size_t stream_set(const struct stream *s) { return s == NULL ? 0 : s->at; }

bool stream_is_repeated(const struct stream *s) { return s != NULL && s->is_repeated; }

bool stream_cut(const struct stream *s) {
  return s != NULL && (s->is_cut || (s->lines != NULL && lines_is_cut(s->lines)));
}
