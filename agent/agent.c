/* The entry points that the JVM calls: Agent_OnLoad, Agent_OnAttach, Agent_OnUnload, and the JVMTI
   callbacks. Each callback forwards to the part that handles it. */
#include <jvmti.h>
#include <stdlib.h>
#include <string.h>

#ifndef __linux__
#error "the agent runs on Linux only: it reads /proc, and samples by the timers of Linux"
#endif

#include "agent/agent.h"
#include "agent/base/bounded_lock.h"
#include "agent/base/clock.h"
#include "agent/base/hook_mark.h"
#include "agent/base/jvmti_compat.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"
#include "agent/options/command_line.h"
#include "agent/other_agent.h"
#include "agent/thread/ends.h"
#include "agent/thread/signal_thread.h"

/* The one agent of this process; global because JVMTI passes no user data to a callback. Nothing in
   it is ever freed: threads of the program may run its code until the process ends. */
static struct agent agent;

static void start_parts(JNIEnv *jni) {
  parts_start(&agent, jni);
  if (agent.end_at_ns == 0 || schedule_end(&agent, jni)) return;
  agent.end_at_ns = 0;
  log_line("this JVM gives Orca no thread to wait for the end; orca stop ends the recording");
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  (void)ti, (void)thread;
  semaphore_wait(&agent.control, SEMAPHORE_FOREVER);
  if (agent.state == AGENT_RECORDING) start_parts(jni);
  if (agent.state == AGENT_WAITING && !schedule_wait(&agent, jni)) {
    log_line("this JVM gives Orca no thread to wait for the start; nothing is recorded");
  }
  semaphore_post(&agent.control);
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *jni) {
  bool locked = bounded_lock(&agent.control);
  if (agent.state == AGENT_RECORDING) {
    parts_stop(&agent, jni, signal_thread_reason(ti, jni, "exit"), true);
  }
  agent.state = AGENT_DEAD;
  bounded_unlock(&agent.control, locked);
}

static void JNICALL on_thread_start(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  const struct context *c = context_here(&agent.threads, ti, jni);
  if (c == NULL || c->is_virtual) return;
  tids_begin(&agent.machine.tids, c->thread);
  sampler_thread_begins(&agent.sampler, jni, thread, c->thread);
}

static void JNICALL on_virtual_thread_start(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  carriers_note_virtual_thread(&agent.sampler.carriers);
  const struct context *c = context_begin_virtual(&agent.threads, ti, jni, thread);
  if (c != NULL) cpu_sampler_virtual_begins(&agent.sampler.cpu, jni, thread, c->thread);
}

static void JNICALL on_thread_end(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  context_here(&agent.threads, ti, jni); /* adopts a context that another thread made */
  struct context *known =
      context_known(&agent.threads, ti, jni); /* works also while nothing is recorded */
  struct context c;
  if (known != NULL) {
    c = *known;
    hook_thread_end(&agent.hooks, known);
  } else { /* the thread may still have a timer, which sampler_thread_ends deletes */
    jint hash = 0;
    (*ti)->GetObjectHashCode(ti, thread, &hash);
    c = (struct context){.thread = (uint32_t)hash,
                         .is_virtual = compat_is_virtual(jni, thread),
                         .begun_ns = clock_monotonic_ns()};
  }
  context_end(&agent.threads, ti, jni);
  if (c.is_virtual) return;
  tids_end(&agent.machine.tids);
  sampler_thread_ends(&agent.sampler, ti, &c);
  ends_note(c.thread);
}

static void JNICALL on_contended_enter(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject monitor) {
  (void)thread;
  struct hook_mark mark;
  hook_mark_set(&mark);
  contention_enter(&agent.contention, ti, jni, monitor);
  hook_mark_clear(&mark);
}

static void JNICALL on_contended_entered(jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                                         jobject monitor) {
  (void)thread;
  struct hook_mark mark;
  hook_mark_set(&mark);
  contention_entered(&agent.contention, ti, jni, monitor);
  hook_mark_clear(&mark);
}

