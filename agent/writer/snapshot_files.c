#include "agent/writer/snapshot_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/memory.h"
#include "agent/writer/set_files.h"

#define BLOCK_BYTES (256 * 1024)

/* --- what is there -------------------------------------------------------------------- */

static bool note_path(void *arg, const char *path) {
  struct snapshot_files *s = arg;
  snprintf(s->path, sizeof s->path, "%s", path);
  return false; /* one is enough */
}

bool snapshot_files_exist(struct snapshot_files *s) {
  struct stat st;
  for (int i = 0; i < NUM_FILES; i++) {
    bool fits = set_files_path(s->name, 0, (enum file)i, s->path, sizeof s->path);
    if (fits && lstat(s->path, &st) == 0) return true;
  }
  s->path[0] = '\0';
  set_files_visit(s->name, note_path, s);
  return s->path[0] != '\0';
}

bool snapshot_files_can_write(struct snapshot_files *s) {
  char folder[sizeof s->path];
  if (!set_files_path(s->name, 0, FILE_EVENTS, s->path, sizeof s->path)) return false;
  strcpy(folder, s->path);
  char *slash = strrchr(folder, '/');
  if (slash != NULL) slash[1] = '\0';
  return access(slash == NULL ? "." : folder, W_OK | X_OK) == 0;
}

/* --- links and copies ----------------------------------------------------------------- */

/* Writes `size` bytes. False with errno. */
static bool write_all(int fd, const char *data, size_t size) {
  while (size > 0) {
    ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    data += n;
    size -= (size_t)n;
  }
  return true;
}

/* Copies the first `size` bytes, or all if there are less. False with errno. */
static bool copy_bytes(int from, int to, uint64_t size) {
  char *block = memory_new(BLOCK_BYTES);
  bool good = block != NULL;
  while (good && size > 0) {
    ssize_t n = read(from, block, size < BLOCK_BYTES ? (size_t)size : BLOCK_BYTES);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) break;
    good = n > 0 && write_all(to, block, (size_t)n);
    size -= n > 0 ? (uint64_t)n : 0;
  }
  int why = errno;
  free(block);
  errno = why;
  return good;
}

static bool copy_file(const char *from, const char *to, uint64_t size) {
  int source = open(from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (source < 0) return false;
  int copy = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, DUMP_FILE_MODE);
  bool good = copy >= 0 && copy_bytes(source, copy, size);
  int why = errno;
  if (copy >= 0 && close(copy) != 0 && good) {
    why = errno;
    good = false;
  }
  if (copy >= 0 && !good) unlink(to);
  close(source);
  errno = why;
  return good;
}

/* Returns whether link failed because there can be no link: the folders are on different file
   systems, or the file system has no links. */
static bool is_link_impossible(int why) {
  return why == EXDEV || why == EPERM || why == EOPNOTSUPP || why == ENOSYS || why == EMLINK;
}

static bool add_file(const struct snapshot_files *s, const struct dump_file *f, enum file file,
                     unsigned number, const char *prefix) {
  char from[sizeof s->path];
  if (number == 0) return copy_file(f->path, s->path, f->size);
  if (!set_files_path(prefix, number, file, from, sizeof from)) return false;
  if (link(from, s->path) == 0) return true;
  return is_link_impossible(errno) && copy_file(from, s->path, UINT64_MAX);
}

/* The order in which files are added: .orca is the last one. */
static enum file get_file(int at) {
  if (at == NUM_FILES - 1) return FILE_EVENTS;
  return (enum file)(at < FILE_EVENTS ? at : at + 1);
}

static void remove_files(struct snapshot_files *s, unsigned number, int num) {
  char path[sizeof s->path];
  for (int at = num; at > 0; at--) {
    if (set_files_path(s->name, number, get_file(at - 1), path, sizeof path)) unlink(path);
  }
}

bool snapshot_files_add(struct snapshot_files *s, const struct dump_file files[NUM_FILES],
                        unsigned number) {
  char prefix[sizeof s->path];
  set_files_prefix(files, prefix, sizeof prefix);
  int at = 0;
  while (at < NUM_FILES) {
    enum file file = get_file(at);
    bool fits = set_files_path(s->name, number, file, s->path, sizeof s->path);
    if (!fits || !add_file(s, &files[file], file, number, prefix)) break;
    at++;
  }
  if (at == NUM_FILES) return true;
  int why = errno;
  remove_files(s, number, at);
  errno = why;
  return false;
}

void snapshot_files_remove(struct snapshot_files *s, unsigned number) {
  remove_files(s, number, NUM_FILES);
}
