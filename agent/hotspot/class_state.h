#pragma once
/* Which thread initializes a class. JVMTI does not tell, but HotSpot stores it in its own structure
   of the class (InstanceKlass). The address of that is in the java.lang.Class object, in a field
   that only Unsafe can read. */
#include "agent/hotspot/hotspot.h"

BEGIN_C

struct class_states {
  struct hotspot hotspot;
  jobject unsafe; /* a global reference */
  jmethodID get_long;
  jlong klass_offset; /* of the address in the java.lang.Class object */
};

/* class_states_open finds what the other functions need. On failure it returns false, and there is
   nothing to close. Live phase. */
bool class_states_open(struct class_states *s, jvmtiEnv *ti, JNIEnv *jni);
void class_states_close(struct class_states *s, JNIEnv *jni);

/* class_states_find_initializer returns the JavaThread that initializes the class, which is neither
   an array class nor a primitive type; 0 if no thread does so now. The thread may run its static
   initializer, or initialize a superclass first. The caller is attached to the JVM. */
uintptr_t class_states_find_initializer(const struct class_states *s, JNIEnv *jni, jclass klass);

END_C
