#include "tools/orca/dump/digest.h"

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

/* Of less than sixteen bytes; those that are not there are zeros, so the length has to count too.
 */
static uint64_t of_short(struct span s) {
  char last[16] = {0};
  if (s.len > 0) memcpy(last, s.data, s.len);
  return mix(take(SEED, last), s.len ^ SECOND);
}

/* Two chains beside each other, as one waits for its own products: a dump is mostly long stacks.
   The last sixteen bytes may overlap those before, which takes no branch. */
uint64_t digest(struct span s) {
  if (s.len < 16) return of_short(s);
  const char *last = s.data + s.len - 16;
  uint64_t hash = SEED, other = SECOND;
  for (size_t left = s.len; left > 32; left -= 32, s.data += 32) {
    hash = take(hash, s.data);
    other = take(other, s.data + 16);
  }
  if (last > s.data) other = take(other, s.data);
  return mix(take(hash, last) ^ other, s.len ^ SECOND);
}
