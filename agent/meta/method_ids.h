#pragma once
/* The set of all jmethodIDs that the JVM has given for methods of loaded classes. The sampler reads
   jmethodIDs from the JVM's memory, and the JVM follows a jmethodID without a check. So the sampler
   may pass only jmethodIDs of this set to the JVM. The JVM makes the jmethodIDs of a class only
   when an agent requests them; without that, the sampler cannot name interpreted methods. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/record/table_size.h"

BEGIN_C

struct method_ids;

/* method_ids_new makes an empty set; NULL without memory. It is never freed, because a callback may
   be using it at any time. */
struct method_ids *method_ids_new(void);

/* method_ids_add_class requests the jmethodIDs of one class, method_ids_add_all those of all loaded
   classes. A jmethodID for which there is no memory is missing in the set. If `s` is NULL, the JVM
   makes the jmethodIDs, but they are not stored. method_ids_add_all returns false if the JVM does
   not tell its classes. Live phase; any thread. */
void method_ids_add_class(struct method_ids *s, jvmtiEnv *ti, jclass klass);
bool method_ids_add_all(struct method_ids *s, jvmtiEnv *ti, JNIEnv *jni);

/* method_ids_drop_unloaded removes the jmethodIDs of unloaded classes, once the set has grown to
   twice what the last call kept. It takes time in proportion to the loaded classes. Live phase;
   one thread at a time. */
void method_ids_drop_unloaded(struct method_ids *s, jvmtiEnv *ti, JNIEnv *jni);

/* method_ids_size: as in table_size.h, but takes the lock of the set for a moment. */
struct table_size method_ids_size(struct method_ids *s);

/* method_ids_has returns whether the JVM gave this jmethodID. It stays valid memory when its class
   is unloaded; JVMTI functions then return an error for it. Any thread. */
bool method_ids_has(struct method_ids *s, jmethodID id);

END_C
