#include "tools/orca/attach/executable.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Reads the path of the dynamic loader as a C string; "": there is none. */
static void read_interpreter(int fd, const Elf64_Ehdr *header, char *path, size_t size) {
  Elf64_Phdr row;
  path[0] = '\0';
  for (size_t i = 0; i < header->e_phnum; i++) {
    off_t at = (off_t)(header->e_phoff + i * sizeof row);
    if (pread(fd, &row, sizeof row, at) != (ssize_t)sizeof row) return;
    if (row.p_type != PT_INTERP) continue;
    ssize_t len = pread(fd, path, size - 1, (off_t)row.p_offset);
    path[len < 0 ? 0 : len] = '\0';
    return;
  }
}

const char *executable_find_obstacle(int fd) {
  Elf64_Ehdr header;
  char path[256];
  if (pread(fd, &header, sizeof header, 0) != (ssize_t)sizeof header) return NULL;
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return NULL;
  if (header.e_ident[EI_CLASS] == ELFCLASS32) return EXECUTABLE_HAS_32_BITS;
  if (!ORCA_HAS_GLIBC || header.e_phentsize != sizeof(Elf64_Phdr)) return NULL;
  read_interpreter(fd, &header, path, sizeof path);
  return strstr(path, "/ld-musl-") != NULL ? EXECUTABLE_HAS_MUSL : NULL;
}
