/* What a recording needs before any part starts, and what can be refused: options, files,
   capabilities and the writer. Before the JVM is up, or when somebody attaches. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/jvmti_compat.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "sampler/cgroup.h"

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
      {"sampler.signal.samples", &a->sampler.cpu.signal.samples},
      {"sampler.signal.dropped", &a->sampler.cpu.signal.dropped},
      {"sampler.signal.lost", &a->sampler.cpu.lost},
      {"sampler.signal.untimed", &a->sampler.cpu.signal.untimed},
      {"hooks.skipped", &a->threads.skipped},
      {"process.cpu", &a->machine.used_ns},
      {"pauses.lost", &a->pauses.lost},
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
  const struct cpu_sampler *cpu = &a->sampler.cpu;
  bool by_signal = a->recorder.options.sampler == SAMPLER_SIGNAL && cpu->fallback == NULL;
  info_text(info, "sampler", by_signal ? "signal" : "safepoint");
  if (cpu->codes != NULL) info_number(info, "sampler.code.failed", code_map_failed(cpu->codes));
  if (cpu->fallback != NULL) info_text(info, "sampler.fallback", cpu->fallback);
  if (cpu->stopped != NULL) info_text(info, "sampler.stopped", cpu->stopped);
  info_number(info, "memory.failed", memory_failed() - a->memory_failed);
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

/* How many CPUs the process may use; 0: not known. More CPUs than a cpu_set_t has are refused. */
static unsigned allowed_cpus(void) {
  cpu_set_t set;
  return sched_getaffinity(getpid(), sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 0;
}

static double quota(void) {
  struct cgroup c;
  cgroup_find(&c, "/proc/self/cgroup", "/sys/fs/cgroup");
  return c.quota;
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
                             .utc_ns = clock_utc_ns(),
                             .cpus = allowed_cpus(),
                             .quota = quota()};
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

bool setup_check(struct agent *a, const struct options *o, bool live, char *error,
                 size_t error_size) {
  return is_possible(a, o, live, error, error_size) &&
         writer_try(a->writer, a->prefix, error, error_size) &&
         (take_capabilities(a, o) || refuse_capabilities(error, error_size));
}

bool setup_init(struct agent *a) {
  pthread_mutex_init(&a->control, NULL);
  threads_init(&a->threads, &a->recorder);
  sampler_init(&a->sampler, &a->threads);
  machine_init(&a->machine, &a->threads);
  a->sampler.machine = &a->machine;
  pauses_init(&a->pauses, &a->recorder);
  owners_init(&a->owners, &a->threads);
  a->contention = (struct contention){.threads = &a->threads, .owners = &a->owners};
  a->writer = writer_new();
  a->lock_counts = lock_counts_new();
  return a->writer != NULL && a->lock_counts != NULL &&
         recorder_init(&a->recorder, writer_wake, a->writer);
}

bool setup_open(struct agent *a, const char *given, bool live, char *error, size_t error_size) {
  struct options options;
  if (!options_parse(given, &options, error, error_size)) return false;
  if (!is_possible(a, &options, live, error, error_size) ||
      !writer_open(a->writer, a->prefix, error, error_size)) {
    return false;
  }
  recorder_begin(&a->recorder, &options);
  lock_counts_begin(a->lock_counts);
  a->contention.orphans = 0;
  a->threads.skipped = 0;
  a->memory_failed = memory_failed();
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