/* These two may call neither JNI nor JVMTI: they run inside a safepoint pause. */
static void JNICALL on_gc_start(jvmtiEnv *ti) {
  (void)ti;
  pauses_begin(&agent.pauses);
}

static void JNICALL on_gc_finish(jvmtiEnv *ti) {
  (void)ti;
  pauses_end(&agent.pauses);
}

static void JNICALL on_class_prepare(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass klass) {
  (void)thread;
  cpu_sampler_class_prepared(&agent.sampler.cpu, ti, klass);
  if (agent.callbacks != NULL) callbacks_engine_add_class(agent.callbacks, jni, klass);
  if (agent.weave != NULL) weave_engine_define_methods(agent.weave, jni, klass);
}

static void JNICALL on_class_file_load(jvmtiEnv *ti, JNIEnv *jni, jclass redefined, jobject loader,
                                       const char *name, jobject domain, jint len,
                                       const unsigned char *data, jint *out_len,
                                       unsigned char **out_data) {
  (void)ti, (void)jni, (void)redefined, (void)domain;
  weave_engine_transform_class(agent.weave, loader, name, data, len, out_data, out_len);
}

static void JNICALL on_compiled(jvmtiEnv *ti, jmethodID method, jint size, const void *code,
                                jint num_lines, const jvmtiAddrLocationMap *lines,
                                const void *info) {
  (void)ti, (void)num_lines, (void)lines;
  cpu_sampler_code_loaded(&agent.sampler.cpu, method, code, size, info);
}

static void JNICALL on_code_unloaded(jvmtiEnv *ti, jmethodID method, const void *code) {
  (void)ti, (void)method;
  cpu_sampler_code_unloaded(&agent.sampler.cpu, code);
}

static void JNICALL on_method_entry(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method) {
  (void)ti, (void)thread;
  callbacks_engine_entry(agent.callbacks, jni, method);
}

static void JNICALL on_method_exit(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method,
                                   jboolean by_exception, jvalue value) {
  (void)ti, (void)thread;
  callbacks_engine_exit(agent.callbacks, jni, method, by_exception, value);
}

static bool set_callbacks(jvmtiEnv *ti) {
  union compat_callbacks c = {.named = {
                                  .VMInit = on_vm_init,
                                  .VMDeath = on_vm_death,
                                  .ThreadStart = on_thread_start,
                                  .ThreadEnd = on_thread_end,
                                  .MonitorContendedEnter = on_contended_enter,
                                  .MonitorContendedEntered = on_contended_entered,
                                  .GarbageCollectionStart = on_gc_start,
                                  .GarbageCollectionFinish = on_gc_finish,
                                  .ClassPrepare = on_class_prepare,
                                  .ClassFileLoadHook = on_class_file_load,
                                  .CompiledMethodLoad = on_compiled,
                                  .CompiledMethodUnload = on_code_unloaded,
                                  .MethodEntry = on_method_entry,
                                  .MethodExit = on_method_exit,
                              }};
  const unsigned first = JVMTI_MIN_EVENT_TYPE_VAL;
  c.by_event[COMPAT_EVENT_VIRTUAL_THREAD_START - first] = (void (*)(void))on_virtual_thread_start;
  c.by_event[COMPAT_EVENT_VIRTUAL_THREAD_END - first] = (void (*)(void))on_thread_end;
  return (*ti)->SetEventCallbacks(ti, &c.named, sizeof c) == JVMTI_ERROR_NONE &&
         (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL) ==
             JVMTI_ERROR_NONE &&
         (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL) ==
             JVMTI_ERROR_NONE;
}

/* --- entry points --------------------------------------------------------------------------- */

/* Gets a JVMTI environment, sets up the agent and registers the callbacks. On false agent.ti is
   NULL, and a later attach tries again. */
static bool initialize_agent(JavaVM *vm) {
  char error[300] = "there is no memory for the agent; nothing is recorded";
  if ((*vm)->GetEnv(vm, (void **)&agent.ti, JVMTI_VERSION_1_2) != JNI_OK) {
    log_line("this JVM has no JVMTI 1.2; Orca needs it");
    return false;
  }
  bool is_supported = jvm_is_supported(agent.ti, error, sizeof error);
  ends_prepare(agent.ti);
  if (is_supported && setup_init(&agent) && set_callbacks(agent.ti)) return true;
  log_line("%s", error);
  (*agent.ti)->DisposeEnvironment(agent.ti);
  agent.ti = NULL;
  return false;
}

