#include "agent/track/java_classes.h"

#include "agent/classfile/rename.h"
#include "agent/jvm/jvm.h"
#include "agent/track/hook_classes.h"
#include "agent/track/selection.h"

/* Static, since a native function gets no pointer of Orca's as an argument. Set before the natives
   are bound, and never cleared. */
static const struct hooks *hooks;

/* The arguments and the result of OrcaBoot.bind. */
static struct rebind *rebind;
static bool to_orca, is_bound;

/* --- the natives of OrcaHook ----------------------------------------------------------------- */

static bool is_row(jint row) { return row >= 0 && row < num_tracked; }

static void JNICALL native_enter(JNIEnv *jni, jclass hook, jobject object, jint row) {
  (void)hook;
  if (row == SELECTED_ID) hook_method_enter(hooks, jni);
  if (is_row(row)) hook_enter(hooks, jni, row, object, HOOK_CALLED);
}

static void JNICALL native_enter_with_this(JNIEnv *jni, jclass hook, jobject object, jobject self,
                                           jint row) {
  (void)hook;
  if (is_row(row)) hook_queued(hooks, jni, row, object, self, HOOK_CALLED);
}

static void handle_exit(JNIEnv *jni, jint row, bool failed) {
  if (row == SELECTED_ID) hook_method_exit(hooks, jni, NULL);
  if (is_row(row)) hook_exit(hooks, jni, row, failed, HOOK_CALLED);
}

static enum tracked_exit get_exit_kind(jint row) {
  return is_row(row) ? tracked[row].exit : ENDS_PAIR;
}

static void JNICALL native_exit(JNIEnv *jni, jclass hook, jint row) {
  (void)hook;
  handle_exit(jni, row, false);
}

static void JNICALL native_exit_boolean(JNIEnv *jni, jclass hook, jboolean value, jint row) {
  (void)hook;
  handle_exit(jni, row, get_exit_kind(row) == ENDS_TRUE && !value);
}

static void JNICALL native_exit_long(JNIEnv *jni, jclass hook, jlong value, jint row) {
  (void)hook;
  enum tracked_exit exit = get_exit_kind(row);
  handle_exit(jni, row,
              (exit == ENDS_POSITIVE && value <= 0) || (exit == ENDS_NONZERO && value == 0));
}

static void JNICALL native_exit_object(JNIEnv *jni, jclass hook, jobject value, jint row) {
  (void)hook;
  if (get_exit_kind(row) == ENDS_RETURNED) {
    hook_returned(hooks, jni, row, value, HOOK_CALLED);
  } else {
    handle_exit(jni, row, get_exit_kind(row) == ENDS_NONNULL && value == NULL);
  }
}

static void JNICALL native_thrown(JNIEnv *jni, jclass hook, jobject exception, jint row) {
  (void)hook;
  if (row == SELECTED_ID) hook_method_exit(hooks, jni, exception);
  if (is_row(row)) hook_exit(hooks, jni, row, true, HOOK_CALLED);
}

static void JNICALL native_monitor_enter(JNIEnv *jni, jclass hook, jobject monitor, jint id) {
  (void)hook, (void)id;
  hook_monitor(hooks, jni, monitor, EVENT_MONITOR_ENTER);
}

static void JNICALL native_monitor_entered(JNIEnv *jni, jclass hook, jobject monitor, jint id) {
  (void)hook, (void)id;
  hook_monitor(hooks, jni, monitor, EVENT_MONITOR_ENTERED);
}

static void JNICALL native_monitor_exit(JNIEnv *jni, jclass hook, jobject monitor, jint id) {
  (void)hook, (void)id;
  hook_monitor(hooks, jni, monitor, EVENT_MONITOR_EXIT);
}

