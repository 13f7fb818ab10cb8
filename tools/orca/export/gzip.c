#include "tools/orca/export/gzip.h"

#define LONGEST_BLOCK 0xFFFFu

/* The CRC-32 of gzip, computed bit by bit. That is fast enough, because exports are small. */
static uint32_t compute_crc(struct span data) {
  uint32_t crc = 0xFFFFFFFF;
  for (size_t i = 0; i < data.len; i++) {
    crc ^= (unsigned char)data.data[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

static void put_little_endian(struct builder *b, uint32_t n, int bytes) {
  for (; bytes > 0; bytes--, n >>= 8) builder_char(b, (char)(n & 0xFF));
}

/* A stored block of deflate (RFC 1951). */
static void put_block(struct builder *b, struct span data, bool last) {
  builder_char(b, last ? 1 : 0);
  put_little_endian(b, (uint32_t)data.len, 2);
  put_little_endian(b, ~(uint32_t)data.len, 2);
  builder_bytes(b, data.data, data.len);
}

void gzip_stored(struct builder *b, struct span data) {
  static const char header[10] = {0x1F, (char)0x8B, 8, 0, 0, 0, 0, 0, 0, (char)255};
  uint32_t crc = compute_crc(data), size = (uint32_t)data.len;
  builder_bytes(b, header, sizeof header);
  while (data.len > LONGEST_BLOCK) {
    put_block(b, (struct span){data.data, LONGEST_BLOCK}, false);
    data = (struct span){data.data + LONGEST_BLOCK, data.len - LONGEST_BLOCK};
  }
  put_block(b, data, true);
  put_little_endian(b, crc, 4);
  put_little_endian(b, size, 4);
}
