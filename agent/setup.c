/* What a recording needs before any part starts: options, files, capabilities and the writer. Only
   here can a recording be refused. Runs in Agent_OnLoad, or in the live phase. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/base/bounded_lock.h"
#include "agent/base/clock.h"
#include "agent/base/jvmti_compat.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/files/device.h"
#include "agent/options/bazel_test.h"
#include "agent/options/command_line.h"
#include "agent/trigger_signal.h"
#include "sampler/cgroup.h"

#define MAX_PREFIXES 64 /* that a JVM of a run tries */

/* The capabilities that these options use. Most are optional: see request_capabilities. */
static jvmtiCapabilities choose_capabilities(const struct options *o) {
  bool callbacks = o->engine == ENGINE_CALLBACKS, weave = o->engine == ENGINE_WEAVE;
  jvmtiCapabilities c = {
      .can_tag_objects = 1,
      .can_get_source_file_name = 1,
      .can_get_line_numbers = 1,
      .can_get_bytecodes = 1,
      .can_get_constant_pool = 1,
      .can_get_thread_cpu_time = 1,
      .can_get_current_thread_cpu_time = 1,
      .can_get_monitor_info = 1,
      .can_get_owned_monitor_stack_depth_info = 1,
      .can_generate_monitor_events = 1,
      .can_generate_compiled_method_load_events = o->sampler == SAMPLER_SIGNAL,
      .can_generate_garbage_collection_events = 1,
      .can_access_local_variables = callbacks,
      .can_generate_method_entry_events = callbacks,
      .can_generate_method_exit_events = callbacks,
      .can_retransform_classes = weave,
      .can_retransform_any_class = weave,
      .can_generate_all_class_hook_events = weave,
  };
  compat_want_virtual_threads(&c);
  return c;
}

/* Adds those of the capabilities that this JVM can grant. Returns false without the ones that the
   engine cannot work without. */
static bool request_capabilities(struct agent *a, const struct options *o) {
  jvmtiCapabilities want = choose_capabilities(o), potential;
  if ((*a->ti)->GetPotentialCapabilities(a->ti, &potential) != JVMTI_ERROR_NONE) return false;
  for (size_t i = 0; i < sizeof want; i++) {
    ((unsigned char *)&want)[i] &= ((unsigned char *)&potential)[i];
  }
  a->capabilities = want;
  bool enough = want.can_tag_objects && (o->engine != ENGINE_WEAVE || want.can_retransform_classes);
  return enough && (*a->ti)->AddCapabilities(a->ti, &want) == JVMTI_ERROR_NONE;
}

/* Appends the command line as the option `command` wants it in .info, and a NUL. No other file has
   it. The key `options` needs no mask: none of the agent's own options is a secret. */
static void put_command(enum command_mode mode, struct builder *out) {
  struct builder words = {0};
  if (mode != COMMAND_OFF) command_line_read(&words);
  command_line_put(out, (struct span){words.data, words.len}, mode == COMMAND_MASKED);
  out->failed |= words.failed;
  builder_char(out, '\0');
  builder_free(&words);
}

/* The number of CPUs that the process may use; 0: not known, as on machines with more CPUs than a
   cpu_set_t has bits. */
