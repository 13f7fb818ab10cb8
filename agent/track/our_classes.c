#include "agent/track/our_classes.h"

#include "agent/track/hook_classes.h"
#include "agent/track/selection.h"

/* A native gets no pointer of ours, so it lies here. Set before they are bound, and for good. */
static const struct hooks *hooks;

/* What OrcaBoot.bind does, and did. */
static struct rebind *rebind;
static bool to_ours, bound;

/* --- the natives of OrcaHook ----------------------------------------------------------------- */

static bool is_row(jint row) { return row >= 0 && row < num_tracked; }

static void JNICALL enter(JNIEnv *jni, jclass hook, jobject object, jint row) {
  (void)hook;
  if (row == CHOSEN_ID) hook_method_enter(hooks, jni);
  if (is_row(row)) hook_enter(hooks, jni, row, object, HOOK_CALLED);
}

static void leave(JNIEnv *jni, jint row, bool failed) {
  if (row == CHOSEN_ID) hook_method_exit(hooks, jni, NULL);
  if (is_row(row)) hook_exit(hooks, row, failed);
}

static enum tracked_exit exit_of(jint row) { return is_row(row) ? tracked[row].exit : ENDS_PAIR; }

static void JNICALL exit_plain(JNIEnv *jni, jclass hook, jint row) {
  (void)hook;
  leave(jni, row, false);
}

static void JNICALL exit_boolean(JNIEnv *jni, jclass hook, jboolean value, jint row) {
  (void)hook;
  leave(jni, row, exit_of(row) == ENDS_TRUE && !value);
}

static void JNICALL exit_long(JNIEnv *jni, jclass hook, jlong value, jint row) {
  (void)hook;
  enum tracked_exit exit = exit_of(row);
  leave(jni, row, (exit == ENDS_POSITIVE && value <= 0) || (exit == ENDS_NONZERO && value == 0));
}

static void JNICALL exit_object(JNIEnv *jni, jclass hook, jobject value, jint row) {
  (void)hook;
  leave(jni, row, exit_of(row) == ENDS_NONNULL && value == NULL);
}

static void JNICALL thrown(JNIEnv *jni, jclass hook, jobject exception, jint row) {
  (void)hook;
  if (row == CHOSEN_ID) hook_method_exit(hooks, jni, exception);
  if (is_row(row)) hook_exit(hooks, row, true);
}

static void JNICALL monitor_enter(JNIEnv *jni, jclass hook, jobject monitor, jint id) {
  (void)hook, (void)id;
  hook_monitor(hooks, jni, monitor, EVENT_MONITOR_ENTER);
}

static void JNICALL monitor_entered(JNIEnv *jni, jclass hook, jobject monitor, jint id) {
  (void)hook, (void)id;
  hook_monitor(hooks, jni, monitor, EVENT_MONITOR_ENTERED);
}

static void JNICALL monitor_exit(JNIEnv *jni, jclass hook, jobject monitor, jint id) {
  (void)hook, (void)id;
  hook_monitor(hooks, jni, monitor, EVENT_MONITOR_EXIT);
}

static void JNICALL made(JNIEnv *jni, jclass hook, jobject lock) {
  (void)hook;
  struct recorder *r = hooks->threads->recorder;
  if (recorder_is_on(r)) lock_fields_made(hooks->lock_fields, &r->meta, hooks->ti, jni, lock);
}

static const JNINativeMethod hook_natives[] = {
    {"enter", "(Ljava/lang/Object;I)V", (void *)enter},
    {"exit", "(I)V", (void *)exit_plain},
    {"exit", "(ZI)V", (void *)exit_boolean},
    {"exit", "(JI)V", (void *)exit_long},
    {"exit", "(Ljava/lang/Object;I)V", (void *)exit_object},
    {"thrown", "(Ljava/lang/Throwable;I)V", (void *)thrown},
    {"made", "(Ljava/lang/Object;)V", (void *)made},
    {"monitorEnter", "(Ljava/lang/Object;I)V", (void *)monitor_enter},
    {"monitorEntered", "(Ljava/lang/Object;I)V", (void *)monitor_entered},
    {"monitorExit", "(Ljava/lang/Object;I)V", (void *)monitor_exit},
};

/* --- the native of OrcaLocks ----------------------------------------------------------------- */

static jboolean JNICALL make(JNIEnv *jni, jclass locks, jobject lock) {
  (void)locks;
  struct recorder *r = hooks->threads->recorder;
  if (!recorder_is_on(r)) return JNI_FALSE;
  struct lock_look look = lock_look(hooks->lock_fields, &r->meta, hooks->ti, jni, lock);
  return lock_counts_at(hooks->lock_counts, &look) != 0;
}

