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
#include "tools/orca/cmd/commands.h"
#include "tools/orca/run/child.h"
#include "tools/orca/run/launch.h"
#include "tools/orca/run/new_dumps.h"

enum { DONE = 0, MISUSED = 2, NOT_STARTED = 126, NOT_FOUND = 127 };

static const char usage[] =
    "usage: orca run [-o PREFIX[,key=value...]] [--] COMMAND [ARGUMENT...]\n"
    "\n"
    "Runs a command with the agent in every JVM that it starts, then prints the report.\n"
    "  -o PREFIX[,key=value...]   where the files go, and the agent's options (orca-%p)\n"
    "Exit status: that of the command, 128 and the signal where it died of one; 2 wrong use,\n"
    "126 the command cannot be started, 127 there is no such command.\n";

/* What was asked for. */
struct request {
  const char *options; /* PREFIX[,key=value…] */
  char **command;
};

/* What comes of it. */
struct plan {
  struct options options; /* those of the request, checked */
  char folder[PATH_MAX];  /* where a relative prefix lies */
  struct builder agent;   /* its path */
  struct builder option;  /* -agentpath:… */
};

/* --- getting ready --------------------------------------------------------------- */

/* As the agent does: in a Bazel test files go where Bazel keeps them. */
static bool set_folder(struct plan *plan) {
  const char *outputs = getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (outputs == NULL || outputs[0] == '\0') return getcwd(plan->folder, PATH_MAX) != NULL;
  int len = snprintf(plan->folder, PATH_MAX, "%s", outputs);
  return len > 0 && len < PATH_MAX;
}

static bool find_agent(struct plan *plan) {
  char exe[PATH_MAX];
  ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
  if (len < 0) return false;
  exe[len] = '\0';
  return launch_find_agent(exe, &plan->agent);
}

static const char *prepare(struct plan *plan, const char *options) {
  static char error[512];
  if (!options_parse(options, &plan->options, error, sizeof error)) return error;
  if (!find_agent(plan)) return "the agent liborca.so is neither beside orca nor in ../agent";
  if (strchr(plan->agent.data, '=') != NULL) return "the JVM takes no agent from a path with a =";
  if (!set_folder(plan)) return "the working directory cannot be read";
  builder_string(&plan->option, "-agentpath:");
  builder_string(&plan->option, plan->agent.data);
  builder_char(&plan->option, '=');
  launch_prefix(&plan->option, options, plan->options.prefix, plan->folder);
  builder_char(&plan->option, '\0');
  return plan->option.failed ? "there is not enough memory" : NULL;
}

/* --- running --------------------------------------------------------------------- */

static struct child_end run_java(const struct plan *plan, char **command) {
  struct child_end end = {.error = ENOMEM};
  char **argv = launch_argv(command, plan->option.data);
  if (argv != NULL) end = child_run(argv);
  free(argv);
  return end;
}

static struct child_end run_other(const struct plan *plan, char **command) {
  struct builder value = {0};
  struct child_end end = {.error = ENOMEM};
  launch_tool_options(&value, plan->option.data, getenv("JAVA_TOOL_OPTIONS"));
  builder_char(&value, '\0');
  if (!value.failed && setenv("JAVA_TOOL_OPTIONS", value.data, 1) == 0) end = child_run(command);
  builder_free(&value);
  return end;
}

static int not_started(const char *command, int error) {
  log_line("run: cannot start %s: %s", command, strerror(error));
  return error == ENOENT ? NOT_FOUND : NOT_STARTED;
}

/* --- reporting --------------------------------------------------------------------- */

/* The prefix as the user would write it: without the folder we are in. */
static const char *shown(const char *prefix) {
  static char here[PATH_MAX];
  if (getcwd(here, sizeof here) == NULL) return prefix;
  size_t len = strlen(here);
  return strncmp(prefix, here, len) == 0 && prefix[len] == '/' ? prefix + len + 1 : prefix;
}

static void name_files(const struct new_dumps *w) {
  printf("\nFiles: %s.*\n", shown(w->dumps[0].prefix));
  for (size_t i = 1; i < w->num; i++) {
    printf("%s %s.*", i == 1 ? "Other JVMs:" : ",", shown(w->dumps[i].prefix));
  }
  if (w->num > 1) putchar('\n');
}

/* The prefix to look for, absolute as the JVM got it. */
static void put_prefix(struct builder *b, const struct plan *plan) {
  launch_prefix(b, "", plan->options.prefix, plan->folder);
  builder_char(b, '\0');
}

static void report(const struct plan *plan, uint64_t since_ns, pid_t java) {
  struct new_dumps w = {0};
  struct builder prefix = {0};
  put_prefix(&prefix, plan);
  bool good = !prefix.failed && new_dumps_find(&w, prefix.data, since_ns);
  if (java != 0) new_dumps_keep(&w, java);
  if (!good) {
    log_line("run: there is not enough memory to look for the files");
  } else if (w.num == 0) {
    log_line("run: no JVM recorded anything as %s", plan->options.prefix);
  } else {
    report_dump(shown(w.dumps[0].prefix));
    name_files(&w);
  }
  new_dumps_free(&w);
  builder_free(&prefix);
}

static int run(const struct plan *plan, char **command) {
  bool java = launch_is_java(command[0]);
  uint64_t since_ns = clock_monotonic_ns();
  fflush(stdout);
  struct child_end end = java ? run_java(plan, command) : run_other(plan, command);
  if (end.error != 0) return not_started(command[0], end.error);
  report(plan, since_ns, java ? end.pid : 0);
  return end.status;
}

/* --- the command line ---------------------------------------------------------------- */

static int misused(const char *problem, const char *what) {
  log_line("run: %s%s", problem, what);
  fputs(usage, stderr);
  return MISUSED;
}

/* NULL, or what is wrong with argv[*at]. */
static const char *take_option(struct request *r, char **argv, int *at) {
  const char *word = argv[*at];
  if (strncmp(word, "-o", 2) != 0) return "there is no option ";
  r->options = word[2] != '\0' ? word + 2 : argv[++*at];
  return r->options == NULL ? "PREFIX is missing behind " : NULL;
}

static int run_request(const struct request *r) {
  struct plan plan = {0};
  const char *problem = prepare(&plan, r->options);
  int status = MISUSED;
  if (problem == NULL) {
    status = run(&plan, r->command);
  } else {
    log_line("run: %s", problem);
  }
  builder_free(&plan.agent);
  builder_free(&plan.option);
  return status;
}

int cmd_run(int argc, char **argv) {
  struct request r = {.options = ""};
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
    if (problem != NULL) return misused(problem, word);
  }
  if (at >= argc) return misused("which command? COMMAND is missing", "");
  r.command = argv + at;
  return run_request(&r);
}
