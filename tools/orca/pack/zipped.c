#include "tools/orca/pack/zipped.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/orca/pack/tool.h"
#include "tools/orca/pack/zip_list.h"

#define BLOCK_SIZE 65536

/* unzip needs a file in which it can seek: its standard input, opened again. */
#define INPUT "/dev/fd/0"

bool zipped_is_zip(const char *name) {
  char start[4] = {0};
  struct stat st;
  size_t len = strlen(name);
  if (stat(name, &st) != 0 || !S_ISREG(st.st_mode)) return false;
  if (len > 4 && strcmp(name + len - 4, ".zip") == 0) return true;
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool is_zip = read(fd, start, sizeof start) == sizeof start &&
                (memcmp(start, "PK\3\4", 4) == 0 || memcmp(start, "PK\5\6", 4) == 0);
  close(fd);
  return is_zip;
}

/* What is read from where. */
struct zip {
  const char *name;
  int fd;
  struct zip_list list;
  struct builder *why;
};

static bool start_unzip(const struct zip *z, struct tool *t, const char *const *arguments) {
  int error = tool_start(t, TOOL_UNZIP, arguments, z->fd);
  if (error == 0) return true;
  builder_format(z->why, "%s cannot be unpacked: unzip cannot be started: %s", z->name,
                 strerror(error));
  return false;
}

/* --- the list ------------------------------------------------------------------------------ */

static bool take_lines(struct zip *z, const struct tool *t) {
  char *line = NULL;
  size_t capacity = 0;
  FILE *output = fdopen(dup(t->output), "r");
  bool ok = output != NULL;
  if (!ok) builder_string(z->why, "out of memory");
  for (ssize_t len; ok && (len = getline(&line, &capacity, output)) > 0;) {
    size_t end = (size_t)len - (line[len - 1] == '\n');
    ok = zip_list_take(&z->list, (struct span){line, end}, z->name, z->why);
  }
  free(line);
  if (output != NULL) fclose(output);
  return ok;
}

static bool read_list(struct zip *z) {
  static const char *const arguments[] = {"-Z", "-l", INPUT, NULL};
  struct builder message = {0};
  struct tool t;
  if (!start_unzip(z, &t, arguments)) return false;
  bool ok = take_lines(z, &t);
  if (!ok) kill(t.pid, SIGKILL);
  bool is_whole = tool_end(&t, &message) == 0;
  if (ok && !is_whole) builder_format(z->why, "%s is incomplete, or not a zip file", z->name);
  builder_free(&message);
  return ok && is_whole && zip_list_end(&z->list, z->name, z->why);
}

/* Returns the recording of this stem, or with a file of this name; NULL: none. */
static const char *find_recording(const struct zip *z, const char *recording) {
  struct span given = {recording, strlen(recording)}, stem;
  for (size_t i = 0; i < z->list.stems.num; i++) {
    const char *name = z->list.stems.names[i];
    if (span_is(given, name) || (stems_find(given, &stem) && span_is(stem, name))) return name;
  }
  return NULL;
}

/* Returns NULL with a message if it is not clear which recording is meant. */
static const char *choose_recording(const struct zip *z, const char *recording) {
  const struct stems *all = &z->list.stems;
  if (all->num == 0) {
    builder_format(z->why, "%s contains no recording", z->name);
    return NULL;
  }
  const char *found = recording == NULL ? all->names[0] : find_recording(z, recording);
  if (found != NULL && (recording != NULL || all->num == 1)) return found;
  if (found == NULL) builder_format(z->why, "no recording %s: ", recording);
  stems_put_choice(all, z->name, z->why);
  return NULL;
}

/* --- unpacking ----------------------------------------------------------------------------- */

/* unzip takes names as patterns, and a word that begins with '-' as an option. */
static void append_pattern(struct builder *b, const char *path) {
  for (const char *at = path; *at != '\0'; at++) {
    if (strchr("*?[]\\", *at) != NULL || (at == path && *at == '-')) builder_char(b, '\\');
    builder_char(b, *at);
  }
  builder_char(b, '\0');
}

static bool write_block(int fd, const char *data, size_t len) {
  for (ssize_t n; len > 0; data += n, len -= (size_t)n) {
    n = write(fd, data, len);
    if (n < 0 && errno != EINTR) return false;
    if (n < 0) n = 0;
  }
  return true;
}

/* Copies exactly `size` bytes. Returns NULL or the problem. */
static const char *copy_output(const struct tool *t, int fd, uint64_t size) {
  char block[BLOCK_SIZE];
  for (ssize_t len; (len = read(t->output, block, sizeof block)) != 0;) {
    if (len < 0 && errno == EINTR) continue;
    if (len < 0) return strerror(errno);
    if ((uint64_t)len > size) return "it is larger than the zip file says";
    if (!write_block(fd, block, (size_t)len)) return strerror(errno);
    size -= (uint64_t)len;
  }
  return size == 0 ? NULL : "it is incomplete";
}

