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
#include "agent/options/values.h"
#include "tools/orca/attach/executable.h"
#include "tools/orca/cmd/deadlock_stop.h"
#include "tools/orca/cmd/first_screen.h"
#include "tools/orca/cmd/report.h"
#include "tools/orca/cmd/same_file.h"
#include "tools/orca/run/child.h"
#include "tools/orca/run/launch.h"
#include "tools/orca/run/shown_path.h"

static const char about[] =
    "Runs a command with the agent in every JVM that it starts. Then prints what the JVM that used "
    "the most CPU time did, and which commands show more. The first JVM writes PREFIX.orca and so "
    "on, every further one PREFIX-PID.orca.\n"
    "In a test of Bazel, relative files are among the undeclared outputs of the test, and "
    "report.txt and report.html are written there. Under bazel run they are in the folder of the "
    "user.\n";

struct run_request {
  const char *options; /* PREFIX[,key=value…] */
  const char *report, *html;
  uint64_t deadline_ns; /* 0: none */
  bool is_quiet, stops_at_deadlock;
};

struct run_plan {
  const struct run_request *request;
  struct builder given;   /* the options of the user, with those of files */
  struct options options; /* of the request */
  char folder[PATH_MAX];  /* folder of a relative prefix */
  char exe[PATH_MAX];     /* this program */
  struct builder agent;   /* path of the agent */
  struct builder option;  /* -agentpath:… */
  bool is_standard;       /* the user gave no options */
  struct builder prefix;  /* of the recordings, as the JVM gets it, with a NUL */
  struct builder place;   /* working directory of the command, with a NUL; empty: the current one */
  char run[64];           /* the text that no other run has */
};

/* --- the plan -------------------------------------------------------------------- */

