#include "tools/orca/attach/control.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "tools/orca/attach/listener.h"
#include "tools/orca/attach/message.h"
#include "tools/orca/attach/reply.h"
#include "tools/orca/attach/user.h"

#define MOST_BYTES 65536 /* of the JVM's answer */
#define RETRY_MS 20

/* --- through the socket ---------------------------------------------------------------- */

static bool send_all(int fd, const struct builder *b, struct refusal *why) {
  for (size_t at = 0; at < b->len;) {
    ssize_t n = send(fd, b->data + at, b->len - at, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return refuse(why, "the JVM did not take the request: %s", strerror(errno));
    at += (size_t)n;
  }
  return true;
}

static bool await_more(int fd, const struct bounded_wait *w, uint64_t deadline_ns,
                       struct refusal *why) {
  enum wait_end end = bounded_wait_for(w, fd, deadline_ns);
  if (end == WAIT_SIGNALLED) return refuse(why, "interrupted");
  return end == WAIT_READABLE ||
         refuse(why, "the JVM took the request, but has not answered it in %.0f s",
                (double)w->patience.answer / 1000);
}

/* A JVM that does not take a request closes the connection with the rest of it unread: that is a
   reset, and what it said before that still counts. */
static bool receive_all(int fd, const struct bounded_wait *w, struct builder *b,
                        struct refusal *why) {
  uint64_t deadline_ns = clock_monotonic_ns() + w->patience.answer * NS_PER_MS;
  while (b->len < MOST_BYTES) {
    if (!await_more(fd, w, deadline_ns, why)) return false;
    char *room = builder_room(b, 4096);
    ssize_t n = room == NULL ? 0 : recv(fd, room, 4096, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    b->len += (size_t)n;
  }
  return true;
}

static bool exchange(const struct target *t, const struct bounded_wait *w,
                     const struct builder *request, int *out_result, struct refusal *why) {
  struct builder answer = {0};
  int fd = -1;
  bool good = listener_connect(t, w, &fd, why) && send_all(fd, request, why) &&
              receive_all(fd, w, &answer, why) &&
              message_result((struct span){answer.data, answer.len}, out_result, why);
  if (fd >= 0) close(fd);
  builder_free(&answer);
  return good;
}

/* A JVM listens a little before it is ready to load anything. */
static bool exchange_when_ready(const struct target *t, const struct bounded_wait *w,
                                const struct builder *request, int *out_result,
                                struct refusal *why) {
  for (uint64_t waited = 0;; waited += RETRY_MS) {
    if (!exchange(t, w, request, out_result, why)) return false;
    if (*out_result != MESSAGE_TOO_EARLY) return true;
    if (waited >= w->patience.young) return refuse(why, "the JVM is still starting");
    if (!bounded_wait_sleep(w, RETRY_MS)) return refuse(why, "interrupted");
  }
}

/* --- the word ---------------------------------------------------------------------------- */

/* WORD,reply=PATH[,ABOUT] and a NUL. */
static void put_options(struct builder *b, const char *word, const char *reply, const char *about) {
  builder_string(b, word);
  builder_string(b, ",reply=");
  builder_string(b, reply);
  if (about != NULL) builder_char(b, ',');
  if (about != NULL) builder_string(b, about);
  builder_char(b, '\0');
}

static bool put_request(struct builder *b, const char *library, const char *word, const char *reply,
                        const char *about, struct refusal *why) {
  struct builder options = {0};
  put_options(&options, word, reply, about);
  bool good = options.failed ? refuse(why, "there is not enough memory")
                             : message_load(b, library, options.data, why);
  builder_free(&options);
  return good;
}

static bool ask(const struct target *t, const struct bounded_wait *w, const struct library *library,
                const char *word, const char *about, struct control_answer *out,
                struct refusal *why) {
  struct reply reply;
  struct builder request = {0};
  if (!reply_open(&reply, t, why)) return false;
  bool good = put_request(&request, library->path, word, reply.path, about, why) &&
              exchange_when_ready(t, w, &request, &out->result, why);
  if (good) reply_read(&reply, &out->text);
  reply_close(&reply, t);
  builder_free(&request);
  return good;
}

bool control_ask(const struct target *t, const struct bounded_wait *w,
                 const struct library *library, const char *word, const char *about,
                 struct control_answer *out, struct refusal *why) {
  struct user before;
  if (!user_become(t->user, &before)) {
    return refuse(why, "cannot become the user %u of process %d: %s", (unsigned)t->user.uid,
                  (int)t->pid, strerror(errno));
  }
  bool good = ask(t, w, library, word, about, out, why);
  user_return(before);
  return good;
}

void control_free(struct control_answer *answer) { builder_free(&answer->text); }
