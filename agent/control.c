/* Requests to the agent in a running JVM. They come from `orca attach`, `stop`, `set`, `status`
   and `snapshot`, or from `jcmd PID JVMTI.agent_load …/liborca.so TEXT`. TEXT is one of

     PREFIX[,key=value…]                      start a recording
     @start[,reply=FILE][,seen=/proc/PID][,PREFIX,key=value…]   start a recording
     @stop[,reply=FILE][,seen=/proc/PID]     end the recording and restore the woven classes
     @status[,reply=FILE][,seen=/proc/PID]   the options, and counts of events and samples
     @set[,reply=FILE][,seen=/proc/PID],key=value…   change options of the recording
     @snapshot[,reply=FILE][,seen=/proc/PID][,last=5m],NAME   files of the last minutes

   The answer goes into FILE, which the client has made. Without FILE a refusal goes to stderr, and
   any other answer goes nowhere. A client with another file system sees this process as /proc/PID,
   and the answer names the files of the recording below it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/base/text.h"
#include "agent/options/values.h"

#define RETRY_NS NS_PER_MS                /* between two attempts to lock `control` */
#define SNAPSHOT_LIMIT_NS (30 * NS_PER_S) /* it may copy the files of a recording in one set */

bool control_lock(struct agent *a, struct agent_thread *self) {
  while (!semaphore_try(&a->control)) {
    if (!agent_thread_sleep(self, RETRY_NS)) return false;
  }
  return true;
}

/* The spans point into the text of the request. */
struct request {
  struct span command; /* "@stop"; empty for PREFIX[,key=value…] */
  struct span reply;   /* path of FILE; empty: none */
  struct span seen;    /* "/proc/4711"; empty: the client has the same file system */
  struct span options; /* PREFIX[,key=value…]; of @set without PREFIX; of @snapshot
                          [last=TIME,]NAME */
};

/* Moves the value from the front of the options to `*out` if they begin with `key`, "reply=". */
static void take_value(struct span *options, const char *key, struct span *out) {
  struct span rest = *options, option;
  size_t len = strlen(key);
  if (!span_cut(&rest, ',', &option) || !span_starts(option, key)) return;
  *out = (struct span){option.data + len, option.len - len};
  *options = rest;
}

static struct request parse_request(const char *text) {
  struct request r = {.options = {text, strlen(text)}};
  if (text[0] != '@') return r;
  span_cut(&r.options, ',', &r.command);
  take_value(&r.options, "reply=", &r.reply);
  take_value(&r.options, "seen=", &r.seen);
  return r;
}

/* Puts `text`, and the files of a prefix as the client sees them. */
static void put_prefix(const char *prefix, const struct request *r, const char *text,
                       struct builder *answer) {
  builder_string(answer, text);
  builder_bytes(answer, r->seen.data, r->seen.len);
  if (r->seen.len > 0) builder_string(answer, prefix[0] == '/' ? "/root" : "/cwd/");
  builder_string(answer, prefix);
  builder_string(answer, ".*");
}

static void put_files(const struct agent *a, const struct request *r, const char *text,
                      struct builder *answer) {
  put_prefix(a->prefix, r, text, answer);
}

/* "recording into PREFIX.* begins in 12 s" */
static void put_start_wait(const struct agent *a, const struct request *r, struct builder *answer) {
  uint64_t now = clock_monotonic_ns(), at = a->start_at_ns;
  put_files(a, r, "recording into ", answer);
  builder_string(answer, " begins in ");
  text_decimal(answer, (int64_t)(at > now ? (at - now + NS_PER_S - 1) / NS_PER_S : 0));
  builder_string(answer, " s");
}

/* Copies the options into `out`. Returns false with the reason in `answer`. */
static bool copy_options(const struct request *r, char *out, size_t size, struct builder *answer) {
  if (r->options.len >= size) {
    builder_string(answer, "the options are longer than 4095 bytes");
    return false;
  }
  snprintf(out, size, "%.*s", (int)r->options.len, r->options.data ? r->options.data : "");
  return true;
}

