#include "agent/writer/call_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/text.h"

#define BLOCK_BYTES (64 * 1024)
#define MAX_NAME 300 /* bytes of the name of a method */

/* --- definitions in the files ----------------------------------------------------------------- */

/* Cuts the first whole line of `*lines`. Returns whether it defines this id; `*body`: its text
   after "timestamp,". */
static bool cut_line(struct span *lines, uint32_t id, bool *is_found, struct span *body) {
  uint32_t found;
  const char *end = lines->len == 0 ? NULL : memchr(lines->data, '\n', lines->len);
  if (end == NULL) return false;
  struct span line = {lines->data, (size_t)(end - lines->data)}, time;
  *lines = (struct span){end + 1, lines->len - line.len - 1};
  span_cut(&line, ',', &time);
  *is_found = line.data != NULL && line.len > 8 &&
              text_parse_hash((struct span){line.data, 8}, &found) && found == id;
  *body = line;
  return true;
}

/* Searches whole lines. `*rest` becomes the bytes after the last one. */
static bool search_lines(struct span lines, uint32_t id, struct builder *out, struct span *rest) {
  bool is_found = false;
  struct span body;
  while (!is_found && cut_line(&lines, id, &is_found, &body)) continue;
  if (is_found) builder_bytes(out, body.data, body.len);
  *rest = lines;
  return is_found;
}

/* A pipe is never read: its lines are for somebody else. */
static int open_again(const struct dump_file *f) {
  char path[64];
  struct stat st;
  if (f->fd < 0 || fstat(f->fd, &st) != 0 || !S_ISREG(st.st_mode)) return -1;
  snprintf(path, sizeof path, "/proc/self/fd/%d", f->fd);
  return open(path, O_RDONLY | O_CLOEXEC);
}

/* Appends the next block. False at the end of the file. */
static bool read_block(int fd, struct builder *text) {
  char *room = builder_room(text, BLOCK_BYTES);
  ssize_t n;
  if (room == NULL) return false;
  do {
    n = read(fd, room, BLOCK_BYTES);
  } while (n < 0 && errno == EINTR);
  text->len += n > 0 ? (size_t)n : 0;
  return n > 0;
}

static bool search_file(const struct dump_file *f, uint32_t id, struct builder *out) {
  struct builder text = {0};
  struct span rest;
  int fd = open_again(f);
  bool is_found = false;
  while (fd >= 0 && !is_found && read_block(fd, &text)) {
    is_found = search_lines((struct span){text.data, text.len}, id, out, &rest);
    if (rest.len > 0) memmove(text.data, rest.data, rest.len);
    text.len = rest.len;
  }
  if (fd >= 0) close(fd);
  builder_free(&text);
  return is_found;
}

/* Appends the text of a definition after "timestamp,". False if there is none. */
static bool find_definition(struct output *o, enum file file, uint32_t id, struct builder *out) {
  const struct dump_file *f = &o->files[file];
  struct span rest;
  if (rotation_is_on(&o->rotation)) {
    struct span body = definitions_find(&o->rotation.definitions, file, id);
    if (body.data != NULL) builder_bytes(out, body.data, body.len);
    return body.data != NULL;
  }
  return search_lines((struct span){f->lines.data, f->lines.len}, id, out, &rest) ||
         search_file(f, id, out);
}

/* --- names ------------------------------------------------------------------------------------ */

/* "Lcom/acme/Cart;" becomes com.acme.Cart. */
static void put_class(struct builder *b, struct span signature) {
  bool is_object = signature.len > 2 && signature.data[0] == 'L' && span_ends(signature, ";");
  struct span name = is_object ? (struct span){signature.data + 1, signature.len - 2} : signature;
  size_t start = b->len;
  text_plain(b, name);
  for (size_t i = start; i < b->len; i++) {
    if (b->data[i] == '/') b->data[i] = '.';
  }
}

/* The text of a method begins "METHODID,name,signature,CLASSID,", that of a class
   "CLASSID,signature,". */
static bool put_method(struct output *o, uint32_t method, struct builder *b) {
  struct builder text = {0}, class_text = {0};
  struct span id, name, signature, class_field, class_name;
  uint32_t class_id = 0;
  bool good = method != 0 && find_definition(o, FILE_METHODS, method, &text) && !text.failed;
  struct span rest = {text.data, text.len};
  good = good && span_cut(&rest, ',', &id) && span_cut(&rest, ',', &name) &&
         span_cut(&rest, ',', &signature) && span_cut(&rest, ',', &class_field) &&
         text_parse_hash(class_field, &class_id) &&
         find_definition(o, FILE_CLASSES, class_id, &class_text) && !class_text.failed;
  struct span class_rest = {class_text.data, class_text.len};
  good = good && span_cut(&class_rest, ',', &id) && span_cut(&class_rest, ',', &class_name);
  if (good) {
    put_class(b, class_name);
    builder_char(b, '.');
    text_plain(b, name);
  }
  builder_free(&text);
  builder_free(&class_text);
  return good;
}

/* --- the sentence ----------------------------------------------------------------------------- */

/* Cuts a name that is too long, but no character. */
static void cut_name(struct builder *b) {
  if (b->len <= MAX_NAME) return;
  size_t len = MAX_NAME;
  while (len > 0 && (b->data[len] & 0xC0) == 0x80) len--;
  b->len = len;
  builder_string(b, "…");
}

static void put_time(struct builder *b, uint64_t ns) {
  bool is_short = ns < NS_PER_S;
  builder_format(b, is_short ? "%.0f ms" : "%.1f s",
                 (double)ns / (double)(is_short ? NS_PER_MS : NS_PER_S));
}

static void put_thread(struct builder *b, const struct long_call *call) {
  if (call->name_len == 0) {
    builder_format(b, "thread %08X", call->thread);
    return;
  }
  builder_string(b, "thread \"");
  text_plain(b, (struct span){call->name, call->name_len});
  builder_char(b, '"');
}

void call_text_write(struct output *o, const struct long_call *call, char *out, size_t size) {
  struct builder b = {0};
  output_flush(o); /* takes the definitions */
  if (!put_method(o, call->method, &b)) builder_format(&b, "method %08X", call->method);
  cut_name(&b);
  builder_string(&b, call->is_over ? " took " : " has run for ");
  put_time(&b, call->ns);
  builder_string(&b, " in ");
  put_thread(&b, call);
  if (!call->is_over) builder_string(&b, " and goes on");
  if (call->num > 1)
    builder_format(&b, "; %zu calls were too long, this one the longest", call->num);
  snprintf(out, size, "%.*s", (int)b.len, b.data);
  builder_free(&b);
}
