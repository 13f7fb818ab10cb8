#pragma once
/* The spelling of Orca's files: how a time, a hash, a number and a name are written, and, beside
   it, how they are read back. Nothing else in the tree formats or parses them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A timestamp of the files, in tenths of a nanosecond. */
typedef uint64_t ticks_t;
#define TICKS_PER_NS UINT64_C(10)
#define TICKS_PER_S UINT64_C(10000000000)

/* "480181.4255238244" */
void text_ticks(struct builder *b, ticks_t t);
bool text_parse_ticks(struct span s, ticks_t *out);

/* "0A1B2C3D": eight digits, upper case. */
void text_hash(struct builder *b, uint32_t hash);
bool text_parse_hash(struct span s, uint32_t *out);

/* Decimal, with '-' where negative; read back without leading zeros or '+'. */
void text_decimal(struct builder *b, int64_t n);
bool text_parse_decimal(struct span s, int64_t *out);

/* The same three for a writer that has made room for a whole line: each writes to `to`, perhaps
   some bytes more than it has, all within TEXT_MAX_NUMBER, and returns what is behind. */
#define TEXT_MAX_NUMBER 40
char *text_put_ticks(char *to, ticks_t t);
char *text_put_hash(char *to, uint32_t hash);
char *text_put_decimal(char *to, int64_t n);

/* text_name writes a name that came from the JVM, in modified UTF-8, as real UTF-8. `,` `\`,
   control characters, U+2028, U+2029, lone surrogates and bytes that are no UTF-8 at all become
   \uXXXX (the last \uFFFD), so that a line always splits right. */
void text_name(struct builder *b, const char *modified_utf8, size_t len);

/* text_name_ok tells whether `s` is spelled as text_name would: valid UTF-8 without a bare control
   character, every backslash the start of a \uXXXX in upper case. */
bool text_name_ok(struct span s);

/* text_plain undoes the escapes of text_name for a reader: real UTF-8, lone surrogates as U+FFFD;
   control characters stay escaped, so that a terminal is safe. */
void text_plain(struct builder *b, struct span name);

#ifdef __cplusplus
}
#endif
