#include "tools/orca/cmd/commands.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "agent/base/text.h"
#include "agent/options/options.h"
#include "tools/orca/attach/control.h"
#include "tools/orca/run/launch.h"

enum { DONE = 0, REFUSED = 1, MISUSED = 2 };

static const char attach_usage[] =
    "usage: orca attach PID [PREFIX[,key=value...]]\n"
    "\n"
    "Starts a recording in a JVM that runs already, and leaves it on; orca stop PID ends it.\n"
    "  PREFIX[,key=value...]   where the files go, and the agent's options (orca-%p)\n"
    "Exit status: 0 it records, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char stop_usage[] =
    "usage: orca stop PID\n"
    "\n"
    "Ends the recording in a running JVM; its files are complete then, the program goes on.\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char status_usage[] =
    "usage: orca status PID\n"
    "\n"
    "Tells what the agent in a running JVM records, and where.\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const char flush_usage[] =
    "usage: orca flush PID\n"
    "\n"
    "Has a running JVM's agent write out all that it recorded up to now.\n"
    "Exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM.\n";

static const struct command {
  const char *name, *word, *usage;
  bool starts; /* brings the agent, and takes options */
} attach = {"attach", "@start", attach_usage, true}, stop = {"stop", "@stop", stop_usage, false},
  status = {"status", "@status", status_usage, false},
  flush = {"flush", "@flush", flush_usage, false};

/* What was asked for, and what came of it. */
struct talk {
  const struct command *command;
  pid_t pid;
  const char *given; /* PREFIX[,key=value…] */
  struct options options;
  struct builder about; /* the same with an absolute PREFIX */
  bool same_files;      /* the process sees the files that we see */
  struct library library;
  struct control_answer answer;
};

/* --- the prefix ---------------------------------------------------------------------------- */

/* As the JVM may have another working directory. In another container ours means nothing, and the
   prefix is left to the JVM. */
static bool put_about(struct talk *k, struct refusal *why) {
  char folder[PATH_MAX];
  if (!k->same_files) {
    builder_string(&k->about, k->given);
  } else if (getcwd(folder, sizeof folder) == NULL) {
    return refuse(why, "the working directory cannot be read; give a PREFIX that begins with /");
  } else if (k->options.prefix[0] != '/' && strchr(folder, ',') != NULL) {
    return refuse(why,
                  "options end at a comma, as the working directory has one; give a PREFIX "
                  "that begins with /");
  } else {
    launch_prefix(&k->about, k->given, k->options.prefix, folder);
  }
  builder_char(&k->about, '\0');
  return !k->about.failed || refuse(why, "there is not enough memory");
}

/* --- the agent ------------------------------------------------------------------------------- */

static bool find_own(struct builder *path, struct refusal *why) {
  char exe[PATH_MAX];
  ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[len < 0 ? 0 : len] = '\0';
  return (len > 0 && launch_find_agent(exe, path)) ||
         refuse(why, "the agent liborca.so is neither beside orca nor in ../agent");
}

static bool bring(struct talk *k, const struct target *t, struct refusal *why) {
  struct builder path = {0};
  bool good = find_own(&path, why) && library_provide(t, path.data, &k->library, why);
  builder_free(&path);
  return good;
}

static bool find_agent(struct talk *k, const struct target *t, struct refusal *why) {
  if (library_loaded(t, &k->library)) return true;
  if (k->command->starts) return bring(k, t, why);
  return refuse(why, "there is no agent in process %d", (int)t->pid);
}

/* --- talking --------------------------------------------------------------------------------- */

static bool ask(struct talk *k, const struct target *t, const struct bounded_wait *w,
                struct refusal *why) {
  k->same_files = t->same_files;
  if (k->command->starts && !put_about(k, why)) return false;
  if (!find_agent(k, t, why)) return false;
  const char *about = k->command->starts ? k->about.data : NULL;
  bool good = control_ask(t, w, &k->library, k->command->word, about, &k->answer, why);
  struct library loaded;
  if (!good && !library_loaded(t, &loaded)) library_withdraw(t, &k->library);
  return good;
}