/* The result of Agent_OnLoad when nothing is recorded. JNI_ERR ends the JVM: right for bad options,
   but missing memory, a missing thread or a folder that does not answer must not keep the program
   from running. Under `orca run`, which has checked the options, no JVM is kept from running: the
   command may start many. */
static jint get_load_failure(void) {
  bool lacks_resource = memory_failed() > 0 || agent.lacks_resource;
  return lacks_resource || agent.run != NULL ? JNI_OK : JNI_ERR;
}

/* If the command of `orca run` is a JVM, the agent is a word of its command line. The JVMs that it
   starts get the agent by JAVA_TOOL_OPTIONS. `orca run` does not set this variable itself, because
   this JVM would read it too, and print a line about it. */
static void join_run(void) {
  const char *options = getenv("ORCA_RUN_TOOL_OPTIONS");
  agent.run = getenv("ORCA_RUN");
  if (agent.run == NULL || options == NULL) return;
  setenv("JAVA_TOOL_OPTIONS", options, 1);
  unsetenv("ORCA_RUN_TOOL_OPTIONS");
}

JNIEXPORT jint JNICALL orca_is_in_charge(void) { return agent.ti != NULL; }

/* The JVM calls the agents of JAVA_TOOL_OPTIONS first, then those of its command line. The first
   one records, and a further one does nothing: a program may get the agent from a build file and
   from `orca run`. Returns whether this is a further one. */
static bool step_back(const char *options) {
  struct other_agent other;
  if (agent.ti != NULL) {
    log_line("the agent is given twice; the first one counts, and \"%.300s\" is not used", options);
    return true;
  }
  if (!other_agent_find(&other)) return false;
  log_line("the agent is given twice; the first one, %.300s, counts, and \"%.300s\" is not used",
           other.path, options);
  return true;
}

/* A build file can give a JVM the agent with options that it has chosen. `orca run` without options
   of its own leaves it to that agent, which the JVM calls later. Returns whether it does. */
static bool leave_to_command_line(const char *options) {
  const char *standard = getenv("ORCA_RUN_STANDARD");
  struct builder words = {0};
  if (standard == NULL || strcmp(standard, options) != 0) return false;
  command_line_read(&words);
  bool has_agent =
      !words.failed && command_line_has_agent((struct span){words.data, words.len}, options);
  builder_free(&words);
  return has_agent;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)reserved;
  char error[1000];
  if (options == NULL) options = "";
  if (step_back(options) || leave_to_command_line(options)) return JNI_OK;
  join_run();
  if (!initialize_agent(vm)) return get_load_failure();
  if (schedule_load(&agent, options, error, sizeof error)) return JNI_OK;
  bool is_said = agent.run == NULL || strstr(error, "nothing is recorded") != NULL;
  log_line("%s%s", error, is_said ? "" : "; this JVM is not recorded");
  return get_load_failure();
}

/* Tells `orca attach` to try again (MESSAGE_TOO_EARLY). */
#define NOT_YET (-2)

/* Called each time that the library is loaded into a running JVM, also when it is loaded already.
   A client that found a copy which stepped back reaches the one in charge. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
  struct other_agent other;
  JNIEnv *jni = NULL;
  jvmtiPhase phase = JVMTI_PHASE_DEAD;
  if ((*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK) return NOT_YET;
  if (agent.ti == NULL && other_agent_find(&other)) return other.attach(vm, options, reserved);
  if (agent.ti == NULL && !initialize_agent(vm)) return JNI_ERR;
  if ((*agent.ti)->GetPhase(agent.ti, &phase) != JVMTI_ERROR_NONE || phase != JVMTI_PHASE_LIVE) {
    return NOT_YET;
  }
  return control_handle_request(&agent, jni, options == NULL ? "" : options);
}

/* Frees nothing: the library stays loaded until the process ends (-z nodelete). */
JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) { (void)vm; }
