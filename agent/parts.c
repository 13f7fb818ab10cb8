/* The parts of the agent in the order in which they start, and backwards when it stops. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/jvmti_later.h"

/* --- before the JVM starts: what can be refused --------------------------------------- */

/* What is asked for. Each is taken alone if the JVM has it; only some engines need some of them. */
static jvmtiCapabilities wanted(const struct options *o) {
  bool callbacks = o->engine == ENGINE_CALLBACKS, weave = o->engine == ENGINE_WEAVE;
  jvmtiCapabilities c = {
      .can_tag_objects = 1,
      .can_get_source_file_name = 1,
      .can_get_line_numbers = 1,
      .can_get_thread_cpu_time = 1,
      .can_get_current_thread_cpu_time = 1,
      .can_get_monitor_info = 1,
      .can_generate_monitor_events = 1,
      .can_access_local_variables = callbacks,
      .can_generate_method_entry_events = callbacks,
      .can_generate_method_exit_events = callbacks,
      .can_retransform_classes = weave,
      .can_retransform_any_class = weave,
      .can_generate_all_class_hook_events = weave,
  };
  later_want_virtual_threads(&c);
  return c;
}

static bool take_capabilities(struct agent *a, const struct options *o) {
  jvmtiCapabilities want = wanted(o), potential;
  if ((*a->ti)->GetPotentialCapabilities(a->ti, &potential) != JVMTI_ERROR_NONE) return false;
  for (size_t i = 0; i < sizeof want; i++) {
    ((unsigned char *)&want)[i] &= ((unsigned char *)&potential)[i];
  }
  a->capabilities = want;
  bool enough = want.can_tag_objects && (o->engine != ENGINE_WEAVE || want.can_retransform_classes);
  return enough && (*a->ti)->AddCapabilities(a->ti, &want) == JVMTI_ERROR_NONE;
}

/* What callbacks need can only be had before the JVM starts. */
static bool has_engine(const struct agent *a, const struct options *o, bool live) {
  jvmtiCapabilities held = {0};
  (*a->ti)->GetCapabilities(a->ti, &held);
  return !live || o->engine != ENGINE_CALLBACKS || held.can_generate_method_entry_events;
}

static void recording_failed(void *arg) {
  recorder_switch(&((struct agent *)arg)->recorder, false);
}

/* The figures of the parts, for the end of .info. */
static void write_end(void *arg, struct builder *info) {
  struct agent *a = arg;
  const struct {
    const char *key;
    const uint64_t *value;
  } rows[] = {
      {"events.waited", &a->recorder.waited},
      {"sampler.pause.total", &a->sampler.pause_total_ns},
      {"monitor.orphans", &a->contention.orphans},
      {"owners.asked", &a->owners.asked},
      {"owners.not.asked", &a->owners.not_asked},
      {"stacks.cut", &a->recorder.meta.stacks_cut},
      {"stacks.differed", &a->recorder.meta.walker.differed},
      {"stacks.gave.up", &a->recorder.meta.walker.gave_up},
      {"stacks.unshared", &a->recorder.meta.stacks_unshared},
      {"methods.unloaded", &a->recorder.meta.methods_unloaded},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    info_number(info, rows[i].key, __atomic_load_n(rows[i].value, __ATOMIC_RELAXED));
  }
  info_number(info, "locks.uncounted", lock_counts_refused(a->lock_counts));
  if (a->weave != NULL) weave_engine_info(a->weave, info);
}

/* The command line of the process, its words joined by blanks. */
static void read_command(struct builder *out) {
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  for (;;) {
    char *room = fd < 0 ? NULL : builder_room(out, 4096);
    ssize_t n = room == NULL ? 0 : read(fd, room, 4096);
    if (n <= 0) break;
    out->len += (size_t)n;
  }
  if (fd >= 0) close(fd);
  if (out->len > 0 && out->data[out->len - 1] == '\0') out->len--;
  for (size_t i = 0; i < out->len; i++) {
    if (out->data[i] == '\0') out->data[i] = ' ';
  }
  builder_char(out, '\0');
}

static void changed_counts(void *arg, void (*tell)(void *, enum event_kind, uint32_t, uint64_t),
                           void *tell_arg) {
  lock_counts_changed(((struct agent *)arg)->lock_counts, tell, tell_arg);
}

static void forget_objects(void *arg) {
  meta_forget_objects(&((struct agent *)arg)->recorder.meta);
}

