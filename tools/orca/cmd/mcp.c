#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/mcp/capture.h"
#include "tools/orca/mcp/server.h"
#include "tools/orca/mcp/tools.h"

static const char about[] =
    "Answers questions of another program about recordings: a server of the Model Context Protocol "
    "over standard input and output. Its tools are the commands report, locks, hot, path, whatif, "
    "deadlocks, waits, threads, methods, log and diff; an answer has at most 2,000 bytes unless "
    "the client "
    "asks for more. It reads what the user of this process may read, and nothing listens on a "
    "network. In the configuration of a client:\n"
    "  {\"mcpServers\": {\"orca\": {\"command\": \"orca\", \"args\": [\"mcp\"]}}}\n";

/* words[0] is the command, so the program's name is put before it. There are at most TOOL_WORDS
   with the NULL at their end. */
static int run_command(void *arg, char **words, const struct capture_stop *stop,
                       struct builder *out) {
  char *argv[TOOL_WORDS + 1] = {"orca"};
  for (size_t i = 0; words[i] != NULL; i++) argv[i + 1] = words[i];
  return capture_run(arg, argv, stop, out);
}

static int run_mcp(struct call *call) {
  char program[PATH_MAX];
  (void)call;
  ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
  if (len < 0) {
    log_line("mcp: cannot find this program in /proc");
    return WRONG;
  }
  program[len] = '\0';
  signal(SIGPIPE, SIG_IGN); /* a client that is gone is an error of fflush */
  struct server server = {.run = run_command, .arg = program};
  return server_serve(&server, STDIN_FILENO, stdout) ? DONE : WRONG;
}

const struct command cmd_mcp = {
    .about = about,
    .statuses = "0 the client has closed the input, 1 the output cannot be written, 2 wrong use.",
    .run = run_mcp};
