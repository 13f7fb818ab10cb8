#include "tools/dump/digest.h"

#include <string.h>

#define SEED UINT64_C(0x9E3779B97F4A7C15)
#define FIRST UINT64_C(0xD6E8FEB86659FD93)
#define SECOND UINT64_C(0xA0761D6478BD642F)

static uint64_t mix(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t word(const char *at) {
  uint64_t w;
  memcpy(&w, at, sizeof w);
  return w;
}

/* Sixteen bytes at a time. */
static uint64_t take(uint64_t hash, const char *at) {
  return mix(hash ^ word(at), word(at + 8) ^ FIRST);
}

/* What is less than sixteen bytes is filled up with zeros, so the length counts too. Two chains
 * beside each other, as one waits for its own products: a dump is mostly long stacks. */
uint64_t digest(struct span s) {
  char last[16] = {0};
  uint64_t len = s.len, hash = SEED, other = SECOND;
  for (; s.len >= 32; s.data += 32, s.len -= 32) {
    hash = take(hash, s.data);
    other = take(other, s.data + 16);
  }
  if (s.len >= 16) {
    other = take(other, s.data);
    s = (struct span){s.data + 16, s.len - 16};
  }
  if (s.len > 0) memcpy(last, s.data, s.len);
  return mix(take(hash, last) ^ other, len ^ SECOND);
}