static const JNINativeMethod hook_natives[] = {
    {"enter", "(Ljava/lang/Object;I)V", (void *)native_enter},
    {"enter", "(Ljava/lang/Object;Ljava/lang/Object;I)V", (void *)native_enter_with_this},
    {"exit", "(I)V", (void *)native_exit},
    {"exit", "(ZI)V", (void *)native_exit_boolean},
    {"exit", "(JI)V", (void *)native_exit_long},
    {"exit", "(Ljava/lang/Object;I)V", (void *)native_exit_object},
    {"thrown", "(Ljava/lang/Throwable;I)V", (void *)native_thrown},
    {"monitorEnter", "(Ljava/lang/Object;I)V", (void *)native_monitor_enter},
    {"monitorEntered", "(Ljava/lang/Object;I)V", (void *)native_monitor_entered},
    {"monitorExit", "(Ljava/lang/Object;I)V", (void *)native_monitor_exit},
};

/* --- the natives of OrcaLocks ---------------------------------------------------------------- */

static void JNICALL native_note_made(JNIEnv *jni, jclass locks, jobject lock) {
  (void)locks;
  struct recorder *r = hooks->threads->recorder;
  if (recorder_is_on(r))
    lock_fields_note_constructed(hooks->lock_fields, &r->meta, hooks->ti, jni, lock);
}

static jboolean JNICALL native_make_entry(JNIEnv *jni, jclass locks, jobject lock) {
  (void)locks;
  struct recorder *r = hooks->threads->recorder;
  if (!recorder_is_on(r)) return JNI_FALSE;
  struct lock_look look = lock_look(hooks->lock_fields, &r->meta, hooks->ti, jni, lock);
  return counted_locks_add(hooks->lock_counts, hooks->lock_fields, jni, lock, &look) != 0;
}

static const JNINativeMethod locks_natives[] = {
    {"noteMade", "(Ljava/lang/Object;)V", (void *)native_note_made},
    {"makeEntry", "(Ljava/lang/Object;)Z", (void *)native_make_entry},
};

/* --- defining and binding -------------------------------------------------------------------- */

#define ARRAY_LEN(array) ((jint)(sizeof(array) / sizeof *(array)))

static bool bind_natives(JNIEnv *jni, jclass klass, const JNINativeMethod *natives, jint n) {
  bool good = klass != NULL && (*jni)->RegisterNatives(jni, klass, natives, n) == JNI_OK;
  return !jvm_clear_exception(jni) && good;
}

/* Hides the methods of the class in recorded stacks. FindClass initializes the class; before that,
   the JVM does not list its methods. */
static void hide_class(JNIEnv *jni, const char *name) {
  jclass klass = (*jni)->FindClass(jni, name);
  if (jvm_clear_exception(jni) || klass == NULL) return;
  meta_hide_class(&hooks->threads->recorder->meta, hooks->ti, klass);
  (*jni)->DeleteLocalRef(jni, klass);
}

static bool define_and_bind(JNIEnv *jni, const char *name, const unsigned char *bytes, size_t len,
                            const JNINativeMethod *natives, jint n) {
  jclass klass = jvm_define_class(jni, name, bytes, len);
  bool good = bind_natives(jni, klass, natives, n);
  if (klass != NULL) (*jni)->DeleteLocalRef(jni, klass);
  if (good) hide_class(jni, name);
  return good;
}

/* Up to JDK 11 getReference of Unsafe has another name, and in JDK 8 also Unsafe itself. */
static const struct renaming old_names[] = {{"getReference", "getObject"},
                                            {"jdk/internal/misc/Unsafe", "sun/misc/Unsafe"}};

/* Returns how many of `old_names` this JVM has. */
static size_t count_old_names(JNIEnv *jni) {
  jclass unsafe = (*jni)->FindClass(jni, "jdk/internal/misc/Unsafe");
  if (jvm_clear_exception(jni) || unsafe == NULL) return 2;
  jmethodID method =
      (*jni)->GetMethodID(jni, unsafe, "getReference", "(Ljava/lang/Object;J)Ljava/lang/Object;");
  bool is_old = jvm_clear_exception(jni) || method == NULL;
  (*jni)->DeleteLocalRef(jni, unsafe);
  return is_old ? 1 : 0;
}

