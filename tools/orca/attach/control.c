#include "tools/orca/attach/control.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "tools/orca/attach/listener.h"
#include "tools/orca/attach/message.h"

#define MAX_ANSWER_BYTES 65536 /* of the JVM */
#define MAX_REPLY_BYTES 65536  /* of the agent */
#define RETRY_MS 20

/* --- the socket ------------------------------------------------------------------------ */

static bool send_all(int fd, const struct builder *b, struct refusal *why) {
  for (size_t at = 0; at < b->len;) {
    ssize_t n = send(fd, b->data + at, b->len - at, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return refuse(why, "cannot send the request to the JVM: %s", strerror(errno));
    at += (size_t)n;
  }
  return true;
}

/* A JVM that refuses a request closes the connection without reading all of it. The resulting
   connection reset is not an error, because the answer was sent before it. */
static bool receive_all(int fd, const struct bounded_wait *w, struct builder *b,
                        struct refusal *why) {
  uint64_t deadline_ns = clock_monotonic_ns() + w->limits.answer * NS_PER_MS;
  while (b->len < MAX_ANSWER_BYTES) {
    enum wait_end end = bounded_wait_for(w, fd, deadline_ns);
    if (end == WAIT_SIGNALLED) return refuse(why, "interrupted");
    if (end != WAIT_READABLE) {
      return refuse(why, "the JVM accepted the request, but did not answer within %.0f s",
                    (double)w->limits.answer / 1000);
    }
    char *room = builder_room(b, 4096);
    ssize_t n = room == NULL ? 0 : recv(fd, room, 4096, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    b->len += (size_t)n;
  }
  return true;
}

static bool send_request(const struct target *t, const struct bounded_wait *w,
                         const struct builder *request, int *out_result, struct refusal *why) {
  struct builder answer = {0};
  int fd = -1;
  bool ok = listener_connect(t, w, &fd, why) && send_all(fd, request, why) &&
            receive_all(fd, w, &answer, why) &&
            message_read_result((struct span){answer.data, answer.len}, out_result, why);
  if (fd >= 0) close(fd);
  builder_free(&answer);
  return ok;
}

/* Retries while the JVM is starting: it opens the socket before it can load agents. */
static bool send_request_when_ready(const struct target *t, const struct bounded_wait *w,
                                    const struct builder *request, int *out_result,
                                    struct refusal *why) {
  for (uint64_t waited = 0;; waited += RETRY_MS) {
    if (!send_request(t, w, request, out_result, why)) return false;
    if (*out_result != MESSAGE_TOO_EARLY) return true;
    if (waited >= w->limits.startup) return refuse(why, "the JVM is still starting");
    if (!bounded_wait_sleep(w, RETRY_MS)) return refuse(why, "interrupted");
  }
}

/* --- the file for the reply ------------------------------------------------------------------ */

static const char *get_file_name(const struct reply *r) { return r->path + strlen("/tmp/"); }

bool reply_open(struct reply *r, const struct target *t, struct refusal *why) {
  snprintf(r->path, sizeof r->path, "/tmp/.orca_reply%d_%" PRIu64, (int)getpid(),
           clock_monotonic_ns());
  r->fd = openat(t->tmp, get_file_name(r), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (r->fd >= 0) return true;
  return refuse(why, "cannot create %s of process %d: %s", r->path, (int)t->pid, strerror(errno));
}

void reply_read(const struct reply *r, struct builder *b) {
  char *room = builder_room(b, MAX_REPLY_BYTES);
  ssize_t n = room == NULL ? -1 : pread(r->fd, room, MAX_REPLY_BYTES, 0);
  if (n > 0) b->len += (size_t)n;
}

void reply_close(struct reply *r, const struct target *t) {
  close(r->fd);
  unlinkat(t->tmp, get_file_name(r), 0);
}

/* --- the command ------------------------------------------------------------------------- */

/* The options are COMMAND,reply=PATH[,seen=/proc/PID][,ARGUMENTS] and a NUL. */
static bool append_request(struct builder *b, const struct target *t, const char *library,
                           const char *command, const char *reply, const char *arguments,
                           struct refusal *why) {
  struct builder options = {0};
  builder_string(&options, command);
  builder_string(&options, ",reply=");
  builder_string(&options, reply);
  if (!t->shares_files) builder_format(&options, ",seen=/proc/%d", (int)t->pid);
  if (arguments != NULL) builder_char(&options, ',');
  if (arguments != NULL) builder_string(&options, arguments);
  builder_char(&options, '\0');
  bool ok = options.failed ? refuse(why, "out of memory")
                           : message_write_load(b, library, options.data, why);
  builder_free(&options);
  return ok;
}

static bool send_command(const struct target *t, const struct bounded_wait *w,
                         const struct library *library, const char *command, const char *arguments,
                         struct control_answer *out, struct refusal *why) {
  struct reply reply;
  struct builder request = {0};
  if (!reply_open(&reply, t, why)) return false;
  bool ok = append_request(&request, t, library->path, command, reply.path, arguments, why) &&
            send_request_when_ready(t, w, &request, &out->result, why);
  if (ok) reply_read(&reply, &out->text);
  reply_close(&reply, t);
  builder_free(&request);
  return ok;
}

bool control_ask(const struct target *t, const struct bounded_wait *w,
                 const struct library *library, const char *command, const char *arguments,
                 struct control_answer *out, struct refusal *why) {
  struct user before;
  if (!user_become(t->user, &before)) {
    return refuse(why, "cannot change to the user %u of process %d: %s", (unsigned)t->user.uid,
                  (int)t->pid, strerror(errno));
  }
  bool ok = send_command(t, w, library, command, arguments, out, why);
  user_return(before);
  return ok;
}

void control_free(struct control_answer *answer) { builder_free(&answer->text); }
