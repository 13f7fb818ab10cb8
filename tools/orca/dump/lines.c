#include "tools/orca/dump/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_CAPACITY ((size_t)64 << 10) /* stays in the cache of a CPU */

struct lines {
  int fd;
  char *bytes;
  size_t capacity;
  size_t start, end; /* what is read and not yet given out */
  size_t searched;   /* bytes behind `start` known to hold no newline */
  bool skipping;     /* the front of the line was too long and is gone */
  uint64_t number;
  const char *why;
};

/* Opens without blocking, as a named pipe would; -1 and the reason where it is no file. */
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
    *why = "needs more memory than there is";
    close(fd);
    free(bytes);
    free(l);
    return NULL;
  }
  *l = (struct lines){.fd = fd, .bytes = bytes, .capacity = FIRST_CAPACITY};
  return l;
}

/* Makes room behind `end`: moves what is left to the front, doubles the buffer of a long line. */
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

/* Reads on; LINES_LINE where there are more bytes. */
static enum lines_got fill(struct lines *l) {
  ssize_t n = -1;
  if (!make_room(l)) {
    errno = ENOMEM;
  } else {
    do n = read(l->fd, l->bytes + l->end, l->capacity - l->end);
    while (n < 0 && errno == EINTR);
  }
  if (n < 0) {
    l->why = strerror(errno);
    return LINES_FAILED;
  }
  l->end += (size_t)n;
  return n == 0 ? LINES_END : LINES_LINE;
}

static enum lines_got give(struct lines *l, const char *newline, struct span *out) {
  const char *line = l->bytes + l->start;
  *out = (struct span){line, (size_t)(newline - line)};
  enum lines_got got = l->skipping || out->len > LINES_LONGEST ? LINES_TOO_LONG : LINES_LINE;
  l->start += out->len + 1;
  l->searched = 0;
  l->skipping = false;
  l->number++;
  return got;
}

enum lines_got lines_next(struct lines *l, struct span *out) {
  for (;;) {
    size_t left = l->end - l->start;
    const char *newline = memchr(l->bytes + l->start + l->searched, '\n', left - l->searched);
    if (newline != NULL) return give(l, newline, out);
    l->searched = left;
    if (left > LINES_LONGEST) {
      l->skipping = true;
      l->start = l->end;
      l->searched = 0;
    }
    enum lines_got got = fill(l);
    if (got != LINES_LINE) return got;
  }
}

uint64_t lines_number(const struct lines *l) { return l->number; }

bool lines_cut(const struct lines *l) { return l->skipping || l->end > l->start; }

const char *lines_why(const struct lines *l) { return l->why; }

void lines_close(struct lines *l) {
  if (l == NULL) return;
  close(l->fd);
  free(l->bytes);
  free(l);
}
