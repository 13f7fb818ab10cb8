#include "tools/orca/pack/unpacked.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/text.h"
#include "tools/orca/dump/prefix.h"
#include "tools/orca/dump/sets.h"
#include "tools/orca/pack/tool.h"

#define MAX_FILES 100000
#define MAX_LINE 8192
#define NAME_FIELD 5 /* of a line of `tar --list --verbose` */
#define SIZE_FIELD 2

/* --- which files are packs ----------------------------------------------------------------- */

static bool ends_with(const char *name, const char *suffix) {
  size_t len = strlen(name), n = strlen(suffix);
  return len > n && strcmp(name + len - n, suffix) == 0;
}

size_t unpacked_stem_len(const char *name) {
  static const char *const suffixes[] = {".tar.gz", ".tgz"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    if (ends_with(name, suffixes[i])) return strlen(name) - strlen(suffixes[i]);
  }
  return strlen(name);
}

bool unpacked_is_pack(const char *name) {
  static const unsigned char gzip_magic[] = {0x1F, 0x8B};
  unsigned char start[2] = {0};
  struct stat st;
  if (stat(name, &st) != 0 || !S_ISREG(st.st_mode)) return false;
  if (unpacked_stem_len(name) < strlen(name)) return true;
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool is_gzip =
      read(fd, start, sizeof start) == sizeof start && memcmp(start, gzip_magic, sizeof start) == 0;
  close(fd);
  return is_gzip;
}

/* --- the list of its files ----------------------------------------------------------------- */

/* What the list says so far. */
struct listed {
  const char *name; /* of the pack */
  uint64_t room;    /* bytes that the temporary folder has */
  uint64_t bytes;   /* of the files */
  size_t files;
  struct builder stem; /* of the first file, as tar spells it */
  struct builder *why;
};

static struct span get_stem(struct span file) {
  struct builder text = {0};
  builder_bytes(&text, file.data, file.len);
  builder_char(&text, '\0');
  size_t len = text.failed ? 0 : prefix_stem_len(text.data);
  builder_free(&text);
  return (struct span){file.data, len < file.len ? sets_stem_len(file.data, len) : 0};
}

/* A line is "-rw-r--r-- 0/0 312 2026-11-23 01:42 shop.orca". Splits it into the size and the name.
 */
static bool read_line(struct span line, uint64_t *out_size, struct span *out_name) {
  int64_t size = -1;
  struct span field, text = line;
  if (line.len == 0 || line.data[0] != '-') return false;
  for (int i = 0; i < NAME_FIELD; i++) {
    while (text.len > 0 && text.data[0] == ' ') text.data++, text.len--;
    if (!span_cut(&text, ' ', &field) || text.data == NULL) return false;
    if (i == SIZE_FIELD && !text_parse_decimal(field, &size)) return false;
  }
  *out_size = (uint64_t)size;
  *out_name = text;
  return size >= 0 && text.len > 0;
}

/* Returns whether the file belongs to the recording of the files before it. */
static bool take_name(struct listed *l, struct span name) {
  struct span stem = get_stem(name);
  if (stem.len == 0 || memchr(name.data, '/', name.len) != NULL) return false;
  if (l->files == 0) builder_bytes(&l->stem, stem.data, stem.len);
  return !l->stem.failed && l->stem.len == stem.len &&
         memcmp(l->stem.data, stem.data, stem.len) == 0;
}

/* Appends the message and returns false if the pack must not be unpacked. */
static bool take_line(struct listed *l, struct span line) {
  struct span name = line;
  uint64_t size = 0;
  if (!read_line(line, &size, &name) || !take_name(l, name)) {
    builder_format(l->why, "%s is not a file of orca pack: it contains \"%.*s\"", l->name,
                   (int)(name.len < 200 ? name.len : 200), name.data);
    return false;
  }
  if (++l->files > MAX_FILES) {
    builder_format(l->why, "%s contains more than %d files", l->name, MAX_FILES);
    return false;
  }
  if (size > l->room - l->bytes) {
    builder_format(l->why,
                   "%s does not fit into the temporary folder: its files have more than %llu MB, "
                   "the folder has room for %llu MB; set TMPDIR to a folder with more room",
                   l->name, (unsigned long long)((l->bytes + size) >> 20),
                   (unsigned long long)(l->room >> 20));
    return false;
  }
  l->bytes += size;
  return true;
}