static const JNINativeMethod locks_natives[] = {
    {"make", "(Ljava/lang/Object;)Z", (void *)make},
};

/* --- defining and binding -------------------------------------------------------------------- */

#define NUM(array) ((jint)(sizeof(array) / sizeof *(array)))

static bool clear_exception(JNIEnv *jni) {
  if (!(*jni)->ExceptionCheck(jni)) return false;
  (*jni)->ExceptionClear(jni);
  return true;
}

/* A class of ours. NULL on failure. */
static jclass our_class(JNIEnv *jni, const char *name, const unsigned char *bytes, size_t len) {
  jclass klass = (*jni)->DefineClass(jni, name, NULL, (const jbyte *)bytes, (jsize)len);
  if (klass != NULL) return klass;
  (*jni)->ExceptionClear(jni);
  klass = (*jni)->FindClass(jni, name);
  (*jni)->ExceptionClear(jni);
  return klass;
}

static bool bind_natives(JNIEnv *jni, jclass klass, const JNINativeMethod *natives, jint n) {
  bool good = klass != NULL && (*jni)->RegisterNatives(jni, klass, natives, n) == JNI_OK;
  return !clear_exception(jni) && good;
}

/* The JVM tells the methods of a class once it is initialized: FindClass does that. */
static void hide(JNIEnv *jni, const char *name) {
  jclass klass = (*jni)->FindClass(jni, name);
  if (clear_exception(jni) || klass == NULL) return;
  meta_hide_class(&hooks->threads->recorder->meta, hooks->ti, klass);
  (*jni)->DeleteLocalRef(jni, klass);
}

static bool define_and_bind(JNIEnv *jni, const char *name, const unsigned char *bytes, size_t len,
                            const JNINativeMethod *natives, jint n) {
  jclass klass = our_class(jni, name, bytes, len);
  bool good = bind_natives(jni, klass, natives, n);
  if (klass != NULL) (*jni)->DeleteLocalRef(jni, klass);
  if (good) hide(jni, name);
  return good;
}

/* OrcaBoot.bindFromHere. */
static void JNICALL bind_from_here(JNIEnv *jni, jclass boot) {
  (void)boot;
  bound = define_and_bind(jni, OUR_HOOK, hook_bytes, sizeof hook_bytes, hook_natives,
                          NUM(hook_natives)) &&
          define_and_bind(jni, OUR_LOCKS, locks_bytes, sizeof locks_bytes, locks_natives,
                          NUM(locks_natives)) &&
          rebind_bind(rebind, jni, to_ours);
  (*jni)->ExceptionClear(jni);
}

static void call_boot(JNIEnv *jni, jclass boot) {
  static const JNINativeMethod native = {"bindFromHere", "()V", (void *)bind_from_here};
  if (!bind_natives(jni, boot, &native, 1)) return;
  jmethodID method = (*jni)->GetStaticMethodID(jni, boot, "bind", "()V");
  if (clear_exception(jni)) return;
  (*jni)->CallStaticVoidMethod(jni, boot, method);
  clear_exception(jni);
}

bool our_classes_bind(const struct hooks *h, struct rebind *r, JNIEnv *jni, bool ours) {
  hooks = h;
  rebind = r;
  to_ours = ours;
  bound = false;
  jclass boot = our_class(jni, OUR_BOOT, boot_bytes, sizeof boot_bytes);
  if (boot == NULL) return false;
  call_boot(jni, boot);
  hide(jni, OUR_BOOT);
  (*jni)->DeleteLocalRef(jni, boot);
  return bound;
}

/* --- counting -------------------------------------------------------------------------------- */

static bool try_works(JNIEnv *jni, jclass locks) {
  jmethodID works = (*jni)->GetStaticMethodID(jni, locks, "works", "()Z");
  if (clear_exception(jni)) return false;
  bool good = (*jni)->CallStaticBooleanMethod(jni, locks, works);
  return !clear_exception(jni) && good;
}

static bool set_table(JNIEnv *jni, jclass locks, jlong table) {
  jfieldID field = (*jni)->GetStaticFieldID(jni, locks, "table", "J");
  if (clear_exception(jni)) return false;
  (*jni)->SetStaticLongField(jni, locks, field, table);
  return true;
}

bool our_classes_count(const struct hooks *h, JNIEnv *jni) {
  jclass locks = (*jni)->FindClass(jni, OUR_LOCKS);
  if (clear_exception(jni) || locks == NULL) return false;
  /* Without that of the last recording: the locks that it tries are none of the program's. */
  bool good = set_table(jni, locks, 0) && try_works(jni, locks) &&
              set_table(jni, locks, lock_counts_table(h->lock_counts));
  (*jni)->DeleteLocalRef(jni, locks);
  return good;
}
