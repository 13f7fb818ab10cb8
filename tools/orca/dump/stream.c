#include "tools/orca/dump/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/hashmap.h"
#include "agent/event/set_counts.h"
#include "tools/orca/dump/digest.h"
#include "tools/orca/dump/lines.h"

#define TOLD_EVERY ((uint64_t)256 << 10) /* bytes */

struct stream {
  struct lines *lines; /* NULL: this file of them all cannot be read */
  enum dump_file file;
  struct faults *faults;
  const struct watch *watch; /* NULL: nobody */
  uint64_t untold;           /* bytes */
  struct hashmap good;       /* digests of the stacks of events that are right */

  const struct sets *sets; /* NULL: it is one file */
  size_t at, from;         /* which of them it is, which was the first */
  unsigned number;         /* in its name */
  uint64_t lines_before;   /* in those before */
  uint64_t again_lines;    /* lines at its beginning that say something again */
  uint64_t left_out;
  bool again, cut;
  struct set_counts counts;
};

static bool is_lacking(enum dump_file file, const char *path) {
  return dump_optional[file] && access(path, F_OK) != 0 && errno == ENOENT;
}

/* Opens a file, if there is one; false where that is a fault. */
static bool open_lines(const char *path, enum dump_file file, struct lines **out,
                       const char **why) {
  *out = NULL;
  if (is_lacking(file, path)) return true;
  *out = lines_open(path, why);
  return *out != NULL;
}

