#include "tools/orca/pack/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGUMENTS 12
#define MAX_MESSAGE 400

#define MAX_BEFORE 12

/* `env` changes the variables. In these languages the messages are English; tar writes names in
   ASCII, and unzip writes them as they are. */
static const char *const before[][MAX_BEFORE] = {
    [TOOL_TAR] = {"env", "-u", "TAR_OPTIONS", "LC_ALL=C", "tar"},
    [TOOL_UNZIP] = {"env", "-u", "UNZIP", "-u", "UNZIPOPT", "-u", "ZIPINFO", "-u", "ZIPINFOOPT",
                    "LC_ALL=C.UTF-8", "unzip"}};

static int spawn(struct tool *t, char *const *argv, int input, int output) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, t->errors, STDERR_FILENO);
  error = posix_spawnp(&t->pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int tool_start(struct tool *t, enum tool_program program, const char *const *arguments, int input) {
  char *argv[MAX_BEFORE + MAX_ARGUMENTS + 1] = {NULL};
  int pipe_ends[2], num = 0;
  while (num < MAX_BEFORE && before[program][num] != NULL) {
    argv[num] = (char *)before[program][num];
    num++;
  }
  for (size_t i = 0; arguments[i] != NULL && i < MAX_ARGUMENTS; i++) {
    argv[num++] = (char *)arguments[i];
  }
  t->errors = memfd_create("errors", MFD_CLOEXEC);
  if (t->errors < 0) return errno;
  int error = pipe2(pipe_ends, O_CLOEXEC) == 0 ? 0 : errno;
  if (error == 0) {
    t->output = pipe_ends[0];
    error = spawn(t, argv, input, pipe_ends[1]);
    close(pipe_ends[1]);
    if (error != 0) close(t->output);
  }
  if (error != 0) close(t->errors);
  return error;
}

static void append_first_message(const struct tool *t, struct builder *why) {
  char text[MAX_MESSAGE];
  ssize_t len = pread(t->errors, text, sizeof text, 0);
  struct span rest = {text, len < 0 ? 0 : (size_t)len}, line = {text, 0};
  /* The first line of gzip is empty. */
  while (line.len == 0 && rest.len > 0) span_cut(&rest, '\n', &line);
  builder_bytes(why, line.data, line.len);
}

int tool_end(struct tool *t, struct builder *why) {
  int status;
  close(t->output);
  while (waitpid(t->pid, &status, 0) != t->pid && errno == EINTR) continue;
  status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (status != 0) append_first_message(t, why);
  close(t->errors);
  return status;
}
