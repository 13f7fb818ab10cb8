#include "sampler/missing_parties.h"

#include <string.h>

#include "agent/jvm/jvm.h"

static jfieldID find_field(JNIEnv *jni, jclass klass, const char *name, const char *type) {
  jfieldID field = (*jni)->GetFieldID(jni, klass, name, type);
  return jvm_clear_exception(jni) ? NULL : field;
}

jfieldID missing_parties_find_field(JNIEnv *jni) {
  jclass klass = (*jni)->FindClass(jni, "java/lang/Thread");
  if (jvm_clear_exception(jni) || klass == NULL) return NULL;
  jfieldID field = find_field(jni, klass, "parkBlocker", "Ljava/lang/Object;");
  (*jni)->DeleteLocalRef(jni, klass);
  return field;
}

/* The state of the sync of a latch is the count. */
static bool read_latch(JNIEnv *jni, jclass klass, jobject sync, struct missing_parties *out) {
  jfieldID state = find_field(jni, klass, "state", "I");
  if (state == NULL) return false;
  *out = (struct missing_parties){(*jni)->GetIntField(jni, sync, state), -1};
  return out->missing > 0;
}

/* The state of a phaser: its phase, the number of its parties in 16 bits, and how many of them have
   not arrived. Without parties, that one is 1. */
static bool split_state(jlong state, jint phase, struct missing_parties *out) {
  uint64_t bits = (uint64_t)state;
  *out = (struct missing_parties){(int32_t)(bits & 0xFFFF), (int32_t)(bits >> 16 & 0xFFFF)};
  return (jint)(bits >> 32) == phase && out->missing > 0 && out->missing <= out->of;
}

/* A subclass of Phaser can have a field with the same name. */
static bool read_phaser(JNIEnv *jni, jobject phaser, jint phase, struct missing_parties *out) {
  jclass klass = (*jni)->FindClass(jni, "java/util/concurrent/Phaser");
  if (jvm_clear_exception(jni) || klass == NULL) return false;
  jfieldID state = find_field(jni, klass, "state", "J");
  (*jni)->DeleteLocalRef(jni, klass);
  return state != NULL && split_state((*jni)->GetLongField(jni, phaser, state), phase, out);
}

/* A thread that waits for the end of a phase is parked on a node, which names both. */
static bool read_node(JNIEnv *jni, jclass klass, jobject node, struct missing_parties *out) {
  jfieldID field = find_field(jni, klass, "phaser", "Ljava/util/concurrent/Phaser;");
  jfieldID phase = find_field(jni, klass, "phase", "I");
  if (field == NULL || phase == NULL) return false;
  jobject phaser = (*jni)->GetObjectField(jni, node, field);
  if (phaser == NULL) return false;
  bool good = read_phaser(jni, phaser, (*jni)->GetIntField(jni, node, phase), out);
  (*jni)->DeleteLocalRef(jni, phaser);
  return good;
}

static enum event_kind read_blocker(jvmtiEnv *ti, JNIEnv *jni, jobject blocker,
                                    struct missing_parties *out) {
  jclass klass = (*jni)->GetObjectClass(jni, blocker);
  enum event_kind kind = NUM_EVENTS;
  char *signature = NULL;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) {
    /* not known */
  } else if (strcmp(signature, "Ljava/util/concurrent/CountDownLatch$Sync;") == 0) {
    if (read_latch(jni, klass, blocker, out)) kind = EVENT_LATCH_LACKS;
  } else if (strcmp(signature, "Ljava/util/concurrent/Phaser$QNode;") == 0) {
    if (read_node(jni, klass, blocker, out)) kind = EVENT_PHASER_LACKS;
  }
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*jni)->DeleteLocalRef(jni, klass);
  return kind;
}

enum event_kind missing_parties_read(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jfieldID field,
                                     struct missing_parties *out) {
  jobject blocker = (*jni)->GetObjectField(jni, thread, field);
  if (blocker == NULL) return NUM_EVENTS;
  enum event_kind kind = read_blocker(ti, jni, blocker, out);
  (*jni)->DeleteLocalRef(jni, blocker);
  return kind;
}
