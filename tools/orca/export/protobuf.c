#include "tools/orca/export/protobuf.h"

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

void protobuf_varint(struct builder *b, uint64_t n) {
  for (; n >= 0x80; n >>= 7) builder_char(b, (char)(0x80 | (n & 0x7F)));
  builder_char(b, (char)n);
}

static void put_tag(struct builder *b, unsigned field, unsigned wire) {
  protobuf_varint(b, field << 3 | wire);
}

void protobuf_integer(struct builder *b, unsigned field, uint64_t n) {
  if (n == 0) return;
  put_tag(b, field, WIRE_VARINT);
  protobuf_varint(b, n);
}

void protobuf_bytes(struct builder *b, unsigned field, struct span bytes) {
  put_tag(b, field, WIRE_BYTES);
  protobuf_varint(b, bytes.len);
  builder_bytes(b, bytes.data, bytes.len);
}