struct stream *stream_open(const char *path, enum dump_file file, struct faults *faults) {
  faults_forget(faults, file);
  const char *why = "needs more memory than there is";
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

/* --- one set behind the other ---------------------------------------------------------------- */

/* Opens the file of the set at hand. Its name may change in between: what was opened under a name
   that is the same before and after is the right one. */
static bool open_once(struct stream *s, const char **why, bool *out_again) {
  struct builder before = {0}, after = {0};
  s->number = sets_path(s->sets, s->at, s->file, &before);
  bool good = !before.failed && open_lines(before.data, s->file, &s->lines, why);
  *out_again = sets_path(s->sets, s->at, s->file, &after) != s->number;
  builder_free(&before);
  builder_free(&after);
  return good;
}

static void open_set(struct stream *s) {
  const char *why = "needs more memory than there is";
  bool good, again;
  for (;;) {
    good = open_once(s, &why, &again);
    if (!again) break;
    if (s->lines != NULL) lines_close(s->lines);
  }
  const struct set *set = &s->sets->sets[s->at];
  s->faults->set = s->number;
  s->again_lines = s->file == DUMP_SAMPLES  ? set->sample_lines
                   : s->file == DUMP_EVENTS ? set->thread_lines
                                            : 0;
  if (!good) faults_add(s->faults, s->file, 0, "unreadable", "%s", why);
}

struct stream *stream_open_sets(const struct sets *sets, size_t at, enum dump_file file,
                                struct faults *faults) {
  faults_forget(faults, file);
  struct stream *s = calloc(1, sizeof *s);
  if (s == NULL) {
    faults_add(faults, file, 0, "unreadable", "needs more memory than there is");
    return NULL;
  }
  *s = (struct stream){.file = file, .faults = faults, .sets = sets, .at = at, .from = at};
  open_set(s);
  if (s->lines != NULL || sets->num > 1) return s;
  free(s);
  return NULL;
}

static void close_set(struct stream *s) {
  if (s->lines == NULL) return;
  s->lines_before += lines_number(s->lines);
  s->cut |= lines_cut(s->lines);
  lines_close(s->lines);
  s->lines = NULL;
}

static bool next_set(struct stream *s) {
  if (s->sets == NULL || s->at + 1 >= s->sets->num) return false;
  close_set(s);
  s->at++;
  if (s->file == DUMP_COUNTS && !set_counts_next_set(&s->counts)) s->faults->failed = true;
  open_set(s);
  return true;
}

void stream_watch(struct stream *s, const struct watch *watch) {
  if (s != NULL) s->watch = watch->read == NULL ? NULL : watch;
}

/* Tells of more bytes, or of what was not told, which is the end. */
static void tell(struct stream *s, uint64_t bytes) {
  s->untold += bytes;
  if (s->watch == NULL || s->untold < TOLD_EVERY) return;
  s->watch->read(s->watch->arg, s->untold);
  s->untold = 0;
}

static void tell_end(struct stream *s) {
  if (s->watch == NULL) return;
  if (s->untold > 0) s->watch->read(s->watch->arg, s->untold);
  s->watch->read(s->watch->arg, 0);
}

void stream_close(struct stream *s) {
  if (s == NULL) return;
  tell_end(s);
  if (s->lines != NULL) lines_close(s->lines);
  set_counts_free(&s->counts);
  hashmap_free(&s->good);
  if (s->sets != NULL) s->faults->set = 0;
  free(s);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Counts what the file itself has against a line. */
static void refuse(struct stream *s, const char *fault) {
  s->faults->set = s->number;
  faults_add(s->faults, s->file, lines_number(s->lines), fault, "%s", fault);
}

static bool next_line(struct stream *s, struct span *out) {
  if (s == NULL) return false;
  for (;;) switch (s->lines == NULL ? LINES_END : lines_next(s->lines, out)) {
      case LINES_LINE:
        tell(s, out->len + 1);
        s->faults->set = s->number;
        return true;
      case LINES_TOO_LONG:
        refuse(s, "the line is longer than any that Orca writes (over 4 MiB)");
        break;
      case LINES_FAILED:
        refuse(s, lines_why(s->lines));
        if (!next_set(s)) return false;
        break;
      case LINES_END:
        if (!next_set(s)) return false;
        break;
    }
}

static void refuse_line(struct stream *s, struct span text, fault_t fault) {
  bool binary = text.len > 0 && memchr(text.data, 0, text.len) != NULL;
  refuse(s, binary ? "the line is binary, not text" : fault);
}

/* Hands out lines until one is good; `read` reads it. */
#define UNTIL_GOOD(s, text, read)   \
  struct span text;                 \
  while (next_line(s, &text)) {     \
    fault_t fault = (read);         \
    if (fault == NULL) return true; \
    refuse_line(s, text, fault);    \
  }                                 \
  return false

/* Stacks are most of a file, and nearly all of them stand there a thousand times: each is looked
   at once. */
static fault_t check_stack(struct stream *s, struct event_line *line) {
  if (line->stack.data == NULL) return NULL;
  line->digest = digest(line->stack);
  uint64_t *good = hashmap_at(&s->good, line->digest);
  if (good != NULL && *good != 0) return NULL;
  fault_t fault = event_line_check(line);
  if (good != NULL) *good = fault == NULL;
  return fault;
}

static fault_t read_event(struct stream *s, struct span text, struct event_line *out) {
  fault_t fault = event_line_split(text, out);
  return fault == NULL ? check_stack(s, out) : fault;
}

static bool next_event(struct stream *s, struct event_line *out) {
  UNTIL_GOOD(s, text, read_event(s, text, out));
}

/* The first lines of a set say something again, which is no news behind the set before it. */
static bool is_news(struct stream *s) {
  s->again = lines_number(s->lines) <= s->again_lines;
  return !s->again || s->at == s->from;
}

bool stream_event(struct stream *s, struct event_line *out) {
  while (next_event(s, out)) {
    if (is_news(s)) return true;
    s->left_out++;
  }
  return false;
}

static bool next_sample(struct stream *s, struct sample_line *out) {
  UNTIL_GOOD(s, text, sample_line_read(text, out));
}

/* A stack has a number of its own in each set. */
bool stream_sample(struct stream *s, struct sample_line *out) {
  while (next_sample(s, out)) {
    if (is_news(s) || out->kind == SAMPLE_STACK) return true;
    s->left_out += out->kind == SAMPLE_THREAD;
  }
  return false;
}

bool stream_class(struct stream *s, struct class_line *out) {
  UNTIL_GOOD(s, text, class_line_read(text, out));
}

bool stream_method(struct stream *s, struct method_line *out) {
  UNTIL_GOOD(s, text, method_line_read(text, out));
}

bool stream_object(struct stream *s, struct object_line *out) {
  UNTIL_GOOD(s, text, object_line_read(text, out));
}

static bool next_count(struct stream *s, struct count_line *out) {
  UNTIL_GOOD(s, text, count_line_read(text, out));
}

bool stream_count(struct stream *s, struct count_line *out) {
  if (!next_count(s, out)) return false;
  if (s->sets != NULL && s->sets->num > 1 && !set_counts_join(&s->counts, out)) {
    s->faults->failed = true;
  }
  return true;
}

bool stream_info(struct stream *s, struct span *out_key, struct span *out_value) {
  UNTIL_GOOD(s, text, info_line_read(text, out_key, out_value));
}

enum dump_file stream_file(const struct stream *s) { return s->file; }

uint64_t stream_line(const struct stream *s) {
  return s == NULL || s->lines == NULL ? 0 : lines_number(s->lines);
}

uint64_t stream_lines(const struct stream *s) {
  return s == NULL ? 0 : s->lines_before + stream_line(s);
}

uint64_t stream_left_out(const struct stream *s) { return s == NULL ? 0 : s->left_out; }

size_t stream_set(const struct stream *s) { return s == NULL ? 0 : s->at; }

bool stream_again(const struct stream *s) { return s != NULL && s->again; }

bool stream_cut(const struct stream *s) {
  return s != NULL && (s->cut || (s->lines != NULL && lines_cut(s->lines)));
}
