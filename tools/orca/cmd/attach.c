#include "tools/orca/cmd/commands.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "agent/base/text.h"
#include "agent/options/option_files.h"
#include "agent/options/options.h"
#include "agent/options/values.h"
#include "tools/orca/attach/control.h"
#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/status.h"
#include "tools/orca/cmd/writing_process.h"
#include "tools/orca/run/launch.h"

enum { DONE = 0, REFUSED = 1, MISUSED = 2 };

static const char attach_usage[] =
    "usage: orca attach PID [PREFIX[,key=value...]]\n"
    "\n"
    "Starts a recording in a running JVM. orca stop PID ends it, or the option duration.\n"
    "  PREFIX[,key=value...]   prefix of the files, and options of the agent (default: orca-%p);\n"
    "                          orca help options lists the options\n"
    "\n"
    "Example: orca attach 4711 /tmp/shop,duration=5m\n"
    "\n"
    "Exit status: 0 it records, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char stop_usage[] =
    "usage: orca stop PID\n"
    "\n"
    "Ends the recording in a running JVM and completes its files. The program continues.\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char set_usage[] =
    "usage: orca set PID key=value...\n"
    "\n"
    "Changes options of the recording in a running JVM, which goes on: all of them or none.\n"
    "  key=value            events, interval, budget, locks, monitors, filter, track, threshold,\n"
    "                       trigger or rest, as orca help options explains them\n"
    "  @FILE                options from a file, one a line\n"
    "\n"
    "Example: orca set 4711 threshold=1ms interval=10ms\n"
    "\n"
    "The files say from when on each value held. Other options need orca stop and orca attach.\n"
    "\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char status_usage[] =
    "usage: orca status PID [--format text|json|keys]\n"
    "\n"
    "Prints what the agent in a running JVM records, what it lost, and what it uses.\n"
    "  --format F           text, json or keys: lines of key=value (default: text)\n"
    "\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char flush_usage[] =
    "usage: orca flush PID\n"
    "\n"
    "Makes the agent in a running JVM write everything that it has recorded so far.\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char snapshot_usage[] =
    "usage: orca snapshot PID|PREFIX NAME [--last TIME]\n"
    "\n"
    "Keeps the last minutes of a recording, which goes on. orca report NAME shows them.\n"
    "  PID|PREFIX           the JVM, or the recording that it writes\n"
    "  NAME                 prefix of the files of the snapshot, of which none may exist\n"
    "  --last TIME          time such as 5m: leave out sets of files that ended before (default:\n"
    "                       none). A recording without maxsize and age is copied as a whole.\n"
    "\n"
    "The files are hard links to those of the recording, or copies on another file system.\n"
    "\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const struct command {
  const char *name, *request, *usage;
  bool starts; /* loads the agent, and has options */
} attach = {"attach", "@start", attach_usage, true}, stop = {"stop", "@stop", stop_usage, false},
  status = {"status", "@status", status_usage, false}, set = {"set", "@set", set_usage, false},
  flush = {"flush", "@flush", flush_usage, false},
  snapshot = {"snapshot", "@snapshot", snapshot_usage, false};

