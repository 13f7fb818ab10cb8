#pragma once
/* The locks in the table of counts (agent/record/lock_counts.h). The table keeps a weak global
   reference to each, so that it can forget those that died. */
#include <jvmti.h>

#include "agent/base/extern_c.h"
#include "agent/lock/lock_fields.h"
#include "agent/record/lock_counts.h"

BEGIN_C

/* counted_locks_add adds a lock to the table if it is new. `look` is the result of lock_look for
   `lock`. Returns its key for lock_counts_increment, or 0 when the table is full. Any thread that
   is attached to the JVM. */
uint32_t counted_locks_add(struct lock_counts *c, const struct lock_fields *f, JNIEnv *jni,
                           jobject lock, const struct lock_look *look);

/* counted_locks_sweep forgets the locks that died, if many locks are in the table:
   lock_counts_sweep. One thread at a time, attached to the JVM. */
void counted_locks_sweep(struct lock_counts *c, JNIEnv *jni);

/* counted_locks_end deletes the references after a recording. Any thread that is attached to the
   JVM. */
void counted_locks_end(struct lock_counts *c, JNIEnv *jni);

END_C
