// Any bytes as a line of each dump file: a reader must not fall over them, and what it takes must
// be written back byte for byte.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

#include "agent/event/line.h"

namespace {

void Require(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "%s\n", what);
  abort();
}

// The written line is the read one and a newline.
void SameLine(struct builder *b, struct span line, const char *what) {
  Require(!b->failed && b->len == line.len + 1 && b->data[line.len] == '\n' &&
              memcmp(b->data, line.data, line.len) == 0,
          what);
  builder_free(b);
}

bool Inside(struct span piece, struct span line) {
  return piece.data >= line.data && piece.data + piece.len <= line.data + line.len;
}

void Plain(struct span name) {
  Require(text_name_ok(name), "a reader took a name that is not spelled right");
  struct builder b = {};
  text_plain(&b, name);
  Require(!b.failed && b.len <= name.len, "a plain name is longer than the name");
  for (size_t i = 0; i < b.len; i++) {
    unsigned char c = static_cast<unsigned char>(b.data[i]);
    Require(c >= ' ' && c != 0x7F, "a plain name has a control character");
  }
  builder_free(&b);
}

void Stack(struct span stack) {
  size_t depth, walked = 0;
  Require(stack_check(stack, &depth) == nullptr, "a reader took a stack that is not right");
  struct span rest = stack_frames(stack);
  for (struct frame f; stack_next(&rest, &f);) walked++;
  Require(walked == depth, "a stack has another depth than frames");
}

void Event(struct span line) {
  struct event_line event;
  if (event_line_read(line, &event) != nullptr) return;
  enum event_shape shape = event_infos[event.kind].shape;
  if (shape_has_stack(shape)) Stack(event.stack);
  if (shape_has_name(shape)) Plain(event.name);
  struct builder b = {};
  event_line_write(&b, &event);
  SameLine(&b, line, "an event is written otherwise than it was read");
}

void Sample(struct span line) {
  struct sample_line sample;
  if (sample_line_read(line, &sample) != nullptr) return;
  if (sample.kind == SAMPLE_STACK) Stack(sample.stack);
  struct builder b = {};
  sample_line_write(&b, &sample);
  SameLine(&b, line, "a sample is written otherwise than it was read");
}

void Class(struct span line) {
  struct class_line c;
  if (class_line_read(line, &c) != nullptr) return;
  Require(Inside(c.signature, line) && Inside(c.source, line), "a field lies outside its line");
  Plain(c.signature);
  Plain(c.source);
}

void Method(struct span line) {
  struct method_line m;
  if (method_line_read(line, &m) != nullptr) return;
  Plain(m.name);
  Plain(m.signature);
  for (uint32_t location : {0u, 1u, 0x10u, 0x7FFFFFFFu, LOCATION_NATIVE}) {
    uint32_t found = lines_find(m.lines, location);
    size_t entries;
    lines_check(m.lines, &entries);
    Require(entries > 0 || found == 0, "a line was found in an empty line table");
  }
}

void Object(struct span line) {
  struct object_line o;
  if (object_line_read(line, &o) != nullptr) return;
  struct builder b = {};
  text_ticks(&b, o.time);
  builder_char(&b, ',');
  object_body_write(&b, o.hash, o.class_id);
  SameLine(&b, line, "an object is written otherwise than it was read");
}

void Info(struct span line) {
  struct span key, value;
  if (info_line_read(line, &key, &value) != nullptr) return;
  Require(key.len + 1 + value.len == line.len, "key and value are not all of their line");
  Plain(key);
}

// The other way: whatever bytes the JVM gives for a name, the line that holds it reads.
void Names(const char *bytes, size_t len) {
  const std::string copy(bytes, len);
  const char *name = copy.c_str();
  struct line_entry entry = {1, 2};
  struct builder b = {};
  builder_string(&b, "1.0000000000,");
  method_body_write(&b, 1, name, name, 2, &entry, 1);
  struct method_line m;
  Require(method_line_read({b.data, b.len - 1}, &m) == nullptr, "a written method does not read");
  b.len = 0;
  builder_string(&b, "1.0000000000,");
  class_body_write(&b, 1, name, name);
  struct class_line c;
  Require(class_line_read({b.data, b.len - 1}, &c) == nullptr, "a written class does not read");
  b.len = 0;
  info_line_write(&b, "key", name);
  struct span key, value;
  Require(info_line_read({b.data, b.len - 1}, &key, &value) == nullptr,
          "a written value does not read");
  Require(memchr(b.data, '\n', b.len) == b.data + b.len - 1, "a line is more than one line");
  builder_free(&b);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A copy of just this size, so that AddressSanitizer sees a byte read too far.
  char *bytes = static_cast<char *>(malloc(size + (size == 0)));
  memcpy(bytes, data, size);
  struct span line = {bytes, size};
  Event(line);
  Sample(line);
  Class(line);
  Method(line);
  Object(line);
  Info(line);
  Names(bytes, size);
  free(bytes);
  return 0;
}
