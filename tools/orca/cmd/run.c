#include "tools/orca/cmd/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/options/option_files.h"
#include "agent/options/options.h"
#include "tools/orca/cmd/first_screen.h"
#include "tools/orca/run/child.h"
#include "tools/orca/run/launch.h"
#include "tools/orca/run/new_dumps.h"

enum { DONE = 0, MISUSED = 2, NOT_STARTED = 126, NOT_FOUND = 127 };

static const char usage[] =
    "usage: orca run [-o PREFIX[,key=value...]] [--] COMMAND [ARGUMENT...]\n"
    "\n"
    "Runs a command with the agent in every JVM that it starts. Then prints what the JVM that\n"
    "used the most CPU time did, and which commands show more.\n"
    "  -o PREFIX[,key=value...]   prefix of the files, options of the agent (default: orca-%p);\n"
    "                             orca help options lists the options\n"
    "The first JVM writes PREFIX.orca and so on, every further one PREFIX-PID.orca.\n"
    "Exit status: that of the command, or 128 plus the signal number if a signal ended it;\n"
    "2 wrong use, 126 the command cannot be started, 127 there is no such command.\n";

struct run_request {
  const char *options; /* PREFIX[,key=value…] */
  char **command;
};

struct run_plan {
  struct builder given;   /* the options of the user, with those of files */
  struct options options; /* of the request */
  char folder[PATH_MAX];  /* folder of a relative prefix */
  struct builder agent;   /* path of the agent */
  struct builder option;  /* -agentpath:… */
  char run[64];           /* the text that no other run has */
};

/* --- the plan -------------------------------------------------------------------- */

/* Like the agent: in a Bazel test, the files go to the folder that Bazel keeps. */
static bool set_prefix_folder(struct run_plan *plan) {
  const char *outputs = getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (outputs == NULL || outputs[0] == '\0') return getcwd(plan->folder, PATH_MAX) != NULL;
  int len = snprintf(plan->folder, PATH_MAX, "%s", outputs);
  return len > 0 && len < PATH_MAX;
}

/* Returns whether files can be made in the folder of the prefix. A folder with %p or %t in its name
   is known only to the JVM. Otherwise sets errno. */
static bool can_write_files(const struct run_plan *plan) {
  const char *prefix = plan->options.prefix, *slash = strrchr(prefix, '/');
  char folder[sizeof plan->options.prefix];
  int len = slash == NULL ? 0 : (int)(slash - prefix) + 1;
  snprintf(folder, sizeof folder, "%.*s", len, prefix);
  if (strchr(folder, '%') != NULL) return true;
  if (prefix[0] == '/') return access(folder, W_OK) == 0;
  int base = open(plan->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  bool ok = base >= 0 && faccessat(base, len == 0 ? "." : folder, W_OK, 0) == 0;
  int why = errno;
  if (base >= 0) close(base);
  errno = why;
  return ok;
}

static const char *make_plan(struct run_plan *plan, const char *options) {
  static char error[512];
  char exe[PATH_MAX];
  if (!option_files_expand(options, &plan->given, error, sizeof error)) return error;
  options = plan->given.data;
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
  if (!can_write_files(plan)) {
    snprintf(error, sizeof error,
             "cannot write %.200s.*: %s; the prefix has to be a path in a folder that exists",
             plan->options.prefix, strerror(errno));
    return error;
  }
  snprintf(plan->run, sizeof plan->run, "%ld.%llu", (long)getpid(),
           (unsigned long long)clock_utc_ns());
  builder_format(&plan->option, "-agentpath:%s=", plan->agent.data);
  launch_prefix(&plan->option, options, plan->options.prefix, plan->folder);
  builder_char(&plan->option, '\0');
  return plan->option.failed ? "out of memory" : NULL;
}

/* --- running and reporting ----------------------------------------------------------- */

/* Returns the name by which the user called this program. */
static const char *read_program_name(void) {
  static char name[PATH_MAX];
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t len = fd < 0 ? -1 : read(fd, name, sizeof name - 1);
  if (fd >= 0) close(fd);
  name[len < 0 ? 0 : len] = '\0';
  return name[0] == '\0' ? "orca" : name;
}

static void print_report(const struct run_plan *plan) {
  struct new_dumps dumps = {0};
  struct builder prefix = {0};
  launch_prefix(&prefix, "", plan->options.prefix, plan->folder); /* as the JVM got it */
  builder_char(&prefix, '\0');
  bool ok = !prefix.failed && new_dumps_find(&dumps, prefix.data, plan->run);
  if (!ok) {
    log_line("run: out of memory, so the files were not looked up");
  } else if (dumps.num == 0) {
    log_line("run: no JVM wrote a recording to %s", plan->options.prefix);
  } else {
    first_screen_print(&dumps, read_program_name());
  }
  new_dumps_free(&dumps);
  builder_free(&prefix);
}

static int run_and_report(const struct run_plan *plan, char **command) {
  bool is_java = launch_is_java(command[0]);
  fflush(stdout);
  struct child_end end = {.error = ENOMEM};
  char **argv = is_java ? launch_argv(command, plan->option.data) : command;
  if (argv != NULL && launch_set_environment(plan->run, plan->option.data, is_java)) {
    end = child_run(argv);
  }
  if (argv != command) free(argv);
  if (end.error != 0) {
    log_line("run: cannot start %s: %s", command[0], strerror(end.error));
    return end.error == ENOENT ? NOT_FOUND : NOT_STARTED;
  }
  print_report(plan);
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
  builder_free(&plan.given);
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
