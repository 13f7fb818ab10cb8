#pragma once
/* Titles of locks. The class of a lock often says nothing about the program: java.lang.Object,
   ReentrantLock, int[]. Such a lock is titled by the place where threads ask for it most often:
   "monitor in Cart.add:12 (Object@0A1B2C3D)". A lock of a class of the program is titled by its
   class: "com.acme.Cart@0A1B2C3D", and that of a static method "class com.acme.Cart". A filter does
   not change titles. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/pass.h"

BEGIN_C

/* A struct of zeros is empty; titles_free frees its memory. */
struct titles {
  struct hashmap objects; /* hash -> TITLE_… bits */
  struct tally places; /* by object without a class of the program: place_t where it is acquired */
};

void titles_end(struct titles *t);

/* titles_has returns whether the lock is titled by its place. */
bool titles_has(const struct titles *t, uint32_t object);

/* titles_is_class returns whether the title of a lock is a class of the program: the lock of its
   static methods. */
bool titles_is_class(const struct titles *t, const struct dump *d, uint32_t object);

/* titles_write appends the title of a lock. Without a known place it is names_object:
   - "monitor in Cart.add:12 (Object@0A1B2C3D)", "lock in …", "semaphore in …";
   - "initialization of a class at Cart.add:12 (int[]@0A1B2C3D)": the monitor that the JVM locks
     while it links or initializes a class;
   - "com.acme.Cart@0A1B2C3D";
   - "class com.acme.Cart": the class that the object represents. */
void titles_write(struct builder *b, const struct titles *t, const struct dump *d, uint32_t object);

/* titles_write_name appends the title without what differs from run to run, the hash and the line:
   "com.acme.Cart", "monitor in com.acme.Cart.add (java.lang.Object)". All locks of a class of the
   program share a name, and all locks of another class that threads ask for in the same method. */
void titles_write_name(struct builder *b, const struct titles *t, const struct dump *d,
                       uint32_t object);

void titles_free(struct titles *t);

END_C
