#include "tools/orca/cmd/commands.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "agent/base/text.h"
#include "agent/options/option_files.h"
#include "agent/options/options.h"
#include "tools/orca/attach/control.h"
#include "tools/orca/run/launch.h"

enum { DONE = 0, REFUSED = 1, MISUSED = 2 };

static const char attach_usage[] =
    "usage: orca attach PID [PREFIX[,key=value...]]\n"
    "\n"
    "Starts a recording in a running JVM. orca stop PID ends it.\n"
    "  PREFIX[,key=value...]   prefix of the files, and options of the agent (default: orca-%p);\n"
    "                          orca help options lists the options\n"
    "Exit status: 0 it records, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char stop_usage[] =
    "usage: orca stop PID\n"
    "\n"
    "Ends the recording in a running JVM and completes its files. The program continues.\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char status_usage[] =
    "usage: orca status PID\n"
    "\n"
    "Prints what the agent in a running JVM records, and where the files are.\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char flush_usage[] =
    "usage: orca flush PID\n"
    "\n"
    "Makes the agent in a running JVM write everything that it has recorded so far.\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const struct command {
  const char *name, *request, *usage;
  bool starts; /* loads the agent, and has options */
} attach = {"attach", "@start", attach_usage, true}, stop = {"stop", "@stop", stop_usage, false},
  status = {"status", "@status", status_usage, false},
  flush = {"flush", "@flush", flush_usage, false};

/* A command to the agent, and its answer. */
struct session {
  const struct command *command;
  pid_t pid;
  struct builder given; /* PREFIX[,key=value…], with the options of files */
  struct options options;
  struct builder arguments; /* `given` with an absolute PREFIX */
  bool shares_files;        /* see struct target */
  struct library library;
  struct control_answer answer;
};

/* --- the prefix ---------------------------------------------------------------------------- */

/* Makes the prefix absolute, because the JVM may have another working directory. A JVM in another
   container cannot use the working directory of this program, so it gets the prefix as given. */
static bool make_arguments(struct session *s, struct refusal *why) {
  char folder[PATH_MAX];
  if (!s->shares_files) {
    builder_string(&s->arguments, s->given.data);
  } else if (getcwd(folder, sizeof folder) == NULL) {
    return refuse(why, "the working directory cannot be read; give a PREFIX that begins with /");
  } else if (s->options.prefix[0] != '/' && strchr(folder, ',') != NULL) {
    return refuse(why,
                  "the working directory contains a comma, which ends a PREFIX; give a PREFIX "
                  "that begins with /");
  } else {
    launch_prefix(&s->arguments, s->given.data, s->options.prefix, folder);
  }
  builder_char(&s->arguments, '\0');
  return !s->arguments.failed || refuse(why, "out of memory");
}

/* --- the agent ------------------------------------------------------------------------------- */

static bool provide_agent(struct session *s, const struct target *t, struct refusal *why) {
  char exe[PATH_MAX];
  struct builder path = {0};
  ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[len < 0 ? 0 : len] = '\0';
  bool ok =
      len > 0 && launch_find_agent(exe, &path)
          ? library_provide(t, path.data, &s->library, why)
          : refuse(why, "the agent liborca.so is neither in the folder of orca nor in ../lib");
  builder_free(&path);
  return ok;
}

/* --- the session ----------------------------------------------------------------------------- */

static bool send_to_agent(struct session *s, const struct target *t, const struct bounded_wait *w,
                          struct refusal *why) {
  s->shares_files = t->shares_files;
  if (s->command->starts && !make_arguments(s, why)) return false;
  if (!library_find_loaded(t, &s->library)) {
    if (!s->command->starts) {
      return refuse(why, "there is no agent in process %d", (int)t->pid);
    }
    if (!provide_agent(s, t, why)) return false;
  }
  const char *arguments = s->command->starts ? s->arguments.data : NULL;
  bool ok = control_ask(t, w, &s->library, s->command->request, arguments, &s->answer, why);
  library_remove_copy(t, &s->library);
  return ok;
}

static int open_and_send(struct session *s, const struct bounded_wait *w, struct refusal *why) {
  struct target t;
  if (!target_open(&t, s->pid, w, why)) return MISUSED;
  bool ok = send_to_agent(s, &t, w, why);
  target_close(&t);
  return ok ? DONE : REFUSED;
}

