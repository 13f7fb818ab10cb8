#include "agent/inventory/thread_facts.h"

#include <string.h>

#include "agent/base/jvmti_compat.h"
#include "agent/inventory/inventory_class.h"
#include "agent/jvm/jvm.h"
#include "agent/tracked/orca_classes.h"

#define FIRST_SNAPSHOT 25 /* the first JDK with ThreadSnapshot */
#define NUM_REFERENCES 32 /* local references that one answer needs at a time */

static bool push_frame(JNIEnv *jni) {
  bool good = (*jni)->PushLocalFrame(jni, NUM_REFERENCES) == JNI_OK;
  if (!good) jvm_clear_exception(jni);
  return good;
}

/* --- opening --------------------------------------------------------------------------------- */

/* Returns false, and stops, at the first thing that this class lacks. */
static bool look_up(struct facts *f, JNIEnv *jni, jclass klass) {
  const struct {
    jfieldID *out;
    const char *name, *type;
  } fields[] = {
      {&f->hashes, "hashes", "[I"},
      {&f->classes, "classes", "[Ljava/lang/Class;"},
      {&f->names, "names", "[Ljava/lang/String;"},
      {&f->depths, "depths", "[I"},
      {&f->methods, "methods", "[Ljava/lang/String;"},
      {&f->blocker, "parkBlocker", "Ljava/lang/Object;"},
      {&f->owner, "lockOwner", "Ljava/lang/Thread;"},
  };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    *fields[i].out = (*jni)->GetFieldID(jni, klass, fields[i].name, fields[i].type);
    if (jvm_clear_exception(jni)) return false;
  }
  f->read = (*jni)->GetStaticMethodID(jni, klass, "read",
                                      "(Ljava/lang/Thread;Z)Ljava/lang/OrcaInventory;");
  if (jvm_clear_exception(jni)) return false;
  f->find_virtual_threads =
      (*jni)->GetStaticMethodID(jni, klass, "findVirtualThreads", "(I)[Ljava/lang/Thread;");
  if (jvm_clear_exception(jni)) return false;
  jmethodID open = (*jni)->GetStaticMethodID(jni, klass, "open", "()V");
  if (jvm_clear_exception(jni)) return false;
  (*jni)->CallStaticVoidMethod(jni, klass, open);
  return !jvm_clear_exception(jni);
}

bool facts_open(struct facts *f, struct meta *meta, JNIEnv *jni) {
  f->meta = meta;
  jclass klass =
      jvm_define_class(jni, ORCA_INVENTORY_CLASS, inventory_bytes, sizeof inventory_bytes);
  if (klass == NULL) return false;
  if (look_up(f, jni, klass)) f->klass = (*jni)->NewGlobalRef(jni, klass);
  (*jni)->DeleteLocalRef(jni, klass);
  return f->klass != NULL;
}

void facts_close(struct facts *f, JNIEnv *jni) {
  if (f->klass != NULL) (*jni)->DeleteGlobalRef(jni, f->klass);
  f->klass = NULL;
}

static jmethodID find_method(JNIEnv *jni, jclass klass, const char *name) {
  jmethodID method = (*jni)->GetMethodID(jni, klass, name, "()J");
  return jvm_clear_exception(jni) ? NULL : method;
}

/* Returns whether the class of a thread overrides Thread.getId. */
static bool has_own_id(JNIEnv *jni, jthread thread, jmethodID get_id) {
  jclass klass = (*jni)->GetObjectClass(jni, thread);
  bool has = find_method(jni, klass, "getId") != get_id;
  (*jni)->DeleteLocalRef(jni, klass);
  return has;
}

bool facts_check_threads(struct facts *f, jvmtiEnv *ti, JNIEnv *jni) {
  jint n = 0;
  jthread *threads = NULL;
  jclass klass = (*jni)->FindClass(jni, "java/lang/Thread");
  f->without_monitors = false;
  if (jvm_clear_exception(jni)) return true;
  bool is_final = find_method(jni, klass, "threadId") != NULL; /* from JDK 19 on */
  jmethodID get_id = find_method(jni, klass, "getId");
  (*jni)->DeleteLocalRef(jni, klass);
  if (is_final || (*ti)->GetAllThreads(ti, &n, &threads) != JVMTI_ERROR_NONE) return true;
  jvm_reserve_references(jni, n + 1);
  for (jint i = 0; i < n; i++) {
    f->without_monitors |= has_own_id(jni, threads[i], get_id);
    (*jni)->DeleteLocalRef(jni, threads[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)threads);
  return !f->without_monitors;
}

bool facts_know_virtual(jvmtiEnv *ti) { return compat_version(ti) >= FIRST_SNAPSHOT; }

jobjectArray facts_find_virtual_threads(const struct facts *f, JNIEnv *jni, int max) {
  jobject found = (*jni)->CallStaticObjectMethod(jni, f->klass, f->find_virtual_threads, (jint)max);
  return jvm_clear_exception(jni) ? NULL : found;
}

/* --- classes of monitors ---------------------------------------------------------------------- */

/* Does the signature of a class, "Ljava/lang/Object;" or "[I", belong to the name that
   Class.getName returns, "java.lang.Object" or "[I"? */
static bool is_signature_of(const char *signature, const char *name) {
  bool is_array = name[0] == '[';
  if (!is_array && *signature++ != 'L') return false;
  for (; *name != '\0'; name++, signature++) {
    if ((*signature == '/' ? '.' : *signature) != *name) return false;
  }
  return strcmp(signature, is_array ? "" : ";") == 0;
}

/* Returns the ClassID of a loaded class with this name; 0: none. */
static uint32_t find_class_by_name(const struct facts *f, jvmtiEnv *ti, JNIEnv *jni,
                                   const char *name) {
  jint n = 0;
  jclass *classes = NULL;
  uint32_t id = 0;
  if ((*ti)->GetLoadedClasses(ti, &n, &classes) != JVMTI_ERROR_NONE) return 0;
  jvm_reserve_references(jni, n);
  for (jint i = 0; i < n; i++) {
    char *signature = NULL;
    if (id == 0 && (*ti)->GetClassSignature(ti, classes[i], &signature, NULL) == JVMTI_ERROR_NONE &&
        is_signature_of(signature, name)) {
      id = class_id(f->meta, ti, classes[i]);
    }
    (*ti)->Deallocate(ti, (unsigned char *)signature);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)classes);
  return id;
}

