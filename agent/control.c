/* What is asked of the agent in a JVM that runs: by `orca attach`, `stop`, `status` and `flush`, or
   by hand with `jcmd PID JVMTI.agent_load …/liborca.so TEXT`. TEXT is one of

     PREFIX[,key=value…]                      start recording
     @start[,reply=FILE][,PREFIX,key=value…]  the same
     @stop[,reply=FILE]                       end the recording; the program is left as it was
     @status[,reply=FILE]                     what is recorded, how much, what was lost
     @flush[,reply=FILE]                      all that was recorded up to now goes to the files

   The answer goes into FILE, which the asker has made; without one a refusal goes to stderr. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/text.h"

#define LIMIT_NS (5 * NS_PER_S) /* for the writer to finish what it was asked for */

struct request {
  struct span word;  /* "@stop", empty for a plain start */
  struct span reply; /* the file; empty: none */
  struct span rest;  /* options */
};

static struct request parse(const char *text) {
  struct request r = {.rest = {text, strlen(text)}};
  if (text[0] != '@') return r;
  span_cut(&r.rest, ',', &r.word);
  struct span rest = r.rest, option;
  if (span_cut(&rest, ',', &option) && span_starts(option, "reply=")) {
    r.reply = (struct span){option.data + 6, option.len - 6};
    r.rest = rest;
  }
  return r;
}

static void say_files(const struct agent *a, const char *what, struct builder *answer) {
  builder_string(answer, what);
  builder_string(answer, a->prefix);
  builder_string(answer, ".*");
}

/* "recording into PREFIX.* begins in 12 s" */
static void say_waiting(const struct agent *a, struct builder *answer) {
  uint64_t now = clock_monotonic_ns(), at = a->start_at_ns;
  say_files(a, "recording into ", answer);
  builder_string(answer, " begins in ");
  text_decimal(answer, (int64_t)(at > now ? (at - now + NS_PER_S - 1) / NS_PER_S : 0));
  builder_string(answer, " s");
}

static bool is_idle(const struct agent *a, struct builder *answer) {
  if (a->state == AGENT_RECORDING) say_files(a, "already recording into ", answer);
  if (a->state == AGENT_WAITING) say_waiting(a, answer);
  if (a->state != AGENT_IDLE) builder_string(answer, "; stop that first");
  return a->state == AGENT_IDLE;
}

static bool start(struct agent *a, JNIEnv *jni, const struct request *r, struct builder *answer) {
  char error[1000], options[4096];
  if (!is_idle(a, answer)) return false;
  snprintf(options, sizeof options, "%.*s", (int)r->rest.len, r->rest.data ? r->rest.data : "");
  if (!delayed_start_begin(a, jni, options, error, sizeof error)) {
    builder_string(answer, error);
    return false;
  }
  if (a->state == AGENT_WAITING) {
    say_waiting(a, answer);
  } else {
    say_files(a, "recording into ", answer);
  }
  return true;
}

static bool is_recording(const struct agent *a, struct builder *answer) {
  if (a->state != AGENT_RECORDING) builder_string(answer, "nothing is being recorded");
  if (a->state == AGENT_WAITING) {
    builder_string(answer, " yet: ");
    say_waiting(a, answer);
  }
  return a->state == AGENT_RECORDING;
}

static bool stop_waiting(struct agent *a, JNIEnv *jni, struct builder *answer) {
  delayed_start_cancel(a, jni);
  builder_string(answer, "stopped before it began; there are no files");
  return true;
}

static bool stop(struct agent *a, JNIEnv *jni, const struct request *r, struct builder *answer) {
  (void)r;
  if (a->state == AGENT_WAITING) return stop_waiting(a, jni, answer);
  if (!is_recording(a, answer)) return false;
  bool good = parts_stop(a, jni, "stop", false);
  a->state = AGENT_IDLE;
  say_files(a, good ? "stopped; the files are " : "stopped, but not all is written yet: ", answer);
  return good;
}

static bool flush(struct agent *a, JNIEnv *jni, const struct request *r, struct builder *answer) {
  (void)jni, (void)r;
  if (!is_recording(a, answer)) return false;
  bool good = writer_flush(a->writer, LIMIT_NS);
  say_files(a, good ? "all up to now is in " : "not all could be written in 5 s: ", answer);
  return good;
}

static void put_figure(struct builder *b, const char *key, uint64_t value) {
  builder_char(b, '\n');
  builder_string(b, key);
  builder_char(b, '=');
  text_decimal(b, (int64_t)value);
}

static bool status(struct agent *a, JNIEnv *jni, const struct request *r, struct builder *answer) {
  (void)jni, (void)r;
  if (!is_recording(a, answer)) return true; /* that is an answer */
  struct writer_counts counts = writer_counts(a->writer);
  say_files(a, recorder_is_on(&a->recorder) ? "recording into " : "recording failed: ", answer);
  builder_string(answer, "\noptions=");
  options_print(&a->recorder.options, answer);
  put_figure(answer, "events.written", counts.events);
  put_figure(answer, "events.dropped", __atomic_load_n(&a->recorder.dropped, __ATOMIC_RELAXED));
  put_figure(answer, "events.waited", __atomic_load_n(&a->recorder.waited, __ATOMIC_RELAXED));
  put_figure(answer, "samples.written", counts.samples);
  return true;
}

static const struct {
  const char *word;
  bool (*carry_out)(struct agent *, JNIEnv *, const struct request *, struct builder *answer);
} words[] = {
    {"", start}, {"@start", start}, {"@stop", stop}, {"@status", status}, {"@flush", flush}};

static bool carry_out(struct agent *a, JNIEnv *jni, const struct request *r,
                      struct builder *answer) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!span_is(r->word, words[i].word)) continue;
    if (a->state != AGENT_DEAD) return words[i].carry_out(a, jni, r, answer);
    builder_string(answer, "the JVM is ending");
    return false;
  }
  builder_string(answer, "the agent knows @start, @stop, @status and @flush, not ");
  builder_bytes(answer, r->word.data, r->word.len);
  return false;
}

/* Into the file that the asker made, and no other: it must be there, and be no link. */
static bool reply(struct span file, const struct builder *answer) {
  char path[4096];
  if (file.len == 0 || file.len >= sizeof path) return false;
  memcpy(path, file.data, file.len);
  path[file.len] = '\0';
  int fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return false;
  bool good = write(fd, answer->data, answer->len) == (ssize_t)answer->len;
  close(fd);
  return good;
}

jint control_request(struct agent *a, JNIEnv *jni, const char *text) {
  struct request r = parse(text);
  struct builder answer = {0};
  pthread_mutex_lock(&a->control);
  bool good = carry_out(a, jni, &r, &answer);
  pthread_mutex_unlock(&a->control);
  bool replied = reply(r.reply, &answer);
  if (!good && !replied) log_line("%.*s", (int)answer.len, answer.data);
  builder_free(&answer);
  return good ? 0 : 1;
}
