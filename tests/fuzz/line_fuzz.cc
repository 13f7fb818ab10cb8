// Reads arbitrary bytes as a line of each dump file. A reader must not crash, and a line that it
// accepts must be written back byte for byte.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

#include "agent/event/info.h"
#include "agent/event/line.h"

namespace {

void Require(bool condition, const char *failure) {
  if (condition) return;
  fprintf(stderr, "%s\n", failure);
  abort();
}

// Requires that the written line is the line read, followed by a newline.
void RequireSame(struct builder *b, struct span line, const char *failure) {
  Require(!b->failed && b->len == line.len + 1 && b->data[line.len] == '\n' &&
              memcmp(b->data, line.data, line.len) == 0,
          failure);
  builder_free(b);
}

bool IsInside(struct span piece, struct span line) {
  return piece.data >= line.data && piece.data + piece.len <= line.data + line.len;
}

void TestName(struct span name) {
  Require(text_name_ok(name), "a reader accepted an invalid name");
  struct builder b = {};
  text_plain(&b, name);
  Require(!b.failed && b.len <= name.len, "a plain name is longer than the name");
  for (size_t i = 0; i < b.len; i++) {
    unsigned char c = static_cast<unsigned char>(b.data[i]);
    Require(c >= ' ' && c != 0x7F, "a plain name has a control character");
  }
  builder_free(&b);
}

void TestStack(struct span stack) {
  size_t depth, walked = 0;
  Require(stack_check(stack, &depth) == nullptr, "a reader accepted an invalid stack");
  struct span rest = stack_frames(stack);
  for (struct frame f; stack_next(&rest, &f);) walked++;
  Require(walked == depth, "the depth of a stack is not its number of frames");
}

void TestEvent(struct span line) {
  struct event_line event;
  if (event_line_read(line, &event) != nullptr) return;
  enum event_shape shape = event_infos[event.kind].shape;
  if (shape_has_stack(shape)) TestStack(event.stack);
  if (shape_has_name(shape)) TestName(event.name);
  struct builder b = {};
  event_line_write(&b, &event);
  RequireSame(&b, line, "an event changed when it was written back");
}

void TestSample(struct span line) {
  struct sample_line sample;
  if (sample_line_read(line, &sample) != nullptr) return;
  if (sample.kind == SAMPLE_STACK) TestStack(sample.stack);
  struct builder b = {};
  sample_line_write(&b, &sample);
  RequireSame(&b, line, "a sample changed when it was written back");
}

void TestClass(struct span line) {
  struct class_line c;
  if (class_line_read(line, &c) != nullptr) return;
  Require(IsInside(c.signature, line) && IsInside(c.source, line),
          "a field lies outside of its line");
  TestName(c.signature);
  TestName(c.source);
}

void TestMethod(struct span line) {
  struct method_line m;
  if (method_line_read(line, &m) != nullptr) return;
  TestName(m.name);
  TestName(m.signature);
  for (uint32_t location : {0u, 1u, 0x10u, 0x7FFFFFFFu, LOCATION_NATIVE}) {
    uint32_t found = lines_find(m.lines, location);
    size_t entries;
    lines_check(m.lines, &entries);
    Require(entries > 0 || found == 0, "a line was found in an empty line table");
  }
}

void TestObject(struct span line) {
  struct object_line o;
  if (object_line_read(line, &o) != nullptr) return;
  struct builder b = {};
  text_ticks(&b, o.time);
  builder_char(&b, ',');
  object_body_write(&b, o.hash, o.class_id);
  RequireSame(&b, line, "an object changed when it was written back");
}

void TestCount(struct span line) {
  struct count_line count;
  if (count_line_read(line, &count) != nullptr) return;
  if (count.is_short) TestStack(count.stack);
  struct builder b = {};
  count_line_write(&b, &count);
  RequireSame(&b, line, "a count changed when it was written back");
}

void TestInfo(struct span line) {
  struct span key, value;
  if (info_line_read(line, &key, &value) != nullptr) return;
  Require(key.len + 1 + value.len == line.len, "key and value are not the whole line");
  TestName(key);
}

// The reverse: a line written with arbitrary bytes as a name must be valid.
void TestWrittenNames(const char *bytes, size_t len) {
  const std::string copy(bytes, len);
  const char *name = copy.c_str();
  struct line_entry entry = {1, 2};
  struct builder b = {};
  builder_string(&b, "1.0000000000,");
  method_body_write(&b, 1, name, name, 2, &entry, 1);
  struct method_line m;
  Require(method_line_read({b.data, b.len - 1}, &m) == nullptr, "a written method line is invalid");
  b.len = 0;
  builder_string(&b, "1.0000000000,");
  class_body_write(&b, 1, name, name);
  struct class_line c;
  Require(class_line_read({b.data, b.len - 1}, &c) == nullptr, "a written class line is invalid");
  b.len = 0;
  info_line_write(&b, INFO_COMMAND, name);
  struct span key, value;
  Require(info_line_read({b.data, b.len - 1}, &key, &value) == nullptr,
          "a written info line is invalid");
  Require(memchr(b.data, '\n', b.len) == b.data + b.len - 1, "a written line contains a newline");
  builder_free(&b);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A copy of exactly this size lets AddressSanitizer detect reads past the end.
  char *bytes = static_cast<char *>(malloc(size + (size == 0)));
  memcpy(bytes, data, size);
  struct span line = {bytes, size};
  TestEvent(line);
  TestSample(line);
  TestClass(line);
  TestMethod(line);
  TestObject(line);
  TestCount(line);
  TestInfo(line);
  TestWrittenNames(bytes, size);
  free(bytes);
  return 0;
}
