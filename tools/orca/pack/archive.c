#include "tools/orca/pack/archive.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/orca/pack/tool.h"

#define BLOCK_SIZE ((size_t)64 << 10)

/* The exit status of tar if a file grew while it was read: the agent still records. */
#define TAR_CHANGED 1

/* Appends the names of the files, without their folder, each with a NUL. */
static void list_files(struct builder *names, const struct dump *d, struct archive_size *size) {
  const struct sets *sets = dump_sets(d);
  for (size_t at = 0; at < sets->num; at++) {
    for (int file = 0; file < NUM_DUMP_FILES; file++) {
      struct builder path = {0};
      struct stat st;
      sets_path(sets, at, (enum dump_file)file, &path);
      names->failed |= path.failed;
      if (!path.failed && stat(path.data, &st) == 0) {
        const char *slash = strrchr(path.data, '/'), *name = slash == NULL ? path.data : slash + 1;
        builder_bytes(names, name, strlen(name) + 1);
        size->files++;
        size->bytes += (uint64_t)st.st_size;
      }
      builder_free(&path);
    }
  }
}

/* Makes a file in memory. Returns its descriptor, or -1 and sets errno. */
static int make_list(const struct dump *d, struct archive_size *size) {
  struct builder names = {0};
  list_files(&names, d, size);
  int fd = memfd_create("names", MFD_CLOEXEC);
  errno = ENOMEM;
  if (fd >= 0 && (names.failed || write(fd, names.data, names.len) != (ssize_t)names.len ||
                  lseek(fd, 0, SEEK_SET) != 0)) {
    close(fd);
    fd = -1;
  }
  builder_free(&names);
  return fd;
}

static bool copy_output(struct output *o, const struct tool *t, struct archive_size *size) {
  char block[BLOCK_SIZE];
  for (ssize_t len; (len = read(t->output, block, sizeof block)) != 0;) {
    if (len < 0 && errno == EINTR) continue;
    if (len < 0) return false;
    builder_bytes(&o->text, block, (size_t)len);
    size->packed_bytes += (uint64_t)len;
    if (!output_write_if_large(o)) return false;
  }
  return true;
}

static bool run_tar(struct output *o, const char *folder_option, int names,
                    struct archive_size *size, struct builder *why) {
  const char *const arguments[] = {"--create",       "--gzip",    "--format=gnu",    folder_option,
                                   "--owner=0",      "--group=0", "--numeric-owner", "--null",
                                   "--files-from=-", NULL};
  struct builder message = {0};
  struct tool t;
  int error = tool_start(&t, TOOL_TAR, arguments, names);
  if (error != 0) {
    builder_format(why, "tar cannot be started: %s", strerror(error));
    return false;
  }
  bool is_copied = copy_output(o, &t, size);
  int status = tool_end(&t, &message);
  bool ok = is_copied && (status == 0 || status == TAR_CHANGED);
  if (is_copied && !ok) {
    builder_format(why, "tar failed: %.*s", (int)message.len,
                   message.data == NULL ? "" : message.data);
  }
  builder_free(&message);
  return ok;
}

bool archive_write(struct output *o, const struct dump *d, struct archive_size *size,
                   struct builder *why) {
  const char *path = dump_sets(d)->prefix, *slash = strrchr(path, '/');
  struct builder option = {0};
  *size = (struct archive_size){0};
  int len = slash == NULL ? 1 : (int)(slash - path) + 1;
  builder_format(&option, "--directory=%.*s%c", len, slash == NULL ? "." : path, '\0');
  int names = option.failed ? -1 : make_list(d, size);
  bool ok = names >= 0 && run_tar(o, option.data, names, size, why);
  if (names >= 0) close(names);
  if (names < 0) builder_string(why, "out of memory");
  builder_free(&option);
  return ok;
}