static bool start_writer(struct agent *a) {
  struct recorder *r = &a->recorder;
  struct writer_source source = {.queue = r->queue,
                                 .classes = &r->meta.class_box,
                                 .methods = &r->meta.method_box,
                                 .objects = &r->meta.object_box,
                                 .dropped = &r->dropped,
                                 .counts = changed_counts,
                                 .hold_ns = r->options.owners == OWNERS_LATE ? OWNERS_HOLD_NS : 0,
                                 .threshold_ns = r->options.threshold,
                                 .failed = recording_failed,
                                 .end = write_end,
                                 .maxsize = r->options.maxsize,
                                 .keep = r->options.keep,
                                 .forget_objects = forget_objects,
                                 .arg = a};
  struct builder command = {0}, options = {0};
  char *version = NULL;
  read_command(&command);
  options_print(&r->options, &options);
  builder_char(&options, '\0');
  (*a->ti)->GetSystemProperty(a->ti, "java.vm.version", &version);
  struct info_start start = {.java_version = version ? version : "",
                             .command = command.failed ? "" : command.data,
                             .options = options.failed ? "" : options.data,
                             .monotonic_ns = clock_monotonic_ns(),
                             .utc_ns = clock_utc_ns()};
  bool good = writer_start(a->writer, &source, &start);
  (*a->ti)->Deallocate(a->ti, (unsigned char *)version);
  builder_free(&command);
  builder_free(&options);
  return good;
}

static bool set_prefix(struct agent *a, const char *prefix, char *error, size_t error_size) {
  bool fits = prefix_expand(prefix, getpid(), clock_utc_ns(), getenv("TEST_UNDECLARED_OUTPUTS_DIR"),
                            a->prefix, sizeof a->prefix);
  if (!fits) {
    snprintf(error, error_size, "the prefix \"%.100s…\" is too long for a file name", prefix);
  }
  return fits;
}

/* What can be told before anything is asked of the JVM, or made. */
static bool is_possible(struct agent *a, const struct options *o, bool live, char *error,
                        size_t error_size) {
  if (has_engine(a, o, live)) return set_prefix(a, o->prefix, error, error_size);
  snprintf(error, error_size,
           "engine=callbacks has to be there from the start of the JVM, by -agentpath; a JVM that "
           "runs takes engine=weave");
  return false;
}

static bool refuse_capabilities(char *error, size_t error_size) {
  snprintf(error, error_size, "this JVM does not let an agent tag objects or change classes");
  return false;
}

bool agent_check(struct agent *a, const struct options *o, bool live, char *error,
                 size_t error_size) {
  return is_possible(a, o, live, error, error_size) &&
         writer_try(a->writer, a->prefix, error, error_size) &&
         (take_capabilities(a, o) || refuse_capabilities(error, error_size));
}

bool agent_init(struct agent *a) {
  pthread_mutex_init(&a->control, NULL);
  threads_init(&a->threads, &a->recorder);
  sampler_init(&a->sampler, &a->threads);
  owners_init(&a->owners, &a->threads);
  a->contention = (struct contention){.threads = &a->threads, .owners = &a->owners};
  a->writer = writer_new();
  a->lock_counts = lock_counts_new();
  return a->writer != NULL && a->lock_counts != NULL &&
         recorder_init(&a->recorder, writer_wake, a->writer);
}

bool agent_open(struct agent *a, const char *given, bool live, char *error, size_t error_size) {
  struct options options;
  if (!options_parse(given, &options, error, error_size)) return false;
  if (!is_possible(a, &options, live, error, error_size) ||
      !writer_open(a->writer, a->prefix, error, error_size)) {
    return false;
  }
  recorder_begin(&a->recorder, &options);
  lock_counts_begin(a->lock_counts);
  a->contention.orphans = 0;
  bool good = take_capabilities(a, &options);
  if (!good) {
    refuse_capabilities(error, error_size);
    writer_abandon(a->writer);
  } else if (!start_writer(a)) {
    snprintf(error, error_size, "there is no memory to start recording");
    good = false;
  }
  return good;
}

/* --- when the JVM is up ----------------------------------------------------------------- */

static bool enable(struct agent *a, jvmtiEvent event) {
  return (*a->ti)->SetEventNotificationMode(a->ti, JVMTI_ENABLE, event, NULL) == JVMTI_ERROR_NONE;
}

static void disable(struct agent *a, jvmtiEvent event) {
  (*a->ti)->SetEventNotificationMode(a->ti, JVMTI_DISABLE, event, NULL);
}