static bool start_recording(struct agent *a, JNIEnv *jni, const struct request *r,
                            struct builder *answer) {
  char error[1000], options[4096];
  if (a->state != AGENT_IDLE) {
    if (a->state == AGENT_RECORDING) put_files(a, r, "already recording into ", answer);
    if (a->state == AGENT_WAITING) put_start_wait(a, r, answer);
    builder_string(answer, "; stop that first");
    return false;
  }
  if (!copy_options(r, options, sizeof options, answer)) return false;
  if (!schedule_begin(a, jni, options, error, sizeof error)) {
    builder_string(answer, error);
    return false;
  }
  if (a->state == AGENT_WAITING) {
    put_start_wait(a, r, answer);
  } else {
    put_files(a, r, "recording into ", answer);
  }
  return true;
}

/* ": duration=5m has ended the recording into PREFIX.*" */
static void put_last_end(const struct agent *a, const struct request *r, struct builder *answer) {
  builder_format(answer, ": duration=%s has ended ", a->first_options.text[OPTION_duration]);
  put_files(a, r, "the recording into ", answer);
}

static bool check_recording(const struct agent *a, const struct request *r,
                            struct builder *answer) {
  if (a->state != AGENT_RECORDING) builder_string(answer, "nothing is being recorded");
  if (a->state == AGENT_IDLE && a->has_ended_by_duration) put_last_end(a, r, answer);
  if (a->state == AGENT_WAITING) {
    builder_string(answer, " yet: ");
    put_start_wait(a, r, answer);
  }
  return a->state == AGENT_RECORDING;
}

static bool stop_recording(struct agent *a, JNIEnv *jni, const struct request *r,
                           struct builder *answer) {
  if (a->state == AGENT_WAITING) {
    schedule_cancel(a, jni);
    builder_string(answer, "stopped before it began; there are no files");
    return true;
  }
  if (!check_recording(a, r, answer)) return false;
  schedule_stop(a);
  bool good = parts_stop(a, jni, "stop", false);
  a->state = AGENT_IDLE;
  put_files(
      a, r,
      good ? "stopped; the files are " : "stopped, but some events are not written yet: ", answer);
  return good;
}

/* "contention changes options for 12 s more, and then what was set holds" */
static void put_escalations(const struct agent *a, struct builder *answer) {
  uint64_t now = clock_monotonic_ns();
  for (int i = 0; i < NUM_TRIGGERS; i++) {
    uint64_t until = a->escalations[i].until_ns;
    if (!a->escalations[i].is_on) continue;
    builder_format(answer, "\ntrigger %s has changed %s; what was set holds in %.0f s",
                   trigger_names[i], a->set_options.trigger.escalations[i].words,
                   (double)(until > now ? until - now : 0) / NS_PER_S);
  }
}

static bool set_options(struct agent *a, JNIEnv *jni, const struct request *r,
                        struct builder *answer) {
  char error[1000], words[4096];
  if (!check_recording(a, r, answer) || !copy_options(r, words, sizeof words, answer)) return false;
  if (!recorder_is_on(&a->recorder)) {
    put_files(a, r, "the recording has failed: ", answer);
    return false;
  }
  if (!settings_set(a, jni, words, error, sizeof error)) {
    builder_string(answer, error);
    return false;
  }
  builder_format(answer, "from now on %s; ", words);
  put_files(a, r, "recording into ", answer);
  put_escalations(a, answer);
  return true;
}

/* Parses "[last=5m,]NAME". Returns false with the reason in `answer`. */
static bool parse_snapshot(const struct request *r, struct snapshot *s, struct builder *answer) {
  struct span name = r->options, last = {0};
  char text[32] = "";
  take_value(&name, "last=", &last);
  s->last_ns = SNAPSHOT_ALL;
  if (last.data != NULL && last.len < sizeof text) memcpy(text, last.data, last.len);
  if (last.data != NULL && (!value_duration(text, &s->last_ns) || s->last_ns == 0)) {
    builder_string(answer, "last takes a time such as 5m, not ");
    builder_bytes(answer, last.data, last.len);
    return false;
  }
  bool is_name = name.len > 0 && memchr(name.data, ',', name.len) == NULL;
  bool fits = is_name && name.len < sizeof s->name;
  if (fits) snprintf(s->name, sizeof s->name, "%.*s", (int)name.len, name.data);
  if (!fits)
    builder_string(answer, "a snapshot needs a NAME of at most 4095 bytes without a comma");
  return fits;
}

