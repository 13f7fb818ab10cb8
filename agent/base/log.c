#include "agent/base/log.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "orca: "
#define MAX_WAIT_MS 1000 /* for a pipe that nobody reads */

static void write_message(const char *format, va_list args) {
  char line[1024] = PREFIX;
  size_t start = strlen(PREFIX), room = sizeof line - start - 1;
  int n = vsnprintf(line + start, room, format, args);
  if (n < 0) return;
  size_t len = start + ((size_t)n < room ? (size_t)n : room - 1);
  for (size_t i = start; i < len; i++) {
    unsigned char c = (unsigned char)line[i];
    if (c < ' ' || c == 0x7F) line[i] = '?';
  }
  line[len++] = '\n';
  struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};
  if (poll(&out, 1, MAX_WAIT_MS) == 0) return; /* the program must not hang for it */
  ssize_t written = write(STDERR_FILENO, line, len);
  (void)written; /* an error of stderr cannot be reported */
}

void log_line(const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_message(format, args);
  va_end(args);
}

void log_once(int *is_logged, const char *format, ...) {
  if (__atomic_exchange_n(is_logged, 1, __ATOMIC_RELAXED) != 0) return;
  va_list args;
  va_start(args, format);
  write_message(format, args);
  va_end(args);
}
