#include "agent/meta/meta.h"

void object_define(struct meta *m, uint32_t hash, uint32_t class) {
  if (class != 0) object_set_define(m->objects, hash, class); /* 0: no memory for the class */
}

uint32_t object_class(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jobject object) {
  jclass klass = (*jni)->GetObjectClass(jni, object);
  uint32_t id = class_id(m, ti, klass);
  (*jni)->DeleteLocalRef(jni, klass);
  return id;
}

uint32_t object_hash(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jobject object) {
  jint hash = 0;
  if (object == NULL || (*ti)->GetObjectHashCode(ti, object, &hash) != JVMTI_ERROR_NONE) return 0;
  object_define(m, (uint32_t)hash, object_class(m, ti, jni, object));
  return (uint32_t)hash;
}