static bool define_and_bind_locks(JNIEnv *jni) {
  struct builder bytes = {0};
  struct span class_file = {(const char *)locks_bytes, sizeof locks_bytes};
  bool good = class_rename(class_file, old_names, count_old_names(jni), &bytes) &&
              define_and_bind(jni, ORCA_LOCKS_CLASS, (const unsigned char *)bytes.data, bytes.len,
                              locks_natives, ARRAY_LEN(locks_natives));
  builder_free(&bytes);
  return good;
}

/* The native OrcaBoot.bindFromHere. */
static void JNICALL bind_from_here(JNIEnv *jni, jclass boot) {
  (void)boot;
  is_bound = define_and_bind(jni, ORCA_HOOK_CLASS, hook_bytes, sizeof hook_bytes, hook_natives,
                             ARRAY_LEN(hook_natives)) &&
             define_and_bind_locks(jni) && rebind_bind(rebind, jni, to_orca);
  (*jni)->ExceptionClear(jni);
}

static void call_orca_boot(JNIEnv *jni, jclass boot) {
  static const JNINativeMethod native = {"bindFromHere", "()V", (void *)bind_from_here};
  if (!bind_natives(jni, boot, &native, 1)) return;
  jmethodID method = (*jni)->GetStaticMethodID(jni, boot, "bind", "()V");
  if (jvm_clear_exception(jni)) return;
  (*jni)->CallStaticVoidMethod(jni, boot, method);
  jvm_clear_exception(jni);
}

bool java_classes_bind(const struct hooks *h, struct rebind *r, JNIEnv *jni, bool is_to_orca) {
  hooks = h;
  rebind = r;
  to_orca = is_to_orca;
  is_bound = false;
  jclass boot = jvm_define_class(jni, ORCA_BOOT_CLASS, boot_bytes, sizeof boot_bytes);
  if (boot == NULL) return false;
  call_orca_boot(jni, boot);
  hide_class(jni, ORCA_BOOT_CLASS);
  (*jni)->DeleteLocalRef(jni, boot);
  return is_bound;
}

/* --- counting -------------------------------------------------------------------------------- */

/* Calls OrcaLocks.isSupported. */
static bool test_locks_class(JNIEnv *jni, jclass locks) {
  jmethodID is_supported = (*jni)->GetStaticMethodID(jni, locks, "isSupported", "()Z");
  if (jvm_clear_exception(jni)) return false;
  bool good = (*jni)->CallStaticBooleanMethod(jni, locks, is_supported);
  return !jvm_clear_exception(jni) && good;
}

static bool set_table(JNIEnv *jni, jclass locks, jlong table) {
  jfieldID field = (*jni)->GetStaticFieldID(jni, locks, "table", "J");
  if (jvm_clear_exception(jni)) return false;
  (*jni)->SetStaticLongField(jni, locks, field, table);
  return true;
}

static bool set_skips_new(JNIEnv *jni, jclass locks, bool skips) {
  jfieldID field = (*jni)->GetStaticFieldID(jni, locks, "skipsNew", "Z");
  if (jvm_clear_exception(jni)) return false;
  (*jni)->SetStaticBooleanField(jni, locks, field, skips);
  return true;
}

bool java_classes_start_counting(const struct hooks *h, JNIEnv *jni) {
  jclass locks = (*jni)->FindClass(jni, ORCA_LOCKS_CLASS);
  if (jvm_clear_exception(jni) || locks == NULL) return false;
  /* The test runs without a table, so that its own locks are not counted. */
  bool good = set_table(jni, locks, 0) && test_locks_class(jni, locks) &&
              set_skips_new(jni, locks, h->threads->recorder->options.threshold > 0) &&
              set_table(jni, locks, (jlong)(intptr_t)lock_counts_table(h->lock_counts));
  (*jni)->DeleteLocalRef(jni, locks);
  return good;
}

void java_classes_skip_new_locks(JNIEnv *jni, bool skips) {
  jclass locks = (*jni)->FindClass(jni, ORCA_LOCKS_CLASS);
  if (jvm_clear_exception(jni) || locks == NULL) return;
  set_skips_new(jni, locks, skips);
  (*jni)->DeleteLocalRef(jni, locks);
}
