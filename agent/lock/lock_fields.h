#pragma once
/* What the fields of a lock of java.util.concurrent tell. Such a lock hides its state in an object
   of its own, its sync: the writing and the reading side of a ReentrantReadWriteLock share one, and
   only that knows who owns the lock. Any thread attached to the JVM. */
#include <jvmti.h>

#include "agent/meta/meta.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lock_fields;

/* lock_fields_new finds the fields; those that this JVM does not have tell nothing. NULL without
   memory. Once, never freed. */
struct lock_fields *lock_fields_new(JNIEnv *jni);

struct lock_look {
  uint32_t object; /* hash of the lock as the user knows it, defined */
  uint32_t key;    /* hash of the sync of a read-write lock, else the same */
  uint32_t owner;  /* hash of the thread that holds it alone, defined; 0: none, or not known */
  bool has_sides;  /* can be read, and written */
};

/* lock_look takes a lock or one side of a ReentrantReadWriteLock. Of the latter, `object` is the
   whole lock if lock_fields_made was told of it; else its sync stands for it. */
struct lock_look lock_look(struct lock_fields *f, struct meta *meta, jvmtiEnv *ti, JNIEnv *jni,
                           jobject lock);

/* lock_fields_made is told of a ReentrantReadWriteLock that has just been made. */
void lock_fields_made(struct lock_fields *f, struct meta *meta, jvmtiEnv *ti, JNIEnv *jni,
                      jobject lock);

#ifdef __cplusplus
}
#endif