static bool start_walk(struct agent *a, JNIEnv *jni) {
  if (a->recorder.options.walk == WALK_JVMTI) return true;
  if (!walker_start(&a->recorder.meta.walker, a->ti, jni, NULL)) {
    log_line("walk=async: this JVM has no AsyncGetCallTrace; stacks are taken as with walk=jvmti");
  }
  return true;
}

static void stop_walk(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  walker_stop(&a->recorder.meta.walker, a->ti);
}

static bool start_threads(struct agent *a, JNIEnv *jni) {
  context_announce_all(&a->threads, a->ti, jni);
  bool good = enable(a, JVMTI_EVENT_THREAD_START) && enable(a, JVMTI_EVENT_THREAD_END);
  if (later_has_virtual_threads(&a->capabilities)) {
    good = good && enable(a, LATER_EVENT_VIRTUAL_THREAD_START) &&
           enable(a, LATER_EVENT_VIRTUAL_THREAD_END);
  }
  context_announce_all(&a->threads, a->ti, jni);
  return good;
}

/* The ends of threads are heard to the end of the JVM: what is kept of a thread goes with it. */
static void stop_threads(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  disable(a, JVMTI_EVENT_THREAD_START);
  if (later_has_virtual_threads(&a->capabilities)) disable(a, LATER_EVENT_VIRTUAL_THREAD_START);
}

static bool start_owners(struct agent *a, JNIEnv *jni) {
  return owners_start(&a->owners, a->ti, jni);
}

static void stop_owners(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  owners_stop(&a->owners);
}

static bool start_contention(struct agent *a, JNIEnv *jni) {
  (void)jni;
  if ((a->recorder.options.events >> GROUP_MONITOR & 1) == 0) return true;
  return enable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTER) &&
         enable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
}

static void stop_contention(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  disable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
  disable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
}

static bool make_hooks(struct agent *a, JNIEnv *jni) {
  if (a->hooks.lock_fields != NULL) return true;
  a->hooks = (struct hooks){&a->threads, a->ti, lock_fields_new(jni), a->lock_counts};
  return a->hooks.lock_fields != NULL;
}

static bool start_engine(struct agent *a, JNIEnv *jni) {
  if (!make_hooks(a, jni)) return false;
  if (a->recorder.options.engine == ENGINE_CALLBACKS) {
    if (a->callbacks == NULL) a->callbacks = callbacks_engine_new(&a->hooks);
    return a->callbacks != NULL && callbacks_engine_start(a->callbacks, jni);
  }
  if (a->weave == NULL) a->weave = weave_engine_new(&a->hooks);
  return a->weave != NULL && weave_engine_start(a->weave, jni);
}

/* What is woven may stay so while the JVM ends: the hooks see that nothing is recorded any more. */
static void stop_engine(struct agent *a, JNIEnv *jni, bool exiting) {
  if (a->callbacks != NULL) callbacks_engine_stop(a->callbacks);
  if (a->weave != NULL && !exiting) weave_engine_stop(a->weave, jni);
}

static bool start_sampler(struct agent *a, JNIEnv *jni) {
  return sampler_start(&a->sampler, a->ti, jni);
}

static void stop_sampler(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  sampler_stop(&a->sampler);
}

/* A part that does not start is left out; the others go on without it. */
static const struct part {
  const char *what;
  bool (*start)(struct agent *, JNIEnv *);
  void (*stop)(struct agent *, JNIEnv *, bool exiting);
} parts[] = {
    {"stacks", start_walk, stop_walk},
    {"the life of threads", start_threads, stop_threads},
    {"the owners of monitors", start_owners, stop_owners},
    {"contention", start_contention, stop_contention},
    {"tracked methods", start_engine, stop_engine},
    {"samples", start_sampler, stop_sampler},
};
#define NUM_PARTS (sizeof parts / sizeof *parts)

void agent_start(struct agent *a, JNIEnv *jni) {
  recorder_switch(&a->recorder, true);
  for (size_t i = 0; i < NUM_PARTS; i++) {
    if (!parts[i].start(a, jni)) {
      log_line("this JVM does not let Orca record %s; the rest is recorded", parts[i].what);
    }
  }
}

bool agent_stop(struct agent *a, JNIEnv *jni, const char *reason, bool exiting) {
  for (size_t i = NUM_PARTS; i > 0; i--) parts[i - 1].stop(a, jni, exiting);
  recorder_switch(&a->recorder, false);
  threads_unhide_all(&a->threads, jni);
  if (writer_stop(a->writer, reason, 2 * NS_PER_S)) return true;
  log_line("the files could not be finished within 2 s; they end early");
  return false;
}