static bool unpack_into(const struct zip *z, const struct zip_file *file, int fd) {
  struct builder pattern = {0}, message = {0};
  struct tool t;
  append_pattern(&pattern, file->path);
  const char *const arguments[] = {"-P", "none", "-p", INPUT, pattern.data, NULL};
  bool ok = !pattern.failed && start_unzip(z, &t, arguments);
  if (ok) {
    const char *problem = copy_output(&t, fd, file->size);
    if (problem != NULL) kill(t.pid, SIGKILL);
    bool is_good = tool_end(&t, &message) == 0;
    if (problem == NULL && !is_good) problem = "unzip finds it broken";
    if (problem != NULL) {
      builder_format(z->why, "%s cannot be unpacked: %s: %s", z->name, file->path, problem);
    }
    ok = problem == NULL;
  }
  builder_free(&pattern);
  builder_free(&message);
  return ok;
}

static bool unpack_file(const struct zip *z, const struct zip_file *file, const char *folder) {
  const char *slash = strrchr(file->path, '/');
  struct builder path = {0};
  builder_format(&path, "%s/%s%c", folder, slash == NULL ? file->path : slash + 1, '\0');
  int fd = path.failed ? -1 : open(path.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    builder_format(z->why, "%s cannot be unpacked: %s: %s", z->name, file->path, strerror(errno));
  }
  bool ok = fd >= 0 && unpack_into(z, file, fd);
  if (fd >= 0) close(fd);
  builder_free(&path);
  return ok;
}

static bool is_of(const struct zip_file *file, const char *stem) {
  return span_is((struct span){file->path, file->stem_len}, stem);
}

static bool check_room(const struct zip *z, const char *stem, const struct temporary *t) {
  uint64_t room = temporary_room(t), bytes = 0;
  for (size_t i = 0; i < z->list.num; i++) {
    const struct zip_file *file = &z->list.files[i];
    if (!is_of(file, stem)) continue;
    if (file->size > room - bytes) {
      builder_format(z->why,
                     "%s does not fit into the temporary folder, which has room for %llu MB; set "
                     "TMPDIR to a folder with more room",
                     z->name, (unsigned long long)(room >> 20));
      return false;
    }
    bytes += file->size;
  }
  return true;
}

static bool unpack_recording(const struct zip *z, const char *stem, struct unpacked *u) {
  const char *slash = strrchr(stem, '/');
  struct builder prefix = {0};
  if (!temporary_make(&u->temporary, z->why)) return false;
  bool ok = check_room(z, stem, &u->temporary);
  for (size_t i = 0; ok && i < z->list.num; i++) {
    const struct zip_file *file = &z->list.files[i];
    if (is_of(file, stem)) ok = unpack_file(z, file, u->temporary.folder);
  }
  builder_format(&prefix, "%s/%s%c", u->temporary.folder, slash == NULL ? stem : slash + 1, '\0');
  u->prefix = prefix.data;
  if (prefix.failed) builder_string(z->why, "out of memory");
  if (!ok || prefix.failed) unpacked_remove(u);
  return ok && !prefix.failed;
}

static bool open_zip(struct zip *z, const char *name, struct builder *why) {
  *z = (struct zip){.name = name, .fd = open(name, O_RDONLY | O_CLOEXEC), .why = why};
  if (z->fd < 0) builder_format(why, "cannot read %s: %s", name, strerror(errno));
  return z->fd >= 0;
}

bool zipped_list(const char *name, struct stems *out, struct builder *why) {
  struct zip z;
  if (!open_zip(&z, name, why)) return false;
  bool ok = read_list(&z);
  for (size_t i = 0; ok && i < z.list.stems.num; i++) {
    const char *stem = z.list.stems.names[i];
    ok = stems_add(out, (struct span){stem, strlen(stem)});
    if (!ok) builder_string(why, "out of memory");
  }
  zip_list_free(&z.list);
  close(z.fd);
  return ok;
}

bool zipped_open(struct unpacked *u, const char *name, const char *recording, struct builder *stem,
                 struct builder *why) {
  struct zip z;
  *u = (struct unpacked){0};
  if (!open_zip(&z, name, why)) return false;
  const char *chosen = read_list(&z) ? choose_recording(&z, recording) : NULL;
  bool ok = chosen != NULL && unpack_recording(&z, chosen, u);
  if (ok) builder_bytes(stem, chosen, strlen(chosen) + 1);
  zip_list_free(&z.list);
  close(z.fd);
  return ok;
}
