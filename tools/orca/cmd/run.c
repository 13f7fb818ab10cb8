#include "tools/orca/cmd/commands.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/options/options.h"
#include "tools/orca/run/child.h"
#include "tools/orca/run/launch.h"
#include "tools/orca/run/new_dumps.h"

enum { DONE = 0, MISUSED = 2, NOT_STARTED = 126, NOT_FOUND = 127 };

static const char usage[] =
    "usage: orca run [-o PREFIX[,key=value...]] [--] COMMAND [ARGUMENT...]\n"
    "\n"
    "Runs a command with the agent in every JVM that it starts, then prints the report.\n"
    "  -o PREFIX[,key=value...]   prefix of the files, options of the agent (default: orca-%p)\n"
    "Exit status: that of the command, or 128 plus the signal number if a signal ended it;\n"
    "2 wrong use, 126 the command cannot be started, 127 there is no such command.\n";

struct run_request {
  const char *options; /* PREFIX[,key=value…] */
  char **command;
};

struct run_plan {
  struct options options; /* of the request */
  char folder[PATH_MAX];  /* folder of a relative prefix */
  struct builder agent;   /* path of the agent */
  struct builder option;  /* -agentpath:… */
};

/* --- the plan -------------------------------------------------------------------- */

/* Like the agent: in a Bazel test, the files go to the folder that Bazel keeps. */
static bool set_prefix_folder(struct run_plan *plan) {
  const char *outputs = getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (outputs == NULL || outputs[0] == '\0') return getcwd(plan->folder, PATH_MAX) != NULL;
  int len = snprintf(plan->folder, PATH_MAX, "%s", outputs);
  return len > 0 && len < PATH_MAX;
}

static const char *make_plan(struct run_plan *plan, const char *options) {
  static char error[512];
  char exe[PATH_MAX];
  if (!options_parse(options, &plan->options, error, sizeof error)) return error;
  ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[len < 0 ? 0 : len] = '\0';
  if (len < 0 || !launch_find_agent(exe, &plan->agent)) {
    return "the agent liborca.so is neither in the folder of orca nor in ../lib";
  }
  if (strchr(plan->agent.data, '=') != NULL) {
    return "the path of the agent contains a =, which the JVM does not accept";
  }
  if (!set_prefix_folder(plan)) return "the working directory cannot be read";
  builder_format(&plan->option, "-agentpath:%s=", plan->agent.data);
  launch_prefix(&plan->option, options, plan->options.prefix, plan->folder);
  builder_char(&plan->option, '\0');
  return plan->option.failed ? "out of memory" : NULL;
}

/* --- running and reporting ----------------------------------------------------------- */

/* Returns the prefix relative to the working directory if it is below it. */
static const char *shorten_prefix(const char *prefix) {
  static char here[PATH_MAX];
  if (getcwd(here, sizeof here) == NULL) return prefix;
  size_t len = strlen(here);
  return strncmp(prefix, here, len) == 0 && prefix[len] == '/' ? prefix + len + 1 : prefix;
}

static void print_report(const struct run_plan *plan, uint64_t since_ns, pid_t java_pid) {
  struct new_dumps dumps = {0};
  struct builder prefix = {0};
  launch_prefix(&prefix, "", plan->options.prefix, plan->folder); /* as the JVM got it */
  builder_char(&prefix, '\0');
  bool ok = !prefix.failed && new_dumps_find(&dumps, prefix.data, since_ns);
  if (java_pid != 0) new_dumps_keep(&dumps, java_pid);
  if (!ok) {
    log_line("run: out of memory, so the files were not looked up");
  } else if (dumps.num == 0) {
    log_line("run: no JVM wrote a recording to %s", plan->options.prefix);
  } else {
    report_dump(shorten_prefix(dumps.rows[0].prefix));
    printf("\nFiles: %s.*\n", shorten_prefix(dumps.rows[0].prefix));
    for (size_t i = 1; i < dumps.num; i++) {
      printf("%s %s.*", i == 1 ? "Other JVMs:" : ",", shorten_prefix(dumps.rows[i].prefix));
    }
    if (dumps.num > 1) putchar('\n');
  }
  new_dumps_free(&dumps);
  builder_free(&prefix);
}

static int run_and_report(const struct run_plan *plan, char **command) {
  bool is_java = launch_is_java(command[0]);
  uint64_t since_ns = clock_monotonic_ns();
  fflush(stdout);
  struct child_end end = {.error = ENOMEM};
  if (is_java) {
    char **argv = launch_argv(command, plan->option.data);
    if (argv != NULL) end = child_run(argv);
    free(argv);
  } else {
    struct builder value = {0};
    launch_tool_options(&value, plan->option.data, getenv("JAVA_TOOL_OPTIONS"));
    builder_char(&value, '\0');
    if (!value.failed && setenv("JAVA_TOOL_OPTIONS", value.data, 1) == 0) end = child_run(command);
    builder_free(&value);
  }
  if (end.error != 0) {
    log_line("run: cannot start %s: %s", command[0], strerror(end.error));
    return end.error == ENOENT ? NOT_FOUND : NOT_STARTED;
  }
  print_report(plan, since_ns, is_java ? end.pid : 0);
  return end.status;
}

/* --- the command line ---------------------------------------------------------------- */

static int print_misuse(const char *problem, const char *subject) {
  log_line("run: %s%s", problem, subject);
  fputs(usage, stderr);
  return MISUSED;
}

/* Returns NULL, or the problem with argv[*at]. */
static const char *take_option(struct run_request *r, char **argv, int *at) {
  const char *word = argv[*at];
  if (strncmp(word, "-o", 2) != 0) return "there is no option ";
  r->options = word[2] != '\0' ? word + 2 : argv[++*at];
  return r->options == NULL ? "PREFIX is missing after " : NULL;
}

static int run_request(const struct run_request *r) {
  struct run_plan plan = {0};
  const char *problem = make_plan(&plan, r->options);
  int status = MISUSED;
  if (problem == NULL) {
    status = run_and_report(&plan, r->command);
  } else {
    log_line("run: %s", problem);
  }
  builder_free(&plan.agent);
  builder_free(&plan.option);
  return status;
}

int cmd_run(int argc, char **argv) {
  struct run_request r = {.options = ""};
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; at++) {
    const char *word = argv[at];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      fputs(usage, stdout);
      return DONE;
    }
    if (strcmp(word, "--") == 0) {
      at++;
      break;
    }
    const char *problem = take_option(&r, argv, &at);
    if (problem != NULL) return print_misuse(problem, word);
  }
  if (at >= argc) return print_misuse("which command? COMMAND is missing", "");
  r.command = argv + at;
  return run_request(&r);
}