/* Appends the message that tar gave. */
static void append_tar_error(struct builder *why, const char *name, const struct builder *message) {
  builder_format(why, "%s is incomplete, or not a file of orca pack (%.*s)", name,
                 (int)message->len, message->data == NULL ? "" : message->data);
}

static bool read_list(struct listed *l, const struct tool *t) {
  char line[MAX_LINE];
  FILE *output = fdopen(dup(t->output), "r");
  bool ok = output != NULL;
  if (!ok) builder_string(l->why, "out of memory");
  while (ok && fgets(line, sizeof line, output) != NULL) {
    ok = take_line(l, (struct span){line, strcspn(line, "\n")});
  }
  if (output != NULL) fclose(output);
  return ok;
}

static bool check_list(struct listed *l, int pack) {
  static const char *const arguments[] = {"--list",   "--verbose",       "--gzip",
                                          "--file=-", "--numeric-owner", "--quoting-style=escape",
                                          NULL};
  struct builder message = {0};
  struct tool t;
  int error = tool_start(&t, TOOL_TAR, arguments, pack);
  if (error != 0) {
    builder_format(l->why, "%s cannot be unpacked: tar cannot be started: %s", l->name,
                   strerror(error));
    return false;
  }
  bool ok = read_list(l, &t);
  if (!ok) kill(t.pid, SIGKILL); /* it may be about to unpack a file without end */
  bool is_whole = tool_end(&t, &message) == 0;
  if (ok && !is_whole) append_tar_error(l->why, l->name, &message);
  if (ok && is_whole && l->files == 0) {
    builder_format(l->why, "%s is not a file of orca pack: it contains no file of a recording",
                   l->name);
  }
  builder_free(&message);
  return ok && is_whole && l->files > 0;
}

void unpacked_remove(struct unpacked *u) {
  temporary_remove(&u->temporary);
  free(u->prefix);
  *u = (struct unpacked){0};
}

/* --- unpacking ----------------------------------------------------------------------------- */

static bool extract(struct unpacked *u, const char *name, int pack, struct builder *why) {
  struct builder option = {0}, message = {0};
  struct tool t;
  builder_format(&option, "--directory=%s%c", u->temporary.folder, '\0');
  const char *const arguments[] = {"--extract", "--gzip",          "--file=-",
                                   option.data, "--no-same-owner", "--no-same-permissions",
                                   NULL};
  int error = option.failed ? ENOMEM : tool_start(&t, TOOL_TAR, arguments, pack);
  if (error != 0) {
    builder_format(why, "%s cannot be unpacked: %s", name, strerror(error));
  } else {
    error = tool_end(&t, &message);
    if (error != 0) append_tar_error(why, name, &message);
  }
  builder_free(&option);
  builder_free(&message);
  return error == 0;
}

static bool find_prefix(struct unpacked *u, struct builder *why) {
  struct builder path = {0};
  DIR *folder = opendir(u->temporary.folder);
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
    size_t len = prefix_stem_len(entry->d_name);
    if (len == strlen(entry->d_name)) continue; /* "." */
    builder_format(&path, "%s/%.*s%c", u->temporary.folder, (int)sets_stem_len(entry->d_name, len),
                   entry->d_name, '\0');
    break;
  }
  if (folder != NULL) closedir(folder);
  u->prefix = path.failed ? NULL : path.data;
  if (u->prefix == NULL) builder_string(why, "out of memory");
  return u->prefix != NULL;
}

bool unpacked_open(struct unpacked *u, const char *name, struct builder *why) {
  struct listed list = {.name = name, .why = why};
  *u = (struct unpacked){0};
  int pack = open(name, O_RDONLY | O_CLOEXEC);
  if (pack < 0) {
    builder_format(why, "cannot read %s: %s", name, strerror(errno));
    return false;
  }
  bool ok = temporary_make(&u->temporary, why);
  if (ok) list.room = temporary_room(&u->temporary);
  ok = ok && check_list(&list, pack) && lseek(pack, 0, SEEK_SET) == 0 &&
       extract(u, name, pack, why) && find_prefix(u, why);
  if (!ok) unpacked_remove(u);
  builder_free(&list.stem);
  close(pack);
  return ok;
}
