/* Makes one allocation fail, in a program or a library that is linked with --wrap. These
   environment variables control it:

   ORCA_FAIL_ALLOCATION=N     the Nth allocation of the process fails
   ORCA_ALLOCATIONS_TO=FILE   at exit, the number of allocations is written to FILE

   A test in the same process can call scarce_fail instead. */
#include "tests/support/scarce.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t num, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t num, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset);

static unsigned long failing; /* the number of the allocation that fails; 0: none */
static unsigned long num;     /* allocations so far; atomic */

__attribute__((constructor)) static void read_number(void) {
  const char *text = getenv("ORCA_FAIL_ALLOCATION");
  failing = text == NULL ? 0 : strtoul(text, NULL, 10);
}

__attribute__((destructor)) static void write_number(void) {
  const char *name = getenv("ORCA_ALLOCATIONS_TO");
  int fd = name == NULL ? -1 : open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return;
  dprintf(fd, "%lu\n", __atomic_load_n(&num, __ATOMIC_RELAXED));
  close(fd);
}

void scarce_fail(unsigned long nth) {
  __atomic_store_n(&num, 0, __ATOMIC_RELAXED);
  failing = nth;
}

unsigned long scarce_num(void) { return __atomic_load_n(&num, __ATOMIC_RELAXED); }

static int must_fail(void) { return __atomic_add_fetch(&num, 1, __ATOMIC_RELAXED) == failing; }

void *__wrap_malloc(size_t size) { return must_fail() ? NULL : __real_malloc(size); }

void *__wrap_calloc(size_t n, size_t size) { return must_fail() ? NULL : __real_calloc(n, size); }

void *__wrap_realloc(void *old, size_t size) {
  return must_fail() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return must_fail() ? NULL : __real_aligned_alloc(alignment, size);
}

/* Only memory, no file. */
void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset) {
  if ((flags & MAP_ANONYMOUS) != 0 && must_fail()) return MAP_FAILED;
  return __real_mmap(at, size, prot, flags, fd, offset);
}
