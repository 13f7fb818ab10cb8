#include "tools/orca/mcp/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ASK_MS 100
#define ERRORS_MAX 8192 /* bytes of errors */

/* Starts the program with its output in the pipe and its errors in a file. Returns 0 or an errno.
 */
static int start(const char *path, char **words, int out, int errors, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  error = posix_spawn(pid, path, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/* Waits until the program has printed something or ended. Returns false if it has to stop. */
static bool wait_for_output(int in, const struct capture_stop *stop) {
  struct pollfd ready = {.fd = in, .events = POLLIN};
  while (stop != NULL && poll(&ready, 1, ASK_MS) <= 0) {
    if (stop->should_stop(stop->arg)) return false;
  }
  return true;
}

/* Returns false if the program has to stop. */
static bool take_output(int in, const struct capture_stop *stop, struct builder *out) {
  char bytes[16384];
  size_t taken = 0;
  while (taken < CAPTURE_MAX) {
    if (!wait_for_output(in, stop)) return false;
    ssize_t n = read(in, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    builder_bytes(out, bytes, (size_t)n);
    taken += (size_t)n;
  }
  return true;
}

static int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Appends the beginning of the errors. */
static void take_errors(int errors, struct builder *out) {
  char bytes[ERRORS_MAX];
  ssize_t n = pread(errors, bytes, sizeof bytes, 0);
  if (n > 0) builder_bytes(out, bytes, (size_t)n);
}

/* Runs the program with both ends of a pipe. Returns as capture_run, or -1 and an errno. */
static int run(const char *path, char **words, const struct capture_stop *stop, const int ends[2],
               int errors, struct builder *out, int *out_error) {
  pid_t pid = 0;
  struct builder text = {0};
  *out_error = start(path, words, ends[1], errors, &pid);
  close(ends[1]);
  bool is_started = *out_error == 0;
  bool goes_on = is_started && take_output(ends[0], stop, &text);
  if (is_started && !goes_on) kill(pid, SIGKILL);
  close(ends[0]);
  if (!is_started) return -1;
  int status = wait_for(pid);
  take_errors(errors, out);
  builder_bytes(out, text.data, text.len);
  bool is_closed = text.len >= CAPTURE_MAX;
  out->failed |= text.failed;
  builder_free(&text);
  return !goes_on ? CAPTURE_STOPPED : is_closed ? 0 : status;
}

int capture_run(const char *path, char **words, const struct capture_stop *stop,
                struct builder *out) {
  int ends[2], error = 0, status = -1;
  int errors = memfd_create("errors", MFD_CLOEXEC);
  bool is_good = errors >= 0 && pipe2(ends, O_CLOEXEC) == 0;
  if (is_good) {
    status = run(path, words, stop, ends, errors, out, &error);
  } else {
    error = errno;
  }
  if (errors >= 0) close(errors);
  if (error != 0) builder_format(out, "orca cannot be started: %s\n", strerror(error));
  return status;
}
