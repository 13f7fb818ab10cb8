#include "agent/hotspot/jvm_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#define NULL_PAGE 4096 /* never mapped: saves the system call for a field of a null pointer */

bool jvm_memory_read(uintptr_t from, void *to, size_t len) {
  static pid_t pid; /* saves a call of getpid */
  if (pid == 0) pid = getpid();
  struct iovec local = {to, len}, remote = {(void *)from, len};
  return from >= NULL_PAGE && process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)len;
}

uintptr_t jvm_memory_word(uintptr_t from) {
  uintptr_t word;
  return jvm_memory_read(from, &word, sizeof word) ? word : 0;
}

int32_t jvm_memory_int(uintptr_t from) {
  int32_t n;
  return jvm_memory_read(from, &n, sizeof n) ? n : 0;
}

uint16_t jvm_memory_short(uintptr_t from) {
  uint16_t n;
  return jvm_memory_read(from, &n, sizeof n) ? n : 0;
}