/* --- the result ------------------------------------------------------------------------------- */

static int print_refusal(const struct session *s) {
  struct span rest = {s->answer.text.data, s->answer.text.len}, line;
  if (rest.len == 0) {
    log_line("%s: the agent refused with result %d; the reason is on stderr of process %d",
             s->command->name, s->answer.result, (int)s->pid);
  }
  while (rest.len > 0 && span_cut(&rest, '\n', &line)) {
    log_line("%s: %.*s", s->command->name, (int)line.len, line.data);
  }
  return REFUSED;
}

/* A path below /proc/PID is the name that this program has for a file of another file system. */
static void print_lifetime(const struct session *s) {
  const struct builder *text = &s->answer.text;
  char start[32];
  int len = snprintf(start, sizeof start, "/proc/%d/", (int)s->pid);
  if (s->shares_files || text->len == 0) return;
  if (memmem(text->data, text->len, start, (size_t)len) == NULL) return;
  printf("process %d has another file system: %s... exists only while it runs\n", (int)s->pid,
         start);
}

static int print_answer(const struct session *s) {
  const struct builder *text = &s->answer.text;
  int pid = (int)s->pid;
  if (s->answer.result != 0) return print_refusal(s);
  if (text->len > 0) fwrite(text->data, 1, text->len, stdout);
  if (text->len > 0 && text->data[text->len - 1] != '\n') putchar('\n');
  if (s->command->starts && text->len == 0) {
    printf("process %d records into %.*s.*\n", pid, (int)strcspn(s->arguments.data, ","),
           s->arguments.data);
  }
  print_lifetime(s);
  if (!s->command->starts) return DONE;
  if (s->library.is_copy) {
    printf("the agent was copied to /proc/%d/root%s\n", pid, s->library.path);
  }
  printf("orca stop %d ends the recording\n", pid);
  return DONE;
}

/* A signal that arrived meanwhile takes effect in bounded_wait_end, after the temporary files were
   removed. */
static int run_session(struct session *s) {
  struct bounded_wait w;
  struct refusal why = {""};
  int result = REFUSED;
  if (bounded_wait_begin(&w, &default_wait_limits, &why)) {
    result = open_and_send(s, &w, &why);
    bounded_wait_end(&w);
  }
  if (result == DONE) {
    result = print_answer(s);
  } else {
    log_line("%s: %s", s->command->name, why.text);
  }
  control_free(&s->answer);
  builder_free(&s->arguments);
  return result;
}

/* --- the command line ------------------------------------------------------------------------ */

static int print_misuse(const struct command *command, const char *problem, const char *subject) {
  log_line("%s: %s%s", command->name, problem, subject);
  fputs(command->usage, stderr);
  return MISUSED;
}

static int run_command(const struct command *command, int argc, char **argv) {
  struct session s = {.command = command};
  char error[512];
  if (argc == 1) return print_misuse(command, "which process? PID is missing", "");
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    fputs(command->usage, stdout);
    return DONE;
  }
  int64_t pid;
  struct span word = {argv[1], strlen(argv[1])};
  if (!text_parse_decimal(word, &pid) || pid < 1 || pid > INT_MAX) {
    return print_misuse(command, "PID is a number from 1 to 2147483647, not ", argv[1]);
  }
  s.pid = (pid_t)pid;
  int most = command->starts ? 3 : 2;
  if (argc > most) return print_misuse(command, "there is an extra argument: ", argv[most]);
  int result = MISUSED;
  if (option_files_expand(argc == 3 ? argv[2] : "", &s.given, error, sizeof error) &&
      options_parse(s.given.data, &s.options, error, sizeof error)) {
    result = run_session(&s);
  } else {
    log_line("%s: %s", command->name, error);
  }
  builder_free(&s.given);
  return result;
}

int cmd_attach(int argc, char **argv) { return run_command(&attach, argc, argv); }
int cmd_stop(int argc, char **argv) { return run_command(&stop, argc, argv); }
int cmd_status(int argc, char **argv) { return run_command(&status, argc, argv); }
int cmd_flush(int argc, char **argv) { return run_command(&flush, argc, argv); }
