#pragma once
/* Which CompletableFuture a task completes: it is in a private field of the JDK's tasks. Any thread
   that is attached to the JVM. */
#include <jvmti.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct task_futures;

/* task_futures_new returns NULL without memory. The result is never freed. */
struct task_futures *task_futures_new(void);

/* task_futures_find returns a local reference to the future that a task completes; NULL: it is no
   task of a CompletableFuture. `class_id`: ClassID of the task's class; 0: not known. */
jobject task_futures_find(struct task_futures *t, jvmtiEnv *ti, JNIEnv *jni, jobject task,
                          uint32_t class_id);

END_C