/* "the snapshot NAME.* has 4 sets of files, the last 312.4 s" */
static void put_snapshot(const struct snapshot *s, const struct request *r,
                         struct builder *answer) {
  put_prefix(s->name, r, "the snapshot ", answer);
  if (s->is_copy) {
    builder_format(answer, " has the whole recording, %.1f s: without maxsize or age it is one set",
                   (double)s->span_ns / NS_PER_S);
  } else {
    builder_format(answer, " has %u set%s of files, the last %.1f s", s->num_sets,
                   s->num_sets == 1 ? "" : "s", (double)s->span_ns / NS_PER_S);
  }
}

static bool take_snapshot(struct agent *a, JNIEnv *jni, const struct request *r,
                          struct builder *answer) {
  if (!check_recording(a, r, answer)) return false;
  young_watch_record_all(&a->young, a->ti, jni);
  struct snapshot *s = memory_new_zeroed(1, sizeof *s);
  bool good = s != NULL;
  if (!good) {
    builder_string(answer, "there is no memory for a snapshot");
  } else if (!parse_snapshot(r, s, answer)) {
    good = false;
  } else if (!writer_snapshot(a->writer, s, SNAPSHOT_LIMIT_NS)) {
    builder_string(answer, s->error);
    good = false;
  } else {
    put_snapshot(s, r, answer);
  }
  free(s);
  return good;
}

/* "; the writer has waited for the device for 12 s, and events are dropped" */
static void put_stall(const struct stall *s, struct builder *b) {
  uint64_t device_ns = stall_device_ns(s);
  if (stall_lacks_files(s))
    builder_string(b, "; the files were deleted, and events are dropped until there are new ones");
  if (device_ns >= NS_PER_S)
    builder_format(b, "; the writer has waited for the device for %llu s",
                   (unsigned long long)(device_ns / NS_PER_S));
  if (stall_is_on(s)) builder_string(b, device_ns >= NS_PER_S ? ", and" : ";");
  if (stall_is_on(s)) builder_string(b, " events are dropped until the files take them again");
}

static bool put_status(struct agent *a, JNIEnv *jni, const struct request *r,
                       struct builder *answer) {
  (void)jni;
  if (!check_recording(a, r, answer))
    return true; /* "nothing is being recorded" is a valid status */
  put_files(a, r, recorder_is_on(&a->recorder) ? "recording into " : "recording failed: ", answer);
  put_stall(&a->recorder.stall, answer);
  status_put(a, answer);
  return true;
}

/* `run` returns false when the request is refused; `answer` says why. */
static const struct {
  const char *name;
  bool (*run)(struct agent *, JNIEnv *, const struct request *, struct builder *answer);
} commands[] = {{"", start_recording},   {"@start", start_recording},  {"@stop", stop_recording},
                {"@status", put_status}, {"@snapshot", take_snapshot}, {"@set", set_options}};

static bool run_command(struct agent *a, JNIEnv *jni, const struct request *r,
                        struct builder *answer) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (!span_is(r->command, commands[i].name)) continue;
    if (a->state != AGENT_DEAD) return commands[i].run(a, jni, r, answer);
    builder_string(answer, "the JVM is ending");
    return false;
  }
  builder_string(answer, "the agent has no command ");
  builder_bytes(answer, r->command.data, r->command.len);
  builder_string(answer, "; the commands are @start, @stop, @set, @status and @snapshot");
  return false;
}

/* Opens only an existing file of this user that has no other name and is not a symbolic link. So
   nothing but the file that the client made is overwritten. Returns -1 for any other file. */
static int open_reply(const char *path) {
  struct stat st;
  int fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -1;
  bool good =
      fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1;
  if (good) return fd;
  close(fd);
  return -1;
}

static bool write_reply(struct span file, const struct builder *answer) {
  char path[4096];
  if (file.len == 0 || file.len >= sizeof path) return false;
  memcpy(path, file.data, file.len);
  path[file.len] = '\0';
  int fd = open_reply(path);
  if (fd < 0) return false;
  bool good = write(fd, answer->data, answer->len) == (ssize_t)answer->len;
  close(fd);
  return good;
}

jint control_handle_request(struct agent *a, JNIEnv *jni, const char *text) {
  struct request r = parse_request(text);
  struct builder answer = {0};
  semaphore_wait(&a->control, SEMAPHORE_FOREVER);
  bool good = run_command(a, jni, &r, &answer);
  semaphore_post(&a->control);
  bool replied = write_reply(r.reply, &answer);
  if (!good && !replied) log_line("%.*s", (int)answer.len, answer.data);
  builder_free(&answer);
  return good ? 0 : 1;
}
