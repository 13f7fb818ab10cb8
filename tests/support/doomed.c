#include "tests/support/doomed.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

int __real_open(const char *path, int flags, ...);
int __real_rename(const char *from, const char *to);
int __real_unlink(const char *path);
int __real_link(const char *from, const char *to);
ssize_t __real_write(int fd, const void *data, size_t size);
int __real_ftruncate(int fd, off_t size);
int __wrap_open(const char *path, int flags, ...);
int __wrap_rename(const char *from, const char *to);
int __wrap_unlink(const char *path);
int __wrap_link(const char *from, const char *to);
ssize_t __wrap_write(int fd, const void *data, size_t size);
int __wrap_ftruncate(int fd, off_t size);

static bool counting;
static unsigned long last, num; /* the call at which the process ends; calls so far */
static void (*watcher)(void);

void doomed_begin(unsigned long number, void (*watch)(void)) {
  last = number;
  watcher = watch;
  num = 0;
  counting = true;
}

unsigned long doomed_end(void) {
  counting = false;
  return num;
}

static void count_call(void) {
  if (!counting) return;
  if (++num == last) _exit(DOOMED_STATUS);
  if (watcher == NULL) return;
  counting = false; /* its own calls do not count */
  watcher();
  counting = true;
}

int __wrap_open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = (flags & O_CREAT) != 0 ? va_arg(args, mode_t) : 0;
  va_end(args);
  count_call();
  return __real_open(path, flags, mode);
}

int __wrap_rename(const char *from, const char *to) {
  count_call();
  return __real_rename(from, to);
}

int __wrap_unlink(const char *path) {
  count_call();
  return __real_unlink(path);
}

int __wrap_link(const char *from, const char *to) {
  count_call();
  return __real_link(from, to);
}

ssize_t __wrap_write(int fd, const void *data, size_t size) {
  count_call();
  return __real_write(fd, data, size);
}

int __wrap_ftruncate(int fd, off_t size) {
  count_call();
  return __real_ftruncate(fd, size);
}
