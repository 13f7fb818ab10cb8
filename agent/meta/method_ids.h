#pragma once
/* All jmethodIDs that the JVM has given for the methods of loaded classes. The sampler reads
   jmethodIDs from the JVM's memory and may hand only genuine ones back to the JVM: it follows them
   without a check. The JVM makes a class's jmethodIDs only when an agent asks for them, so that
   asking is also what makes interpreted methods nameable. */
#include <jvmti.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct method_ids;

/* method_ids_new makes an empty set; NULL without memory. It lives as long as the process:
   callbacks may be inside. */
struct method_ids *method_ids_new(void);

/* method_ids_add_class asks for the jmethodIDs of one class, method_ids_add_all of all loaded
   classes. What finds no memory is missing: has() is then false. Without a set (NULL) the JVM makes
   the jmethodIDs, and nothing keeps them. Live phase; any thread. */
void method_ids_add_class(struct method_ids *s, jvmtiEnv *ti, jclass klass);
void method_ids_add_all(struct method_ids *s, jvmtiEnv *ti, JNIEnv *jni);

/* method_ids_has tells whether the JVM gave this one. A jmethodID stays valid memory when its class
   is unloaded; JVMTI then refuses it. Any thread. */
bool method_ids_has(struct method_ids *s, jmethodID id);

#ifdef __cplusplus
}
#endif
