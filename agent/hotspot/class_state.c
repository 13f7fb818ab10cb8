#include "agent/hotspot/class_state.h"

#include "agent/hotspot/jvm_memory.h"
#include "agent/jvm/jvm.h"

/* --- Unsafe --------------------------------------------------------------------------------- */

static const struct {
  const char *name, *signature;
} unsafe_classes[] = {
    {"jdk/internal/misc/Unsafe", "Ljdk/internal/misc/Unsafe;"},
    {"sun/misc/Unsafe", "Lsun/misc/Unsafe;"}, /* JDK 8 */
};

/* Unsafe.getUnsafe may ask who calls it, so this takes the field. */
static jobject read_unsafe(JNIEnv *jni, jclass klass, const char *signature) {
  jfieldID field = (*jni)->GetStaticFieldID(jni, klass, "theUnsafe", signature);
  if (jvm_clear_exception(jni)) return NULL;
  return (*jni)->GetStaticObjectField(jni, klass, field);
}

static bool find_unsafe(struct class_states *s, JNIEnv *jni) {
  for (size_t i = 0; i < sizeof unsafe_classes / sizeof *unsafe_classes; i++) {
    jclass klass = (*jni)->FindClass(jni, unsafe_classes[i].name);
    if (jvm_clear_exception(jni) || klass == NULL) continue;
    jobject unsafe = read_unsafe(jni, klass, unsafe_classes[i].signature);
    s->get_long = (*jni)->GetMethodID(jni, klass, "getLong", "(Ljava/lang/Object;J)J");
    bool good = !jvm_clear_exception(jni) && unsafe != NULL;
    if (good) s->unsafe = (*jni)->NewGlobalRef(jni, unsafe);
    (*jni)->DeleteLocalRef(jni, unsafe);
    (*jni)->DeleteLocalRef(jni, klass);
    return good && s->unsafe != NULL;
  }
  return false;
}

/* --- classes -------------------------------------------------------------------------------- */

static bool has_fields(const struct hotspot *h) {
  return h->has[HOTSPOT_KLASS_INIT_STATE] && h->has[HOTSPOT_KLASS_INIT_THREAD] &&
         h->has[HOTSPOT_MIRROR_KLASS] && h->has[HOTSPOT_BEING_INITIALIZED];
}

bool class_states_open(struct class_states *s, jvmtiEnv *ti, JNIEnv *jni) {
  const char *why;
  if (!hotspot_open(&s->hotspot, ti, jni, &why) || !has_fields(&s->hotspot)) return false;
  s->klass_offset = jvm_memory_int(s->hotspot.at[HOTSPOT_MIRROR_KLASS]);
  return s->klass_offset > 0 && find_unsafe(s, jni);
}

void class_states_close(struct class_states *s, JNIEnv *jni) {
  (*jni)->DeleteGlobalRef(jni, s->unsafe);
  s->unsafe = NULL;
}

/* The thread is read between two looks at the state: the JVM sets it before it sets the state, and
   removes it with the state. */
uintptr_t class_states_find_initializer(const struct class_states *s, JNIEnv *jni, jclass klass) {
  const struct hotspot *h = &s->hotspot;
  uint8_t before = 0, after = 0, wanted = (uint8_t)h->at[HOTSPOT_BEING_INITIALIZED];
  jlong at = (*jni)->CallLongMethod(jni, s->unsafe, s->get_long, klass, s->klass_offset);
  if (jvm_clear_exception(jni) || at == 0) return 0;
  uintptr_t state = (uintptr_t)at + h->at[HOTSPOT_KLASS_INIT_STATE];
  if (!jvm_memory_read(state, &before, sizeof before) || before != wanted) return 0;
  uintptr_t thread = jvm_memory_word((uintptr_t)at + h->at[HOTSPOT_KLASS_INIT_THREAD]);
  return jvm_memory_read(state, &after, sizeof after) && after == wanted ? thread : 0;
}
