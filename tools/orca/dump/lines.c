#include "tools/orca/dump/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_CAPACITY ((size_t)64 << 10) /* bytes; small enough for the CPU cache */

struct lines {
  int fd;
  uint64_t num_read, last; /* bytes: read so far, and to read at all */
  char *bytes;
  size_t capacity;
  size_t start, end; /* bytes that were read and not yet returned */
  size_t searched;   /* number of bytes after `start` known to contain no newline */
  bool skipping;     /* the start of the current line was too long and is discarded */
  uint64_t number;
  const char *why;
};

/* Returns -1 and sets `*why` on an error. O_NONBLOCK keeps open from blocking on a named pipe. */
static int open_file(const char *path, const char **why) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat st;
  *why = NULL;
  if (fd < 0) {
    *why = errno == ENOENT ? "does not exist" : strerror(errno);
  } else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
    *why = "is not a regular file";
    close(fd);
  }
  return *why == NULL ? fd : -1;
}

struct lines *lines_open(const char *path, const char **why) {
  int fd = open_file(path, why);
  if (fd < 0) return NULL;
  struct lines *l = calloc(1, sizeof *l);
  char *bytes = malloc(FIRST_CAPACITY);
  if (l == NULL || bytes == NULL) {
    *why = "out of memory";
    close(fd);
    free(bytes);
    free(l);
    return NULL;
  }
  *l = (struct lines){.fd = fd, .last = UINT64_MAX, .bytes = bytes, .capacity = FIRST_CAPACITY};
  return l;
}

bool lines_end_at(struct lines *l, uint64_t bytes) {
  bool is_later = bytes > l->last;
  l->last = bytes;
  return is_later;
}

/* Makes room after `end`: moves the unread bytes to the front, and doubles a buffer that is still
   full. */
static bool make_room(struct lines *l) {
  memmove(l->bytes, l->bytes + l->start, l->end - l->start);
  l->end -= l->start;
  l->start = 0;
  if (l->end < l->capacity) return true;
  char *bytes = realloc(l->bytes, l->capacity * 2);
  if (bytes == NULL) return false;
  l->bytes = bytes;
  l->capacity *= 2;
  return true;
}

/* Reads more of the file. Returns LINES_LINE if there were more bytes. */
static enum lines_result read_more(struct lines *l) {
  ssize_t n = -1;
  if (!make_room(l)) {
    errno = ENOMEM;
  } else {
    uint64_t left = l->last > l->num_read ? l->last - l->num_read : 0;
    size_t room = l->capacity - l->end;
    do n = read(l->fd, l->bytes + l->end, left < room ? (size_t)left : room);
    while (n < 0 && errno == EINTR);
  }
  if (n < 0) {
    l->why = strerror(errno);
    return LINES_FAILED;
  }
  l->end += (size_t)n;
  l->num_read += (uint64_t)n;
  return n == 0 ? LINES_END : LINES_LINE;
}

static enum lines_result return_line(struct lines *l, const char *newline, struct span *out) {
  const char *line = l->bytes + l->start;
  *out = (struct span){line, (size_t)(newline - line)};
  enum lines_result result =
      l->skipping || out->len > LINES_MAX_LENGTH ? LINES_TOO_LONG : LINES_LINE;
  l->start += out->len + 1;
  l->searched = 0;
  l->skipping = false;
  l->number++;
  return result;
}

enum lines_result lines_next(struct lines *l, struct span *out) {
  for (;;) {
    size_t left = l->end - l->start;
    const char *newline = memchr(l->bytes + l->start + l->searched, '\n', left - l->searched);
    if (newline != NULL) return return_line(l, newline, out);
    l->searched = left;
    if (left > LINES_MAX_LENGTH) {
      l->skipping = true;
      l->start = l->end;
      l->searched = 0;
    }
    enum lines_result result = read_more(l);
    if (result != LINES_LINE) return result;
  }
}

uint64_t lines_number(const struct lines *l) { return l->number; }

bool lines_is_cut(const struct lines *l) { return l->skipping || l->end > l->start; }

const char *lines_why(const struct lines *l) { return l->why; }

void lines_close(struct lines *l) {
  if (l == NULL) return;
  close(l->fd);
  free(l->bytes);
  free(l);
}
