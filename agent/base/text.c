#include "agent/base/text.h"

#include <endian.h>
#include <string.h>

/* --- numbers --------------------------------------------------------------- */

/* A 64-bit word holds eight digits or characters, one in each byte, and one operation handles all
   eight. This is fast, and numbers are most of the text of a dump. The lowest byte is the first
   character in memory, or, for hashes, the last one. */
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define EIGHT_DIGITS 100000000

/* Returns the eight decimal digits of n < 10^8 as numbers, the highest digit in the lowest byte. n
   is split into two groups of four digits, then into twos, then into ones. A multiplication and a
   shift divide all groups at once. */
static uint64_t split_digits(uint64_t n) {
  uint64_t parts = n / 10000 | n % 10000 << 32;
  uint64_t high = (parts * 10486 >> 20) & UINT64_C(0x0000007F0000007F);
  parts = high | (parts - high * 100) << 16;
  high = (parts * 103 >> 10) & UINT64_C(0x000F000F000F000F);
  return high | (parts - high * 10) << 8;
}

static char *put_eight_digits(char *to, uint64_t digits) {
  digits = htole64(digits + EACH('0'));
  memcpy(to, &digits, sizeof digits);
  return to + sizeof digits;
}

/* Writes n without leading zeros and returns the end of the text. Up to seven bytes after the end
   are overwritten. The text is written to its final place, because copying bytes that were just
   written in smaller pieces is slow (store forwarding fails). */
static char *put_unsigned(char *to, uint64_t n) {
  if (n >= EIGHT_DIGITS) {
    to = put_unsigned(to, n / EIGHT_DIGITS);
    return put_eight_digits(to, split_digits(n % EIGHT_DIGITS));
  }
  uint64_t digits = split_digits(n);
  int zeros = digits == 0 ? 7 : __builtin_ctzll(digits) / 8;
  put_eight_digits(to, digits >> 8 * zeros);
  return to + 8 - zeros;
}

char *text_put_ticks(char *to, ticks_t t) {
  uint64_t fraction = t % TICKS_PER_S, two = fraction / EIGHT_DIGITS;
  to = put_unsigned(to, t / TICKS_PER_S);
  *to++ = '.';
  *to++ = (char)('0' + two / 10);
  *to++ = (char)('0' + two % 10);
  return put_eight_digits(to, split_digits(fraction % EIGHT_DIGITS));
}