/* A command to the agent, and its answer. */
struct session {
  const struct command *command;
  pid_t pid;
  struct builder given;    /* PREFIX[,key=value…], with the options of files */
  const char *name, *last; /* of a snapshot, as given. NULL: no snapshot; no --last */
  struct options options;
  struct builder arguments; /* `given` with an absolute PREFIX; of set: its words */
  bool shares_files;        /* see struct target */
  struct library library;
  struct control_answer answer;
  /* Puts the answer of status; NULL: the text as it is. */
  void (*put)(struct builder *b, struct span answer);
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

/* Makes "[last=TIME,]NAME", with an absolute NAME if the JVM has the same files. */
static bool make_snapshot_arguments(struct session *s, struct refusal *why) {
  char folder[PATH_MAX] = "";
  bool is_relative = s->shares_files && s->name[0] != '/';
  if (is_relative && getcwd(folder, sizeof folder) == NULL) {
    return refuse(why, "the working directory cannot be read; give a NAME that begins with /");
  }
  if (strchr(folder, ',') != NULL) {
    return refuse(why, "the working directory contains a comma; give a NAME that begins with /");
  }
  if (s->last != NULL) builder_format(&s->arguments, "last=%s,", s->last);
  builder_format(&s->arguments, "%s%s%s", folder, is_relative ? "/" : "", s->name);
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
  if (s->name != NULL && !make_snapshot_arguments(s, why)) return false;
  if (!library_find_loaded(t, &s->library)) {
    if (!s->command->starts) {
      return refuse(why, "there is no agent in process %d", (int)t->pid);
    }
    if (!provide_agent(s, t, why)) return false;
  }
  bool ok = control_ask(t, w, &s->library, s->command->request, s->arguments.data, &s->answer, why);
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

/* "orca stop 4711 ends the recording" */
static void print_end(const struct session *s) {
  bool has_end = s->options.duration > 0;
  if (has_end) printf("the recording ends by itself after %s; ", s->options.text[OPTION_duration]);
  printf("orca stop %d ends %s\n", (int)s->pid, has_end ? "it earlier" : "the recording");
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

static int print_status(const struct session *s) {
  struct builder text = {0};
  s->put(&text, (struct span){s->answer.text.data, s->answer.text.len});
  bool good = !text.failed;
  if (good) fwrite(text.data, 1, text.len, stdout);
  if (good && s->put == status_put_text) print_lifetime(s);
  if (!good) log_line("status: out of memory");
  builder_free(&text);
  return good ? DONE : REFUSED;
}

static int print_answer(const struct session *s) {
  const struct builder *text = &s->answer.text;
  int pid = (int)s->pid;
  if (s->answer.result != 0) return print_refusal(s);
  if (s->put != NULL) return print_status(s);
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
  print_end(s);
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

static bool parse_pid(const char *text, pid_t *out) {
  int64_t pid;
  bool good =
      text_parse_decimal((struct span){text, strlen(text)}, &pid) && pid >= 1 && pid <= INT_MAX;
  if (good) *out = (pid_t)pid;
  return good;
}

static int run_command(const struct command *command, int argc, char **argv) {
  struct session s = {.command = command};
  char error[512];
  if (argc == 1) return print_misuse(command, "which process? PID is missing", "");
  if (args_is_help(argv[1])) {
    fputs(command->usage, stdout);
    return DONE;
  }
  if (!parse_pid(argv[1], &s.pid)) {
    return print_misuse(command, "PID is a number from 1 to 2147483647, not ", argv[1]);
  }
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

/* Finds the process that writes a recording. A refusal is printed. */
static bool find_writer_of(const char *prefix, pid_t *out) {
  struct refusal why = {""};
  bool good = writing_process(prefix, out, &why);
  if (!good) log_line("snapshot: %s", why.text);
  return good;
}

/* Returns what is wrong with the words of orca snapshot, and its subject; NULL: nothing. */
static const char *parse_snapshot_words(struct session *s, int argc, char **argv,
                                        const char **process, const char **subject) {
  uint64_t ns;
  *process = *subject = "";
  for (int at = 1; at < argc; at++) {
    const char *value = args_value("--last", argv, &at);
    *subject = value != NULL ? value : argv[at];
    if (value != NULL) {
      s->last = value;
      if (!value_duration(value, &ns) || ns == 0) return "--last takes a time such as 5m, not ";
    } else if (argv[at][0] == '-') {
      return "there is no option ";
    } else if (**process == '\0') {
      *process = argv[at];
    } else if (s->name == NULL) {
      s->name = argv[at];
      size_t len = strlen(s->name);
      if (strchr(s->name, ',') != NULL || len == 0 || s->name[len - 1] == '/')
        return "NAME is a path without a comma that does not end with /, not ";
    } else {
      return "there is an extra argument: ";
    }
  }
  *subject = "";
  if (**process == '\0') return "which recording? PID or PREFIX is missing";
  return s->name == NULL ? "NAME is missing" : NULL;
}

int cmd_snapshot(int argc, char **argv) {
  struct session s = {.command = &snapshot};
  const char *process, *subject;
  for (int at = 1; at < argc; at++) {
    if (!args_is_help(argv[at])) continue;
    fputs(snapshot_usage, stdout);
    return DONE;
  }
  const char *problem = parse_snapshot_words(&s, argc, argv, &process, &subject);
  if (problem != NULL) return print_misuse(&snapshot, problem, subject);
  bool is_pid = strspn(process, "0123456789") == strlen(process);
  if (is_pid && !parse_pid(process, &s.pid)) {
    return print_misuse(&snapshot, "PID is a number from 1 to 2147483647, not ", process);
  }
  return is_pid || find_writer_of(process, &s.pid) ? run_session(&s) : MISUSED;
}

/* Joins the words by commas, with the options of files. Prints a refusal. */
static bool join_words(struct session *s, int argc, char **argv) {
  struct builder words = {0};
  char error[512] = "out of memory";
  for (int at = 2; at < argc; at++) {
    if (at > 2) builder_char(&words, ',');
    builder_string(&words, argv[at]);
  }
  builder_char(&words, '\0');
  bool good = !words.failed && option_files_expand(words.data, &s->arguments, error, sizeof error);
  if (!good) log_line("set: %s", error);
  builder_free(&words);
  return good;
}

int cmd_set(int argc, char **argv) {
  struct session s = {.command = &set};
  if (argc == 1) return print_misuse(&set, "which process? PID is missing", "");
  if (args_is_help(argv[1])) {
    fputs(set_usage, stdout);
    return DONE;
  }
  if (!parse_pid(argv[1], &s.pid)) {
    return print_misuse(&set, "PID is a number from 1 to 2147483647, not ", argv[1]);
  }
  if (argc == 2) return print_misuse(&set, "what should change? key=value is missing", "");
  int result = join_words(&s, argc, argv) ? run_session(&s) : MISUSED;
  builder_free(&s.arguments);
  return result;
}

int cmd_attach(int argc, char **argv) { return run_command(&attach, argc, argv); }
int cmd_stop(int argc, char **argv) { return run_command(&stop, argc, argv); }

/* Returns what is wrong with the words of orca status, and its subject; NULL: nothing. */
static const char *parse_status_words(struct session *s, int argc, char **argv,
                                      const char **subject) {
  bool has_pid = false;
  *subject = "";
  for (int at = 1; at < argc; at++) {
    const char *value = args_value("--format", argv, &at);
    *subject = value != NULL ? value : argv[at];
    if (value != NULL && strcmp(value, "json") == 0) {
      s->put = status_put_json;
    } else if (value != NULL && strcmp(value, "keys") == 0) {
      s->put = NULL;
    } else if (value != NULL) {
      if (strcmp(value, "text") != 0) return "--format takes text, json or keys, not ";
    } else if (argv[at][0] == '-' && !has_pid && argv[at][1] == '-') {
      return "there is no option ";
    } else if (has_pid) {
      return "there is an extra argument: ";
    } else if (!parse_pid(argv[at], &s->pid)) {
      return "PID is a number from 1 to 2147483647, not ";
    } else {
      has_pid = true;
    }
  }
  *subject = "";
  return has_pid ? NULL : "which process? PID is missing";
}

int cmd_status(int argc, char **argv) {
  struct session s = {.command = &status, .put = status_put_text};
  const char *subject;
  for (int at = 1; at < argc; at++) {
    if (!args_is_help(argv[at])) continue;
    fputs(status_usage, stdout);
    return DONE;
  }
  const char *problem = parse_status_words(&s, argc, argv, &subject);
  return problem != NULL ? print_misuse(&status, problem, subject) : run_session(&s);
}
int cmd_flush(int argc, char **argv) { return run_command(&flush, argc, argv); }
