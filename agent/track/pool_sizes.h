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

/* pool_sizes_read reads the core size and the maximum size of a ThreadPoolExecutor. The capacity of
   its queue, which takes longer and never changes, is -1. Returns false if the fields are not
   known. `pool` may be NULL. */
bool pool_sizes_read(struct pool_sizes *p, JNIEnv *jni, jobject pool, struct pool_size *out);

/* pool_sizes_read_capacity returns how many tasks the queue of a pool can hold, as in struct
   pool_size. */
int32_t pool_sizes_read_capacity(struct pool_sizes *p, jvmtiEnv *ti, JNIEnv *jni, jobject pool);

/* pool_sizes_add notes the sizes of an executor, by its identity hash. It returns whether they
   should be written: the executor is new in this epoch (object_set_epoch), or the sizes differ from
   those before. Of very many executors in use it forgets some, at most one in a millisecond, and
   leaves others out. */
bool pool_sizes_add(struct pool_sizes *p, uint32_t executor, uint32_t epoch,
                    const struct pool_size *size);

END_C