char *text_put_decimal(char *to, int64_t n) {
  if (n < 0) *to++ = '-';
  return put_unsigned(to, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

char *text_put_hash(char *to, uint32_t hash) {
  uint64_t n = hash;
  n = (n | n << 16) & UINT64_C(0x0000FFFF0000FFFF);
  n = (n | n << 8) & UINT64_C(0x00FF00FF00FF00FF);
  n = (n | n << 4) & EACH(0x0F);
  uint64_t letter = (n + EACH(0x80 - 10)) & EACH(0x80);
  n = htobe64(n + EACH('0') + (letter >> 7) * ('A' - '0' - 10));
  memcpy(to, &n, sizeof n);
  return to + sizeof n;
}

static void set_end(struct builder *b, const char *end) { b->len = (size_t)(end - b->data); }

void text_ticks(struct builder *b, ticks_t t) {
  char *to = builder_room(b, TEXT_MAX_NUMBER);
  if (to != NULL) set_end(b, text_put_ticks(to, t));
}

void text_hash(struct builder *b, uint32_t hash) {
  char *to = builder_room(b, TEXT_MAX_NUMBER);
  if (to != NULL) set_end(b, text_put_hash(to, hash));
}

void text_decimal(struct builder *b, int64_t n) {
  char *to = builder_room(b, TEXT_MAX_NUMBER);
  if (to != NULL) set_end(b, text_put_decimal(to, n));
}

/* Parses eight digits: neighbours are joined into numbers of two digits, these into numbers of
   four, and these into the result. */
static bool parse_eight_digits(const char *digits, uint64_t *out) {
  uint64_t c;
  memcpy(&c, digits, sizeof c);
  c = le64toh(c);
  if (((c & EACH(0xF0)) | ((c + EACH(0x06)) & EACH(0xF0)) >> 4) != EACH(0x33)) return false;
  c = (c & EACH(0x0F)) * 2561 >> 8;
  c = (c & UINT64_C(0x00FF00FF00FF00FF)) * 6553601 >> 16;
  *out = (c & UINT64_C(0x0000FFFF0000FFFF)) * UINT64_C(42949672960001) >> 32;
  return true;
}

#define SAFE_DIGITS 19 /* a number of so many digits is below 2^64 */

static bool parse_digits(struct span s, uint64_t max, uint64_t *out) {
  if (s.len == 0) return false;
  uint64_t n = 0;
  for (size_t i = 0; i < s.len; i++) {
    unsigned digit = (unsigned char)s.data[i] - (unsigned)'0';
    if (digit > 9 || (i >= SAFE_DIGITS && n > (max - digit) / 10)) return false;
    n = n * 10 + digit;
  }
  *out = n;
  return n <= max;
}

#define DECIMALS 10 /* of a timestamp */

bool text_parse_ticks(struct span s, ticks_t *out) {
  uint64_t whole, most, last;
  if (s.len < 1 + DECIMALS + 1 || s.data[s.len - DECIMALS - 1] != '.') return false;
  struct span seconds = {s.data, s.len - DECIMALS - 1};
  const char *decimals = s.data + s.len - DECIMALS;
  if (seconds.len > 1 && seconds.data[0] == '0') return false;
  if (!parse_digits(seconds, UINT64_MAX / TICKS_PER_S - 1, &whole)) return false;
  if (!parse_eight_digits(decimals, &most)) return false;
  if (!parse_digits((struct span){decimals + 8, 2}, 99, &last)) return false;
  *out = whole * TICKS_PER_S + most * 100 + last;
  return true;
}

bool text_parse_hash(struct span s, uint32_t *out) {
  if (s.len != 8) return false;
  uint64_t c;
  memcpy(&c, s.data, 8);
  c = be64toh(c);
  if (c & EACH(0x80)) return false;
  uint64_t decimal = (c + EACH(0x80 - '0')) & ~(c + EACH(0x80 - '0' - 10)) & EACH(0x80);
  uint64_t letter = (c + EACH(0x80 - 'A')) & ~(c + EACH(0x80 - 'A' - 6)) & EACH(0x80);
  if ((decimal | letter) != EACH(0x80)) return false;
  uint64_t n = (c & EACH(0x0F)) + (letter >> 7) * 9;
  n = (n | n >> 4) & UINT64_C(0x00FF00FF00FF00FF);
  n = (n | n >> 8) & UINT64_C(0x0000FFFF0000FFFF);
  *out = (uint32_t)(n | n >> 16);
  return true;
}

bool text_parse_decimal(struct span s, int64_t *out) {
  bool negative = s.len > 0 && s.data[0] == '-';
  struct span digits = {s.data + negative, s.len - negative};
  uint64_t n;
  if (!parse_digits(digits, INT64_MAX, &n)) return false;
  if (digits.len > 1 && digits.data[0] == '0') return false;
  if (negative && n == 0) return false;
  *out = negative ? -(int64_t)n : (int64_t)n;
  return true;
}

/* --- names ----------------------------------------------------------------- */

#define NOT_A_CHARACTER 0xFFFFFFFFu
#define REPLACEMENT 0xFFFDu

static bool is_high_surrogate(uint32_t c) { return c >= 0xD800 && c < 0xDC00; }
static bool is_low_surrogate(uint32_t c) { return c >= 0xDC00 && c < 0xE000; }
static bool is_surrogate(uint32_t c) { return c >= 0xD800 && c < 0xE000; }
static bool is_control(uint32_t c) { return c < 0x20 || c == 0x7F || c == 0x2028 || c == 0x2029; }

/* Decodes one character of UTF-8 and moves *at past it. Modified UTF-8 has only the forms of one to
   three bytes; the form of four bytes is accepted too. When there is no valid character, the result
   is NOT_A_CHARACTER and *at moves past one byte. */
static uint32_t decode_unit(const unsigned char **at, const unsigned char *end) {
  static const struct {
    unsigned char mask, lead, tail;
  } forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 1}, {0xF0, 0xE0, 2}, {0xF8, 0xF0, 3}};
  unsigned char first = *(*at)++;
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    if ((first & forms[f].mask) != forms[f].lead) continue;
    if (end - *at < forms[f].tail) return NOT_A_CHARACTER;
    uint32_t c = first & (unsigned char)~forms[f].mask;
    for (int i = 0; i < forms[f].tail; i++) {
      if (((*at)[i] & 0xC0) != 0x80) return NOT_A_CHARACTER;
      c = c << 6 | ((*at)[i] & 0x3Fu);
    }
    *at += forms[f].tail;
    return c;
  }
  return NOT_A_CHARACTER;
}

