#pragma once
/* Appends JSON to a builder. The functions put the commas. The caller must match each begin with an
   end, and must write one key and one value for each member of an object.

     struct json j = {.out = &page};
     json_begin_object(&j);
     json_key(&j, "thread");
     json_name(&j, line.name);
     json_end_object(&j);

   The caller may write out the builder's text at any time and set its length to 0.
   Strings contain \u003C instead of `<`, so the JSON can be part of a <script> element. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

struct json {
  struct builder *out; /* the caller's */
  bool more;           /* a value precedes the next one, so a comma comes first */
};

void json_begin_object(struct json *j);
void json_end_object(struct json *j);
void json_begin_array(struct json *j);
void json_end_array(struct json *j);

/* json_key begins a member of an object. The member's value must follow. The key is UTF-8. */
void json_key(struct json *j, const char *key);

/* json_string writes UTF-8. Bytes that are not valid UTF-8 become U+FFFD. json_text does the same
   for a C string. */
void json_string(struct json *j, struct span utf8);
void json_text(struct json *j, const char *utf8);

/* json_name writes a name in the spelling of the dump's files (text_name). The \uXXXX escapes of
   the files are also JSON escapes, so they are copied. */
void json_name(struct json *j, struct span name);

/* json_raw writes a value that is JSON already. */
void json_raw(struct json *j, struct span value);

void json_unsigned(struct json *j, uint64_t n);
void json_integer(struct json *j, int64_t n);
void json_boolean(struct json *j, bool value);
void json_null(struct json *j);

/* json_decimal writes n / 10^decimals, exactly: 1234 with 3 decimals is 1.234. */
void json_decimal(struct json *j, int64_t n, unsigned decimals);

/* Key and value of a member in one call. */
void json_text_member(struct json *j, const char *key, const char *utf8);
void json_unsigned_member(struct json *j, const char *key, uint64_t n);

END_C
