#include "tools/orca/mcp/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#define ASK_MS 100

/* Starts the program with its output in the pipe. Returns 0 or an errno. */
static int start(const char *path, char **words, int out, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
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

int capture_run(const char *path, char **words, const struct capture_stop *stop,
                struct builder *out) {
  int ends[2];
  pid_t pid = 0;
  bool goes_on = true;
  int error = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
  if (error == 0) {
    error = start(path, words, ends[1], &pid);
    close(ends[1]);
    if (error == 0) goes_on = take_output(ends[0], stop, out);
    if (!goes_on) kill(pid, SIGKILL);
    close(ends[0]);
  }
  if (error == 0) {
    int status = wait_for(pid);
    return goes_on ? status : CAPTURE_STOPPED;
  }
  builder_format(out, "orca cannot be started: %s\n", strerror(error));
  return -1;
}
