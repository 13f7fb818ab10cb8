#include "tools/dump/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/dump/lines.h"

#define TOLD_EVERY ((uint64_t)256 << 10) /* bytes */

struct stream {
  struct lines *lines;
  enum dump_file file;
  struct faults *faults;
  const struct watch *watch; /* NULL: nobody */
  uint64_t untold;           /* bytes */
};

static bool is_lacking(enum dump_file file, const char *path) {
  return dump_optional[file] && access(path, F_OK) != 0 && errno == ENOENT;
}

struct stream *stream_open(const char *path, enum dump_file file, struct faults *faults) {
  faults_forget(faults, file);
  if (is_lacking(file, path)) return NULL;
  const char *why = "needs more memory than there is";
  struct stream *s = calloc(1, sizeof *s);
  struct lines *lines = s == NULL ? NULL : lines_open(path, &why);
  if (lines == NULL) {
    faults_add(faults, file, 0, "unreadable", "%s", why);
    free(s);
    return NULL;
  }
  *s = (struct stream){.lines = lines, .file = file, .faults = faults};
  return s;
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
  if (s != NULL) tell_end(s);
  if (s != NULL) lines_close(s->lines);
  free(s);
}

/* Counts what the file itself has against a line. */
static void refuse(struct stream *s, const char *fault) {
  faults_add(s->faults, s->file, lines_number(s->lines), fault, "%s", fault);
}

static bool next_line(struct stream *s, struct span *out) {
  if (s == NULL) return false;
  for (;;) switch (lines_next(s->lines, out)) {
      case LINES_LINE:
        tell(s, out->len + 1);
        return true;
      case LINES_TOO_LONG:
        refuse(s, "the line is longer than any that Orca writes (over 4 MiB)");
        break;
      case LINES_FAILED:
        refuse(s, lines_why(s->lines));
        return false;
      case LINES_END:
        return false;
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

bool stream_event(struct stream *s, struct event_line *out) {
  UNTIL_GOOD(s, text, event_line_read(text, out));
}

bool stream_sample(struct stream *s, struct sample_line *out) {
  UNTIL_GOOD(s, text, sample_line_read(text, out));
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

bool stream_count(struct stream *s, struct count_line *out) {
  UNTIL_GOOD(s, text, count_line_read(text, out));
}

bool stream_info(struct stream *s, struct span *out_key, struct span *out_value) {
  UNTIL_GOOD(s, text, info_line_read(text, out_key, out_value));
}

enum dump_file stream_file(const struct stream *s) { return s->file; }

uint64_t stream_line(const struct stream *s) { return s == NULL ? 0 : lines_number(s->lines); }

bool stream_cut(const struct stream *s) { return s != NULL && lines_cut(s->lines); }