static unsigned count_allowed_cpus(void) {
  cpu_set_t set;
  return sched_getaffinity(getpid(), sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 0;
}

static double read_cpu_quota(void) {
  struct cgroup c;
  cgroup_find(&c, "/proc/self/cgroup", "/sys/fs/cgroup");
  return c.quota;
}

/* False with the errno of writer_start. */
static bool start_writer(struct agent *a) {
  struct recorder *r = &a->recorder;
  struct writer_input input = {.queue = r->queue,
                               .classes = &r->meta.class_box,
                               .methods = &r->meta.method_box,
                               .objects = &r->meta.object_box,
                               .defined_objects = r->meta.objects,
                               .living_classes = &a->living_classes,
                               .lock_counts = a->lock_counts,
                               .figures = &r->figures,
                               .stall = &r->stall,
                               .left_out = &r->left_out,
                               .short_calls = r->short_calls,
                               .recording = meta_recording(&r->meta),
                               .decided_ns = &r->decided_ns,
                               .is_recording = &r->on,
                               .hold_ns = r->options.owners == OWNERS_LATE ? OWNERS_HOLD_NS : 0,
                               .options = &r->options,
                               .suspects = &a->deadlocks.suspects,
                               .signals = trigger_signal_count(),
                               .firings = &a->firings};
  struct builder command = {0}, options = {0};
  char *version = NULL;
  put_command(r->options.command, &command);
  options_print(&r->options, &options);
  builder_char(&options, '\0');
  (*a->ti)->GetSystemProperty(a->ti, "java.vm.version", &version);
  struct info_start start = {.java_version = version ? version : "",
                             .command = command.failed ? "" : command.data,
                             .options = options.failed ? "" : options.data,
                             .monotonic_ns = clock_monotonic_ns(),
                             .utc_ns = clock_utc_ns(),
                             .cpus = count_allowed_cpus(),
                             .quota = read_cpu_quota(),
                             .run = a->run};
  bazel_test_read(&start.test);
  input.cpus = start.quota > 0 && start.quota < start.cpus ? start.quota : start.cpus;
  bool good = writer_start(a->writer, &input, &start);
  int why = errno;
  (*a->ti)->Deallocate(a->ti, (unsigned char *)version);
  builder_free(&command);
  builder_free(&options);
  errno = why;
  return good;
}

/* Says why the writer did not start; the reason is in errno. */
static void refuse_start(struct agent *a, char *error, size_t size) {
  int why = errno;
  a->lacks_resource = why == EAGAIN;
  if (why == ENOMEM) {
    snprintf(error, size, "there is no memory to start recording");
  } else if (why == EAGAIN) {
    snprintf(error, size, "this process may not start another thread; nothing is recorded");
  } else {
    snprintf(error, size, "cannot write %s.info: %s; nothing is recorded", a->prefix,
             strerror(why));
  }
}

static bool expand_prefix(struct agent *a, const char *prefix, char *error, size_t error_size) {
  char standard[PREFIX_DEFAULT_SIZE];
  uint64_t now = clock_utc_ns();
  if (strcmp(prefix, PREFIX_DEFAULT) == 0) {
    prefix_default(now, standard);
    prefix = standard;
  }
  bool fits = prefix_expand(prefix, getpid(), now, prefix_folder(), a->prefix, sizeof a->prefix);
  if (!fits) {
    snprintf(error, error_size, "the prefix \"%.100s…\" is too long for a file name", prefix);
  }
  return fits;
}

/* Opens the files of a->prefix. All JVMs of a run get the same prefix: a JVM that finds it taken
   takes the first free one of PREFIX-PID, PREFIX-PID-2 and so on. The pids of two JVMs may be
   equal, for example in two containers. */
static bool open_files(struct agent *a, const struct options *o, char *error, size_t error_size) {
  if (writer_open(a->writer, a->prefix, a->run, error, error_size)) return true;
  char varied[sizeof o->prefix + 32], ignored[256];
  for (unsigned number = 1; a->run != NULL && number < MAX_PREFIXES; number++) {
    if (prefix_vary(o->prefix, number, varied, sizeof varied) &&
        expand_prefix(a, varied, ignored, sizeof ignored) &&
        writer_open(a->writer, a->prefix, a->run, ignored, sizeof ignored)) {
      return true;
    }
  }
  return false;
}

/* Where a thread would wait for ever, a start waits for the standard patience. */
#define START_PATIENCE_NS (10 * NS_PER_S)

static bool check_device(struct agent *a, const struct options *o, char *error, size_t error_size) {
  uint64_t limit_ns = o->patience > 0 ? o->patience : START_PATIENCE_NS;
  a->lacks_resource = !device_answers(a->prefix, limit_ns);
  if (!a->lacks_resource) return true;
  snprintf(error, error_size,
           "the folder of %s does not answer; the program goes on, and nothing is recorded",
           a->prefix);
  return false;
}

/* Does the checks that change nothing but a->prefix. */
static bool check_engine_and_prefix(struct agent *a, const struct options *o, bool live,
                                    char *error, size_t error_size) {
  jvmtiCapabilities held = {0};
  (*a->ti)->GetCapabilities(a->ti, &held);
  /* The capabilities of engine=callbacks are granted only before the JVM is live. */
  if (live && o->engine == ENGINE_CALLBACKS && !held.can_generate_method_entry_events) {
    snprintf(error, error_size,
             "engine=callbacks works only in a JVM that starts with -agentpath and this option; a "
             "running JVM takes engine=weave");
    return false;
  }
  return expand_prefix(a, o->prefix, error, error_size) && check_device(a, o, error, error_size);
}

static bool refuse_capabilities(char *error, size_t error_size) {
  snprintf(error, error_size, "this JVM does not let an agent tag objects or change classes");
  return false;
}

bool setup_check(struct agent *a, const struct options *o, bool live, char *error,
                 size_t error_size) {
  return check_engine_and_prefix(a, o, live, error, error_size) &&
         (a->run != NULL || writer_try(a->writer, a->prefix, error, error_size)) &&
         (request_capabilities(a, o) || refuse_capabilities(error, error_size));
}

bool setup_init(struct agent *a) {
  bounded_lock_init(&a->control);
  threads_init(&a->threads, &a->recorder);
  sampler_init(&a->sampler, &a->threads);
  machine_init(&a->machine, &a->threads);
  a->sampler.machine = &a->machine;
  pauses_init(&a->pauses, &a->recorder);
  a->machine.pauses = &a->pauses;
  owners_init(&a->owners, &a->threads);
  a->contention = (struct contention){.threads = &a->threads, .owners = &a->owners};
  a->writer = writer_new();
  a->lock_counts = lock_counts_new();
  firings_init(&a->firings);
  deadlock_watch_init(&a->deadlocks, &a->threads, writer_wake, a->writer);
  return a->writer != NULL && a->lock_counts != NULL && young_watch_init(&a->young, &a->threads) &&
         recorder_init(&a->recorder, writer_wake, a->writer);
}

bool setup_open(struct agent *a, const char *text, bool live, char *error, size_t error_size) {
  struct options options;
  if (!options_parse(text, &options, error, error_size)) return false;
  if (!check_engine_and_prefix(a, &options, live, error, error_size) ||
      !open_files(a, &options, error, error_size)) {
    return false;
  }
  recorder_begin(&a->recorder, &options);
  settings_begin(a);
  lock_counts_begin(a->lock_counts);
  figure_set_text(&a->recorder.figures.sampler,
                  options.sampler == SAMPLER_SIGNAL ? "signal" : "safepoint");
  bool good = request_capabilities(a, &options);
  if (!good) {
    refuse_capabilities(error, error_size);
    writer_abandon(a->writer);
  } else if (!start_writer(a)) {
    refuse_start(a, error, error_size);
    good = false;
  }
  return good;
}