static void put_utf8(struct builder *b, uint32_t c) {
  char out[4];
  size_t n = 0;
  if (c < 0x80) {
    out[n++] = (char)c;
  } else if (c < 0x800) {
    out[n++] = (char)(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    out[n++] = (char)(0xE0 | c >> 12);
    out[n++] = (char)(0x80 | (c >> 6 & 0x3F));
  } else {
    out[n++] = (char)(0xF0 | c >> 18);
    out[n++] = (char)(0x80 | (c >> 12 & 0x3F));
    out[n++] = (char)(0x80 | (c >> 6 & 0x3F));
  }
  if (c >= 0x80) out[n++] = (char)(0x80 | (c & 0x3F));
  builder_bytes(b, out, n);
}

static void put_escape(struct builder *b, uint32_t unit) {
  char out[6] = {'\\', 'u'};
  for (int i = 5; i >= 2; i--, unit >>= 4) out[i] = "0123456789ABCDEF"[unit & 15];
  builder_bytes(b, out, sizeof out);
}

void text_name(struct builder *b, const char *modified_utf8, size_t len) {
  const unsigned char *at = (const unsigned char *)modified_utf8, *end = at + len;
  while (at < end) {
    uint32_t c = decode_unit(&at, end);
    if (is_high_surrogate(c) && at < end) {
      const unsigned char *next = at;
      uint32_t low = decode_unit(&next, end);
      if (is_low_surrogate(low)) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        at = next;
      }
    }
    if (c > 0x10FFFF) {
      put_escape(b, REPLACEMENT);
    } else if (c == ',' || c == '\\' || is_control(c) || is_surrogate(c)) {
      put_escape(b, c);
    } else {
      put_utf8(b, c);
    }
  }
}

/* Parses a \uXXXX; `at` points to the backslash. Returns NOT_A_CHARACTER when it is malformed. */
static uint32_t parse_escape(const char *at, const char *end) {
  uint32_t unit = 0;
  if (end - at < 6 || at[1] != 'u') return NOT_A_CHARACTER;
  for (int i = 2; i < 6; i++) {
    bool is_decimal = at[i] >= '0' && at[i] <= '9', is_letter = at[i] >= 'A' && at[i] <= 'F';
    if (!is_decimal && !is_letter) return NOT_A_CHARACTER;
    unit = unit << 4 | (uint32_t)(is_decimal ? at[i] - '0' : at[i] - 'A' + 10);
  }
  return unit;
}

/* Is `bytes` the length of the shortest UTF-8 form of `c`? Longer forms are invalid. */
static bool is_shortest_form(uint32_t c, size_t bytes) {
  return bytes == (c < 0x80 ? 1u : c < 0x800 ? 2u : c < 0x10000 ? 3u : 4u);
}

bool text_name_ok(struct span s) {
  const unsigned char *at = (const unsigned char *)s.data, *end = at + s.len;
  while (at < end) {
    const unsigned char *start = at;
    uint32_t c = decode_unit(&at, end);
    if (c == '\\') {
      if (parse_escape((const char *)start, (const char *)end) == NOT_A_CHARACTER) return false;
      at = start + 6;
    } else if (c > 0x10FFFF || c == ',' || is_control(c) || is_surrogate(c) ||
               !is_shortest_form(c, (size_t)(at - start))) {
      return false;
    }
  }
  return true;
}

void text_plain(struct builder *b, struct span name) {
  const char *end = name.data + name.len;
  for (const char *at = name.data; at < end; at++) {
    uint32_t unit = *at == '\\' ? parse_escape(at, end) : NOT_A_CHARACTER;
    if (unit == NOT_A_CHARACTER) {
      builder_char(b, *at);
    } else {
      if (is_control(unit)) {
        put_escape(b, unit);
      } else {
        put_utf8(b, is_surrogate(unit) ? REPLACEMENT : unit);
      }
      at += 5;
    }
  }
}
