#pragma once
/* Reads how many threads a ThreadPoolExecutor may have, from its private fields. Any thread that is
   attached to the JVM. */
#include <jvmti.h>

#include "agent/base/extern_c.h"
#include "agent/event/event.h"

BEGIN_C

struct pool_sizes;

/* pool_sizes_new returns NULL without memory. The result is never freed. */
struct pool_sizes *pool_sizes_new(void);

/* pool_sizes_add notes the identity hash of an executor. It returns whether the executor is new in
   this epoch (object_set_epoch). It can forget an executor. */
bool pool_sizes_add(struct pool_sizes *p, uint32_t executor, uint32_t epoch);

/* pool_sizes_read reads the sizes of an executor. Returns false if it is no ThreadPoolExecutor, or
   its fields are not known. */
bool pool_sizes_read(jvmtiEnv *ti, JNIEnv *jni, jobject executor, struct pool_size *out);

END_C
