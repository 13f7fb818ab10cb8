#pragma once
/* JSON, appended to a builder. Commas are put where they belong; that begins and ends match, and
   that each member of an object has a key and one value, is up to the caller.

     struct json j = {.out = &page};
     json_begin_object(&j);
     json_key(&j, "thread");
     json_name(&j, line.name);
     json_end_object(&j);

   Whoever writes a lot may hand on what stands in the builder at any time and set its length to 0.
   A `<` is written \u003C, so that a text may stand in a <script> of a page. */
#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct json {
  struct builder *out; /* the caller's */
  bool more;           /* the next value is behind another one */
};

void json_begin_object(struct json *j);
void json_end_object(struct json *j);
void json_begin_array(struct json *j);
void json_end_array(struct json *j);

/* json_key begins a member of an object; its value follows. UTF-8. */
void json_key(struct json *j, const char *key);

/* json_string writes UTF-8; bytes that are none become U+FFFD. json_text is the same of a C string.
 */
void json_string(struct json *j, struct span utf8);
void json_text(struct json *j, const char *utf8);

/* json_name writes a name as the files of a dump spell it (text_name): its \uXXXX are JSON's. */
void json_name(struct json *j, struct span name);

void json_unsigned(struct json *j, uint64_t n);
void json_integer(struct json *j, int64_t n);
void json_bool(struct json *j, bool value);
void json_null(struct json *j);

/* json_decimal writes n / 10^decimals, exactly: 1234 with 3 decimals is 1.234. */
void json_decimal(struct json *j, int64_t n, unsigned decimals);

/* A member of an object, in one call. */
void json_text_member(struct json *j, const char *key, const char *utf8);
void json_unsigned_member(struct json *j, const char *key, uint64_t n);

#ifdef __cplusplus
}
#endif