/* Defines the monitor at an index of the answer. */
static void define_monitor(const struct facts *f, jvmtiEnv *ti, JNIEnv *jni, jobject answer,
                           jint at, uint32_t hash) {
  uint32_t class = 0;
  jobjectArray classes = (*jni)->GetObjectField(jni, answer, f->classes);
  jclass klass = (*jni)->GetObjectArrayElement(jni, classes, at);
  if (klass != NULL) {
    class = class_id(f->meta, ti, klass);
  } else {
    jobjectArray names = (*jni)->GetObjectField(jni, answer, f->names);
    jstring string = (*jni)->GetObjectArrayElement(jni, names, at);
    const char *name = string == NULL ? NULL : (*jni)->GetStringUTFChars(jni, string, NULL);
    if (name != NULL) {
      class = find_class_by_name(f, ti, jni, name);
      (*jni)->ReleaseStringUTFChars(jni, string, name);
    }
  }
  jvm_clear_exception(jni);
  object_define(f->meta, hash, class);
}

/* --- frames ----------------------------------------------------------------------------------- */

static bool has_method_name(jvmtiEnv *ti, jmethodID method, const char *name) {
  char *own = NULL;
  (*ti)->GetMethodName(ti, method, &own, NULL, NULL);
  bool is = own != NULL && strcmp(own, name) == 0;
  (*ti)->Deallocate(ti, (unsigned char *)own);
  return is;
}

/* The answer's stack lacks the hidden frames, so its depths are smaller than those of `frames`.
   Returns the index among `frames` of the frame at `depth` of the answer; -1: not known. */
static int find_frame(const struct facts *f, jvmtiEnv *ti, JNIEnv *jni, jobject answer,
                      const jvmtiFrameInfo *frames, int num_frames, int depth) {
  jobjectArray methods = (*jni)->GetObjectField(jni, answer, f->methods);
  int at = -1;
  if (depth < 0 || depth >= (*jni)->GetArrayLength(jni, methods)) return -1;
  for (int i = 0; i <= depth; i++) {
    jstring string = (*jni)->GetObjectArrayElement(jni, methods, i);
    const char *name = string == NULL ? NULL : (*jni)->GetStringUTFChars(jni, string, NULL);
    if (name == NULL) return -1;
    do at++;
    while (at < num_frames && !has_method_name(ti, frames[at].method, name));
    (*jni)->ReleaseStringUTFChars(jni, string, name);
    (*jni)->DeleteLocalRef(jni, string);
  }
  return at < num_frames ? at : -1;
}

/* --- reading ---------------------------------------------------------------------------------- */

static jint get_element(JNIEnv *jni, jobject answer, jfieldID field, jint at) {
  jint value = 0;
  jintArray array = (*jni)->GetObjectField(jni, answer, field);
  (*jni)->GetIntArrayRegion(jni, array, at, 1, &value);
  (*jni)->DeleteLocalRef(jni, array);
  return value;
}

static void take_answer(const struct facts *f, jvmtiEnv *ti, JNIEnv *jni, jobject answer,
                        const jvmtiFrameInfo *frames, int num_frames, struct thread_facts *out) {
  jint n = (*jni)->GetArrayLength(jni, (*jni)->GetObjectField(jni, answer, f->hashes));
  for (jint i = 0; i < n && out->num_held < FACTS_MAX_HELD; i++) {
    uint32_t hash = (uint32_t)get_element(jni, answer, f->hashes, i);
    if (hash == 0 || !push_frame(jni)) continue;
    define_monitor(f, ti, jni, answer, i, hash);
    int depth = get_element(jni, answer, f->depths, i);
    if (i == 0) {
      out->monitor = hash;
    } else {
      depth = find_frame(f, ti, jni, answer, frames, num_frames, depth);
      out->held[out->num_held++] = (struct held_monitor){hash, depth};
    }
    (*jni)->PopLocalFrame(jni, NULL);
    jvm_clear_exception(jni);
  }
  out->blocker = object_hash(f->meta, ti, jni, (*jni)->GetObjectField(jni, answer, f->blocker));
  out->owner = object_hash(f->meta, ti, jni, (*jni)->GetObjectField(jni, answer, f->owner));
}

bool facts_read(const struct facts *f, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                const jvmtiFrameInfo *frames, int num_frames, bool with_monitors,
                struct thread_facts *out) {
  out->monitor = out->blocker = out->owner = 0;
  out->num_held = 0;
  if (!push_frame(jni)) return false;
  jboolean asks = with_monitors && !f->without_monitors ? JNI_TRUE : JNI_FALSE;
  jobject answer = (*jni)->CallStaticObjectMethod(jni, f->klass, f->read, thread, asks);
  bool good = !jvm_clear_exception(jni) && answer != NULL;
  if (good) take_answer(f, ti, jni, answer, frames, num_frames, out);
  jvm_clear_exception(jni);
  (*jni)->PopLocalFrame(jni, NULL);
  return good;
}
