#include "tools/orca/dump/digest.h"

#include <string.h>

#define SEED UINT64_C(0x9E3779B97F4A7C15)
#define SECRET_1 UINT64_C(0xD6E8FEB86659FD93)
#define SECRET_2 UINT64_C(0xA0761D6478BD642F)

static uint64_t multiply_fold(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t load_word(const char *at) {
  uint64_t w;
  memcpy(&w, at, sizeof w);
  return w;
}

static uint64_t add_16_bytes(uint64_t hash, const char *at) {
  return multiply_fold(hash ^ load_word(at), load_word(at + 8) ^ SECRET_1);
}

/* For fewer than 16 bytes. They are padded with zeros, so the length is part of the hash. */
static uint64_t digest_short(struct span s) {
  char last[16] = {0};
  if (s.len > 0) memcpy(last, s.data, s.len);
  return multiply_fold(add_16_bytes(SEED, last), s.len ^ SECRET_2);
}

/* Most texts are long stacks. Two independent chains hide the latency of the multiplications. The
   last 16 bytes may overlap the bytes before them, which avoids a branch for the remainder. */
uint64_t digest(struct span s) {
  if (s.len < 16) return digest_short(s);
  const char *last = s.data + s.len - 16;
  uint64_t hash = SEED, second_hash = SECRET_2;
  for (size_t left = s.len; left > 32; left -= 32, s.data += 32) {
    hash = add_16_bytes(hash, s.data);
    second_hash = add_16_bytes(second_hash, s.data + 16);
  }
  if (last > s.data) second_hash = add_16_bytes(second_hash, s.data);
  return multiply_fold(add_16_bytes(hash, last) ^ second_hash, s.len ^ SECRET_2);
}