/* Like the agent: in a Bazel test, the files go to the folder that Bazel keeps. */
static bool set_prefix_folder(struct run_plan *plan) {
  const char *folder = prefix_folder();
  if (folder == NULL) return getcwd(plan->folder, PATH_MAX) != NULL;
  int len = snprintf(plan->folder, PATH_MAX, "%s", folder);
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

static void read_exe(struct run_plan *plan) {
  ssize_t len = readlink("/proc/self/exe", plan->exe, sizeof plan->exe - 1);
  plan->exe[len < 0 ? 0 : len] = '\0';
}

/* Returns NULL or the problem. */
static const char *find_agent(struct run_plan *plan) {
  if (plan->exe[0] == '\0' || !launch_find_agent(plan->exe, &plan->agent)) {
    return "the agent liborca.so is neither in the folder of orca nor in ../lib";
  }
  if (strchr(plan->agent.data, '=') != NULL) {
    return "the path of the agent contains a =, which the JVM does not accept";
  }
  return NULL;
}

/* The JVMs of a run get the same default, which may contain the time. */
static void set_default_prefix(struct run_plan *plan, const char *options) {
  bool is_given = strncmp(options, PREFIX_DEFAULT, strlen(PREFIX_DEFAULT)) == 0;
  if (is_given || strcmp(plan->options.prefix, PREFIX_DEFAULT) != 0) return;
  prefix_default(clock_utc_ns(), plan->options.prefix);
}

/* `bazel run` starts this program in a folder of its own. What the user names is in the user's
   folder. With --run_under the command gets the folder that it has without this program. */
static bool enter_user_folder(struct run_plan *plan) {
  const char *folder = getenv("BUILD_WORKING_DIRECTORY");
  char here[PATH_MAX];
  if (folder == NULL || folder[0] == '\0') return true;
  if (getcwd(here, sizeof here) == NULL) return false;
  if (!launch_is_started_by_user(plan->exe, here)) {
    builder_bytes(&plan->place, here, strlen(here) + 1);
  }
  return !plan->place.failed && chdir(folder) == 0;
}

static const char *make_plan(struct run_plan *plan) {
  static char error[512];
  const char *options = plan->request->options;
  read_exe(plan);
  if (!enter_user_folder(plan)) return "the folder in BUILD_WORKING_DIRECTORY cannot be entered";
  if (!option_files_expand(options, &plan->given, error, sizeof error)) return error;
  options = plan->given.data;
  if (!options_parse(options, &plan->options, error, sizeof error)) return error;
  const char *problem = find_agent(plan);
  if (problem != NULL) return problem;
  set_default_prefix(plan, options);
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
  plan->is_standard = options[0] == '\0';
  /* An agent on the command line of a JVM then has a prefix of its own. */
  launch_prefix(&plan->prefix, "", plan->is_standard ? "%p" : plan->options.prefix, plan->folder);
  builder_char(&plan->prefix, '\0');
  return plan->option.failed || plan->prefix.failed ? "out of memory" : NULL;
}

/* Returns NULL, or why a command that is itself a JVM cannot load the agent. Then it would not
   start. */
static const char *find_obstacle(const struct run_plan *plan, const char *command) {
  const char *folder = plan->place.len > 0 ? plan->place.data : NULL;
  int fd = launch_is_java(command) ? launch_open_command(command, folder) : -1;
  if (fd < 0) return NULL;
  const char *obstacle = executable_find_obstacle(fd);
  close(fd);
  return obstacle;
}

static void free_plan(struct run_plan *plan) {
  builder_free(&plan->given);
  builder_free(&plan->agent);
  builder_free(&plan->option);
  builder_free(&plan->prefix);
  builder_free(&plan->place);
}

/* --- reporting ----------------------------------------------------------------------- */

/* Returns the name by which the user called this program, or can call it after a test of Bazel. */
static const char *read_program_name(const struct run_plan *plan) {
  static char name[PATH_MAX];
  if (shown_path_is_test()) return plan->exe;
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t len = fd < 0 ? -1 : read(fd, name, sizeof name - 1);
  if (fd >= 0) close(fd);
  name[len < 0 ? 0 : len] = '\0';
  return name[0] == '\0' ? "orca" : name;
}

/* The path of a file that the user named, or of one that a test leaves. NULL: none is wanted. */
static const char *find_file(const struct run_plan *plan, const char *given, const char *standard,
                             struct builder *path) {
  const char *name = given != NULL ? given : shown_path_is_test() ? standard : NULL;
  if (name == NULL) return NULL;
  if (name[0] != '/') builder_format(path, "%s/", plan->folder);
  builder_string(path, name);
  builder_char(path, '\0');
  return path->failed ? NULL : path->data;
}

static void print_file(const char *what, const char *path) {
  struct builder shown = {0};
  if (path == NULL) return;
  shown_path(&shown, path);
  printf("%s %.*s\n", what, (int)shown.len, shown.data == NULL ? "" : shown.data);
  builder_free(&shown);
}

/* Bazel may put the outputs of a test into outputs.zip, and the test cannot know. */
static void write_files(const struct run_plan *plan, const char *prefix) {
  const struct run_request *r = plan->request;
  struct builder report_path = {0}, html_path = {0};
  const char *report = find_file(plan, r->report, "report.txt", &report_path);
  const char *html = find_file(plan, r->html, "report.html", &html_path);
  if (report_write_files(prefix, report, html) && !r->is_quiet &&
      (report != NULL || html != NULL)) {
    putchar('\n');
    print_file("The report is", report);
    print_file("The page is  ", html);
    if (shown_path_is_test()) puts("If Bazel packs outputs, they are in outputs.zip there.");
  }
  builder_free(&report_path);
  builder_free(&html_path);
}

/* A quiet run prints the screen only if it had to end the command. */
static void report_jvms(const struct run_plan *plan, const struct new_dumps *dumps,
                        enum child_cause cause, const char *deadlocked) {
  struct run_jvms jvms;
  if (!run_jvms_read(&jvms, dumps)) {
    log_line("run: out of memory");
    return;
  }
  if (deadlocked != NULL) run_jvms_put_first(&jvms, deadlocked);
  bool is_quiet = plan->request->is_quiet && cause == CHILD_ENDED_ITSELF;
  if (!is_quiet) first_screen_print(&jvms, read_program_name(plan));
  write_files(plan, jvms.rows[0].path);
  run_jvms_free(&jvms);
}

static void print_cause(enum child_cause cause) {
  if (cause == CHILD_MISSED_DEADLINE) {
    log_line("run: the command was still running at the deadline and was ended");
  } else if (cause == CHILD_HAD_TO_END) {
    log_line("run: the command has a deadlock and was ended");
  }
}

/* Only the options of the user rule out that a JVM recorded with those of its own agent. */
static void print_no_recording(const struct run_plan *plan) {
  log_line("run: no JVM wrote a recording to %s%s", plan->options.prefix,
           plan->is_standard ? "; a JVM with an agent of its own writes where its options say, and "
                               "-o PREFIX gives all JVMs the agent of this command"
                             : "");
}

/* `deadlocked`: the prefix of a recording that has a deadlock, or NULL. */
static void print_report(const struct run_plan *plan, enum child_cause cause,
                         const char *deadlocked) {
  struct new_dumps dumps = {0};
  print_cause(cause);
  if (!new_dumps_find(&dumps, plan->prefix.data, plan->run)) {
    log_line("run: out of memory, so the files were not looked up");
  } else if (dumps.num == 0) {
    print_no_recording(plan);
  } else {
    report_jvms(plan, &dumps, cause, deadlocked);
  }
  new_dumps_free(&dumps);
}

/* --- running ------------------------------------------------------------------------- */

static struct child_end run_command(const struct run_plan *plan, char **argv,
                                    struct deadlock_stop *stop) {
  const struct run_request *r = plan->request;
  struct child_order order = {.argv = argv,
                              .folder = plan->place.len > 0 ? plan->place.data : NULL,
                              .deadline_ns = r->deadline_ns,
                              .has_to_end = r->stops_at_deadlock ? deadlock_stop_look : NULL,
                              .arg = stop};
  return child_run(&order);
}

static int get_status(const struct child_end *end) {
  if (end->error != 0) return end->error == ENOENT ? NOT_FOUND : NOT_STARTED;
  if (end->cause == CHILD_MISSED_DEADLINE) return STOPPED_BY_DEADLINE;
  return end->cause == CHILD_HAD_TO_END ? DEADLOCKED : end->status;
}

static int run_and_report(const struct run_plan *plan, char **command) {
  bool is_java = launch_is_java(command[0]);
  fflush(stdout);
  struct child_end end = {.error = ENOMEM};
  struct deadlock_stop stop = {.prefix = plan->prefix.data, .run = plan->run};
  char **argv = is_java ? launch_argv(command, plan->option.data) : command;
  if (argv != NULL &&
      launch_set_environment(plan->run, plan->option.data, is_java, plan->is_standard)) {
    end = run_command(plan, argv, &stop);
  }
  if (argv != command) free(argv);
  if (end.error == 0) {
    print_report(plan, end.cause, stop.found);
  } else {
    log_line("run: cannot start %s: %s", command[0], strerror(end.error));
  }
  deadlock_stop_free(&stop);
  return get_status(&end);
}

/* --- the command line ---------------------------------------------------------------- */

static bool parse_deadline(const char *text, void *target) {
  uint64_t *ns = target;
  return value_duration(text, ns) && *ns > 0;
}

static bool parse_stop(const char *text, void *target) {
  *(bool *)target = true;
  return strcmp(text, "deadlock") == 0;
}

static const struct args_option option_rows[] = {
    {"-o", "PREFIX[,key=value...]",
     "prefix of the files, options of the agent (default: orca-%p); orca help options lists the "
     "options",
     args_parse_text, offsetof(struct run_request, options), NULL},
    {"--report", "FILE",
     "also write the report of that JVM, or of the one with the deadlock of --stop-at, as text",
     args_parse_text, offsetof(struct run_request, report), NULL},
    {"--html", "FILE", "also write it as a page for a browser", args_parse_text,
     offsetof(struct run_request, html), NULL},
    {"--deadline", "TIME",
     "end the command, but not what it has started, after a time such as 60s: by SIGTERM, and 10 s "
     "later by SIGKILL",
     parse_deadline, offsetof(struct run_request, deadline_ns),
     "--deadline takes a time such as 60s, not "},
    {"--stop-at", "deadlock",
     "end the command in the same way when one of its JVMs has a deadlock; if a pool waits for its "
     "own queue, only if no other thread of the program does anything",
     parse_stop, offsetof(struct run_request, stops_at_deadlock), "--stop-at takes deadlock, not "},
    {"--quiet", .help = "print nothing, unless the command had to be ended or nothing was recorded",
     .offset = offsetof(struct run_request, is_quiet)}};

static bool check_files(const struct call *call, struct refusal *why) {
  const struct run_request *r = call->options;
  bool is_same = r->report != NULL && r->html != NULL && same_file(r->report, r->html);
  return !is_same || refuse(why, "--report and --html need different files, not both %s", r->html);
}

static int run_run(struct call *call) {
  struct run_plan plan = {.request = call->options};
  const char *problem = make_plan(&plan), *obstacle = NULL, *command = call->operands[0];
  int status = MISUSED;
  if (problem == NULL && (obstacle = find_obstacle(&plan, command)) != NULL) {
    log_line("run: the JVM %s %s", command, obstacle);
  } else if (problem == NULL) {
    status = run_and_report(&plan, call->operands);
  } else {
    log_line("run: %s", problem);
  }
  free_plan(&plan);
  return status;
}

const struct command cmd_run = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct run_request, .options = ""),
    .check = check_files,
    .statuses =
        "that of the command, or 128 plus the signal number if a signal ended it; 2 wrong "
        "use, 4 stopped at a deadlock, 124 stopped at the deadline, 126 the command cannot "
        "be started, 127 there is no such command.",
    .run = run_run};