static int ask_process(struct talk *k, const struct bounded_wait *w, struct refusal *why) {
  struct target t;
  if (!target_open(&t, k->pid, w, why)) return MISUSED;
  bool good = ask(k, &t, w, why);
  target_close(&t);
  return good ? DONE : REFUSED;
}

/* --- saying it ------------------------------------------------------------------------------- */

static int say_refused(const struct talk *k) {
  struct span rest = {k->answer.text.data, k->answer.text.len}, line;
  if (rest.len == 0) {
    log_line("%s: the agent refused with %d; why stands on stderr of process %d", k->command->name,
             k->answer.result, (int)k->pid);
  }
  while (rest.len > 0 && span_cut(&rest, '\n', &line)) {
    log_line("%s: %.*s", k->command->name, (int)line.len, line.data);
  }
  return REFUSED;
}

static void say_where(const struct talk *k) {
  int pid = (int)k->pid;
  if (k->answer.text.len == 0) {
    printf("process %d records into %.*s.*\n", pid, (int)strcspn(k->about.data, ","),
           k->about.data);
  }
  if (!k->same_files) {
    printf("process %d sees other files than we do: its files are in /proc/%d/root\n", pid, pid);
  }
  if (k->library.copied) {
    printf("the agent was copied for it to /proc/%d/root%s\n", pid, k->library.path);
  }
  printf("orca stop %d ends it\n", pid);
}

static int say(const struct talk *k) {
  const struct builder *text = &k->answer.text;
  if (k->answer.result != 0) return say_refused(k);
  if (text->len > 0) fwrite(text->data, 1, text->len, stdout);
  if (text->len > 0 && text->data[text->len - 1] != '\n') putchar('\n');
  if (k->command->starts) say_where(k);
  return DONE;
}

/* A signal that came in the meantime ends us in bounded_wait_end, when all is tidied up. */
static int talk(struct talk *k) {
  struct bounded_wait w;
  struct refusal why = {""};
  int result = REFUSED;
  if (bounded_wait_begin(&w, &usual_patience, &why)) {
    result = ask_process(k, &w, &why);
    bounded_wait_end(&w);
  }
  if (result == DONE) {
    result = say(k);
  } else {
    log_line("%s: %s", k->command->name, why.text);
  }
  control_free(&k->answer);
  builder_free(&k->about);
  return result;
}

/* --- the command line
 * ------------------------------------------------------------------------------ */

static int misused(const struct command *command, const char *problem, const char *what) {
  log_line("%s: %s%s", command->name, problem, what);
  fputs(command->usage, stderr);
  return MISUSED;
}

static bool parse_pid(const char *text, pid_t *out) {
  int64_t n;
  bool good = text_parse_decimal((struct span){text, strlen(text)}, &n) && n >= 1 && n <= INT_MAX;
  if (good) *out = (pid_t)n;
  return good;
}

static int run(const struct command *command, int argc, char **argv) {
  struct talk k = {.command = command, .given = ""};
  char error[512];
  if (argc == 1) return misused(command, "which process? PID is missing", "");
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    fputs(command->usage, stdout);
    return DONE;
  }
  if (!parse_pid(argv[1], &k.pid)) return misused(command, "PID is a number, not ", argv[1]);
  int most = command->starts ? 3 : 2;
  if (argc > most) return misused(command, "this is one word too many: ", argv[most]);
  if (argc == 3) k.given = argv[2];
  if (options_parse(k.given, &k.options, error, sizeof error)) return talk(&k);
  log_line("%s: %s", command->name, error);
  return MISUSED;
}

int cmd_attach(int argc, char **argv) { return run(&attach, argc, argv); }
int cmd_stop(int argc, char **argv) { return run(&stop, argc, argv); }
int cmd_status(int argc, char **argv) { return run(&status, argc, argv); }
int cmd_flush(int argc, char **argv) { return run(&flush, argc, argv); }
