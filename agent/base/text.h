#pragma once
/* The text of timestamps, hashes, numbers and names in Orca's files: writers and parsers. Nothing
   else in the tree formats or parses them. The writers append to a builder. The parsers return
   false, and leave `*out` unchanged, when the whole span is not a valid text. Any thread. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* A timestamp of the files, in tenths of a nanosecond of CLOCK_MONOTONIC. */
typedef uint64_t ticks_t;
#define TICKS_PER_NS UINT64_C(10)
#define TICKS_PER_S UINT64_C(10000000000)

/* Timestamps: seconds with ten decimals, "480181.4255238244". */
void text_ticks(struct builder *b, ticks_t t);
bool text_parse_ticks(struct span s, ticks_t *out);

/* Hashes: eight upper-case hexadecimal digits, "0A1B2C3D". */
void text_hash(struct builder *b, uint32_t hash);
bool text_parse_hash(struct span s, uint32_t *out);

/* Decimal numbers: '-' before negative ones, no '+', no leading zeros, no "-0". */
void text_decimal(struct builder *b, int64_t n);
bool text_parse_decimal(struct span s, int64_t *out);

/* The same three writers for a caller that has made room for a whole line. Each writes to `to` and
   returns the end of the text. It may write bytes after the end, but at most TEXT_MAX_NUMBER bytes
   in total. */
#define TEXT_MAX_NUMBER 40
char *text_put_ticks(char *to, ticks_t t);
char *text_put_hash(char *to, uint32_t hash);
char *text_put_decimal(char *to, int64_t n);

/* text_name converts a name from the JVM's modified UTF-8 to UTF-8 with escapes. The characters
   `,` and `\`, control characters, U+2028, U+2029 and lone surrogates become \uXXXX. A byte that is
   not part of UTF-8 becomes \uFFFD. So a name contains no separator of a line. */
void text_name(struct builder *b, const char *modified_utf8, size_t len);

/* text_name_ok returns whether `s` could be the result of text_name: valid UTF-8 without unescaped
   commas and control characters, in which every backslash starts a \uXXXX with upper-case digits.
 */
bool text_name_ok(struct span s);

/* text_plain replaces the escapes of `name` by UTF-8, for display. A lone surrogate becomes U+FFFD.
   Control characters stay escaped, so that they cannot control a terminal. */
void text_plain(struct builder *b, struct span name);

END_C
