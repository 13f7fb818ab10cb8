#include "tools/orca/cmd/commands.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "agent/options/option_files.h"
#include "agent/options/options.h"
#include "agent/options/values.h"
#include "tools/orca/attach/control.h"
#include "tools/orca/cmd/status.h"
#include "tools/orca/cmd/writing_process.h"
#include "tools/orca/run/launch.h"

#define STATUSES "0 done, 1 the JVM or the agent refused, 2 wrong use or no such JVM."

/* A command to the agent, and its answer. */
struct session {
  const struct call *call;
  const char *request;
  bool starts;              /* loads the agent, and has options */
  struct builder given;     /* PREFIX[,key=value…], with the options of files */
  struct options options;   /* of `given` */
  struct builder arguments; /* what the agent gets: `given` with an absolute PREFIX; words of set */
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

struct snapshot_options {
  const char *last; /* NULL: all */
};

/* Makes "[last=TIME,]NAME", with an absolute NAME if the JVM has the same files. */
static bool make_snapshot_arguments(struct session *s, struct refusal *why) {
  const struct snapshot_options *options = s->call->options;
  const char *name = s->call->operands[1];
  char folder[PATH_MAX] = "";
  bool is_relative = s->shares_files && name[0] != '/';
  if (is_relative && getcwd(folder, sizeof folder) == NULL) {
    return refuse(why, "the working directory cannot be read; give a NAME that begins with /");
  }
  if (strchr(folder, ',') != NULL) {
    return refuse(why, "the working directory contains a comma; give a NAME that begins with /");
  }
  if (options->last != NULL) builder_format(&s->arguments, "last=%s,", options->last);
  builder_format(&s->arguments, "%s%s%s", folder, is_relative ? "/" : "", name);
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
  if (s->starts && !make_arguments(s, why)) return false;
  if (s->call->command == &cmd_snapshot && !make_snapshot_arguments(s, why)) return false;
  if (!library_find_loaded(t, &s->library)) {
    if (!s->starts) {
      return refuse(why, "there is no agent in process %d", (int)t->pid);
    }
    if (!provide_agent(s, t, why)) return false;
  }
  bool ok = control_ask(t, w, &s->library, s->request, s->arguments.data, &s->answer, why);
  library_remove_copy(t, &s->library);
  return ok;
}

static int open_and_send(struct session *s, const struct bounded_wait *w, struct refusal *why) {
  struct target t;
  if (!target_open(&t, s->call->pid, w, why)) return MISUSED;
  bool ok = send_to_agent(s, &t, w, why);
  target_close(&t);
  return ok ? DONE : WRONG;
}

/* --- the result ------------------------------------------------------------------------------- */

static int print_refusal(const struct session *s) {
  struct span rest = {s->answer.text.data, s->answer.text.len}, line;
  if (rest.len == 0) {
    log_line("%s: the agent refused with result %d; the reason is on stderr of process %d",
             s->call->name, s->answer.result, (int)s->call->pid);
  }
  while (rest.len > 0 && span_cut(&rest, '\n', &line)) {
    log_line("%s: %.*s", s->call->name, (int)line.len, line.data);
  }
  return WRONG;
}

/* "orca stop 4711 ends the recording" */
static void print_end(const struct session *s) {
  bool has_end = s->options.duration > 0;
  if (has_end) printf("the recording ends by itself after %s; ", s->options.text[OPTION_duration]);
  printf("orca stop %d ends %s\n", (int)s->call->pid, has_end ? "it earlier" : "the recording");
}

/* A path below /proc/PID is the name that this program has for a file of another file system. */
static void print_lifetime(const struct session *s) {
  const struct builder *text = &s->answer.text;
  char start[32];
  int len = snprintf(start, sizeof start, "/proc/%d/", (int)s->call->pid);
  if (s->shares_files || text->len == 0) return;
  if (memmem(text->data, text->len, start, (size_t)len) == NULL) return;
  printf("process %d has another file system: %s... exists only while it runs\n", (int)s->call->pid,
         start);
}

struct status_options {
  bool as_json;
};

static int print_status(const struct session *s) {
  const struct status_options *options = s->call->options;
  struct span answer = {s->answer.text.data, s->answer.text.len};
  struct builder text = {0};
  (options->as_json ? status_put_json : status_put_text)(&text, answer);
  bool good = !text.failed;
  if (good) fwrite(text.data, 1, text.len, stdout);
  if (good && !options->as_json) print_lifetime(s);
  if (!good) log_line("status: out of memory");
  builder_free(&text);
  return good ? DONE : WRONG;
}

static int print_answer(const struct session *s) {
  const struct builder *text = &s->answer.text;
  int pid = (int)s->call->pid;
  if (s->answer.result != 0) return print_refusal(s);
  if (s->call->command == &cmd_status) return print_status(s);
  if (text->len > 0) fwrite(text->data, 1, text->len, stdout);
  if (text->len > 0 && text->data[text->len - 1] != '\n') putchar('\n');
  if (s->starts && text->len == 0) {
    printf("process %d records into %.*s.*\n", pid, (int)strcspn(s->arguments.data, ","),
           s->arguments.data);
  }
  print_lifetime(s);
  if (!s->starts) return DONE;
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
  int result = WRONG;
  if (bounded_wait_begin(&w, &default_wait_limits, &why)) {
    result = open_and_send(s, &w, &why);
    bounded_wait_end(&w);
  }
  if (result == DONE) {
    result = print_answer(s);
  } else {
    log_line("%s: %s", s->call->name, why.text);
  }
  control_free(&s->answer);
  builder_free(&s->arguments);
  builder_free(&s->given);
  return result;
}

/* --- the commands ---------------------------------------------------------------------------- */

static int ask(const struct call *call, const char *request) {
  return run_session(&(struct session){.call = call, .request = request});
}

static int run_attach(struct call *call) {
  struct session s = {.call = call, .request = "@start", .starts = true};
  char error[512];
  const char *given = call->num == 2 ? call->operands[1] : "";
  if (option_files_expand(given, &s.given, error, sizeof error) &&
      options_parse(s.given.data, &s.options, error, sizeof error)) {
    return run_session(&s);
  }
  log_line("attach: %s", error);
  builder_free(&s.given);
  return MISUSED;
}

static const struct args_option attach_rows[] = {
    {"PREFIX[,key=value...]",
     .help = "prefix of the files, and options of the agent (default: orca-%p); orca help options "
             "lists the options"}};

const struct command cmd_attach = {
    .about =
        "Starts a recording in a running JVM. orca stop PID ends it, or the option duration.\n"
        "  orca attach 4711 /tmp/shop,duration=5m\n",
    .options = ARGS_OPTIONS(attach_rows),
    .statuses = STATUSES,
    .run = run_attach};

static int run_stop(struct call *call) { return ask(call, "@stop"); }

const struct command cmd_stop = {
    .about =
        "Ends the recording in a running JVM and completes its files. The program continues.\n",
    .statuses = STATUSES,
    .run = run_stop};

/* Joins the words by commas, with the options of files. */
static int run_set(struct call *call) {
  struct session s = {.call = call, .request = "@set"};
  struct builder words = {0};
  char error[512] = "out of memory";
  for (size_t i = 1; i < call->num; i++) {
    if (i > 1) builder_char(&words, ',');
    builder_string(&words, call->operands[i]);
  }
  builder_char(&words, '\0');
  bool good = !words.failed && option_files_expand(words.data, &s.arguments, error, sizeof error);
  builder_free(&words);
  if (good) return run_session(&s);
  log_line("set: %s", error);
  builder_free(&s.arguments);
  return MISUSED;
}

static const struct args_option set_rows[] = {
    {"key=value", .help = "an option that orca set can change: orca help options says which"},
    {"@FILE", .help = "options from a file, one a line"}};

const struct command cmd_set = {
    .about =
        "Changes options of the recording in a running JVM, which goes on: all of them or none. "
        "The files say from when on each value held. Other options need orca stop and orca "
        "attach.\n"
        "  orca set 4711 threshold=1ms interval=10ms\n",
    .options = ARGS_OPTIONS(set_rows),
    .statuses = STATUSES,
    .run = run_set};

static int run_status(struct call *call) { return ask(call, "@status"); }

static const struct args_option status_rows[] = {
    {"--format", "FORMAT", "text or json (default: text)", args_parse_json,
     offsetof(struct status_options, as_json), ARGS_JSON_PROBLEM}};

const struct command cmd_status = {
    .about = "Prints what the agent in a running JVM records, what it lost, and what it uses.\n",
    COMMAND_OPTIONS(status_rows, struct status_options),
    .statuses = STATUSES,
    .run = run_status};

static bool parse_last(const char *text, void *target) {
  uint64_t ns;
  return args_parse_text(text, target) && value_duration(text, &ns) && ns > 0;
}

static const struct args_option snapshot_rows[] = {
    {"PREFIX|PID", .help = "the recording, or the JVM that writes it"},
    {"NAME", .help = "prefix of the files of the snapshot, of which none may exist"},
    {"--last", "TIME",
     "time such as 5m: leave out sets of files that ended before (default: none). A recording "
     "without maxsize and age is copied as a whole.",
     parse_last, offsetof(struct snapshot_options, last), "--last takes a time such as 5m, not "}};

static bool check_name(const struct call *call, struct refusal *why) {
  const char *name = call->operands[1];
  size_t len = strlen(name);
  return (len > 0 && name[len - 1] != '/' && strchr(name, ',') == NULL) ||
         refuse(why, "NAME is a path without a comma that does not end with /, not %s", name);
}

static int run_snapshot(struct call *call) {
  struct refusal why = {""};
  if (call->pid != 0 || writing_process(call->operands[0], &call->pid, &why)) {
    return ask(call, "@snapshot");
  }
  log_line("snapshot: %s", why.text);
  return MISUSED;
}

const struct command cmd_snapshot = {
    .about =
        "Keeps the last minutes of a recording, which goes on. orca report NAME shows them. The "
        "files are hard links to those of the recording, or copies on another file system.\n",
    COMMAND_OPTIONS(snapshot_rows, struct snapshot_options),
    .statuses = STATUSES,
    .check = check_name,
    .run = run_snapshot};
