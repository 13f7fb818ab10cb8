#pragma once
/* Reads private fields of the locks of java.util.concurrent. Such a lock has its state in another
   object, its sync, which also contains the exclusive owner. The read lock and the write lock of a
   ReentrantReadWriteLock (its sides) share one sync. Any thread that is attached to the JVM. */
#include <jvmti.h>

#include "agent/base/extern_c.h"
#include "agent/meta/meta.h"

BEGIN_C

struct lock_fields;

/* lock_fields_new looks up the ids of the fields; fields that this JVM does not have are ignored.
   Returns NULL without memory. Call it once; the result is never freed. */
struct lock_fields *lock_fields_new(JNIEnv *jni);

struct lock_look {
  uint32_t object; /* identity hash of the lock; it is defined in the files */
  uint32_t key;    /* of a side: identity hash of its sync; else the same as `object` */
  uint32_t owner;  /* identity hash of the exclusive owner, defined; 0: none, or not known */
  bool has_sides;  /* it has a read lock and a write lock */
  uint32_t reader; /* of a side: the only thread that holds the read lock, defined; 0: none,
                      several, or not known */
};

/* lock_look reads the fields of `lock`, a lock or a side of a ReentrantReadWriteLock. For a side,
   `object` is the ReentrantReadWriteLock if lock_fields_note_constructed was called for it, else
   the sync. A `lock` of NULL gives zeros. */
struct lock_look lock_look(struct lock_fields *f, struct meta *meta, jvmtiEnv *ti, JNIEnv *jni,
                           jobject lock);

/* lock_fields_key returns a local reference to the object whose identity hash is the key of `lock`:
   of a side its sync, else the lock itself. NULL: there is none. */
jobject lock_fields_key(const struct lock_fields *f, JNIEnv *jni, jobject lock);

/* lock_fields_note_constructed remembers which sync belongs to `lock`, a ReentrantReadWriteLock
   whose constructor has just returned. It defines only a lock of a subclass. */
void lock_fields_note_constructed(struct lock_fields *f, struct meta *meta, jvmtiEnv *ti,
                                  JNIEnv *jni, jobject lock);

END_C
