#pragma once
/* What a person writes to choose methods or classes:

     com.acme.Cart.add*     `*` stands for anything, dots too: com.acme.* is all of the package
     @javax.ws.rs.GET       methods with this annotation, and all methods of classes with it
     !com.acme.Cart.addAll  not these

   joined by `+`. Names are as in Java, with dots; a constructor is called <init>. */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MAX_PATTERNS 32

struct pattern {
  struct span text; /* less the ! and the @ */
  bool excludes, is_annotation;
};

struct patterns {
  struct pattern at[MAX_PATTERNS];
  size_t num;
};

/* patterns_parse: the spans point into `text`. False: not spelled as above, or too many. */
bool patterns_parse(const char *text, struct patterns *out);

/* patterns_choose: is a name chosen? Some pattern has it, and none that excludes. `annotated` tells
   whether what has the name has an annotation too, "javax.ws.rs.GET"; NULL: it has none. */
bool patterns_choose(const struct patterns *p, struct span name,
                     bool (*annotated)(void *arg, struct span annotation), void *arg);

/* patterns_may_choose: could a name that begins so be chosen? For "com.acme.Cart." it tells whether
   the class needs a look at all. */
bool patterns_may_choose(const struct patterns *p, struct span prefix);

/* patterns_mean: does a pattern that chooses begin with all of this, literally? The JDK's
   own classes are left alone unless they are meant. */
bool patterns_mean(const struct patterns *p, struct span prefix);

#ifdef __cplusplus
}
#endif
