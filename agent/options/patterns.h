#pragma once
/* Patterns with which the user selects methods or classes:

     com.acme.Cart.add*     `*` matches any text, also dots: com.acme.* matches the whole package
     @javax.ws.rs.GET       matches methods with this annotation, and all methods of a class with it
     !com.acme.Cart.addAll  excludes the names that match

   Several patterns are joined by `+`. Names have the form of Java source, with dots; the name of a
   constructor is <init>. All functions may be called from any thread. */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

#define MAX_PATTERNS 32

struct pattern {
  struct span text; /* without the ! and the @ */
  bool excludes, is_annotation;
};

struct patterns {
  struct pattern at[MAX_PATTERNS];
  size_t num;
};

/* patterns_parse parses `text`. The spans in `*out` point into it. Returns false when the syntax is
   invalid, or when there are more than MAX_PATTERNS patterns. */
bool patterns_parse(const char *text, struct patterns *out);

/* patterns_match returns whether some pattern matches `name` and no excluding pattern matches it.
   `has_annotation` returns whether the method or class has an annotation, for example
   "javax.ws.rs.GET"; NULL: it has none. */
bool patterns_match(const struct patterns *p, struct span name,
                    bool (*has_annotation)(void *arg, struct span annotation), void *arg);

/* patterns_may_match returns whether some pattern that does not exclude could match a name that
   begins with `prefix`. For "com.acme.Cart." false means that the class needs no further check. */
bool patterns_may_match(const struct patterns *p, struct span prefix);

/* patterns_have_literal_prefix returns whether some pattern that does not exclude begins with
   `prefix`, character by character. Classes of the JDK are selected only by such patterns. */
bool patterns_have_literal_prefix(const struct patterns *p, struct span prefix);

END_C
