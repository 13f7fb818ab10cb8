/* The `orca` program: finds the command and runs it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "agent/base/version.h"
#include "tools/orca/cmd/agent_options.h"
#include "tools/orca/cmd/commands.h"

static int print_unknown_command(const char *name) {
  log_line("there is no command \"%s\"; \"orca help\" lists the commands", name);
  return MISUSED;
}

static void print_command(FILE *out, const char *name, const char *summary) {
  fprintf(out, "  %-9s  %s\n", name, summary);
}

static void print_commands(FILE *out) {
  fputs(
      "usage: orca COMMAND [ARGUMENT...]\n"
      "\n"
      "  orca run -o /tmp/shop -- java -jar shop.jar    record into /tmp/shop.orca and so on\n"
      "  orca report /tmp/shop                          print the report of that recording\n"
      "\n",
      out);
  for (size_t i = 0; i < NUM_COMMANDS; i++)
    print_command(out, commands[i].name, commands[i].summary);
  print_command(out, "help",
                "print this list, the help on a command, or the agent's: orca help options");
  print_command(out, "version", "print the version");
}

/* `topic` can be NULL. */
static int print_help(const char *topic) {
  bool is_general = topic == NULL || strcmp(topic, "help") == 0 || strcmp(topic, "version") == 0;
  if (!is_general && strcmp(topic, "options") == 0) return agent_options_print();
  const struct command_row *row = is_general ? NULL : commands_find(topic);
  if (row != NULL) return commands_print_help(row);
  if (!is_general) return print_unknown_command(topic);
  print_commands(stdout);
  return DONE;
}

/* Maps the options --help, -h and --version to commands. */
static const char *get_command_name(const char *word) {
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return "help";
  return strcmp(word, "--version") == 0 ? "version" : word;
}

/* Returns the exit status. If stdout could not be written completely, for example on a full disk,
   the command has failed. */
static int close_stdout(int status) {
  int failed = ferror(stdout);
  errno = 0;
  failed |= fclose(stdout);
  if (failed == 0) return status;
  if (errno == 0) {
    log_line("cannot write the output");
  } else {
    log_line("cannot write the output: %s", strerror(errno));
  }
  return status == DONE ? WRONG : status;
}

static int run_command(int argc, char **argv) {
  const char *name = get_command_name(argv[1]);
  if (strcmp(name, "help") == 0) return print_help(argv[2]);
  if (strcmp(name, "version") == 0) {
    puts("orca " ORCA_VERSION);
    return DONE;
  }
  const struct command_row *row = commands_find(name);
  if (row == NULL) return print_unknown_command(name);
  /* `bazel run` changes the working directory and passes the previous one in this variable. cmd_run
     goes there itself, as its command must not. */
  const char *folder = getenv("BUILD_WORKING_DIRECTORY");
  if (folder != NULL && row->command != &cmd_run && chdir(folder) != 0) {
    log_line("cannot go to %s: %s", folder, strerror(errno));
  }
  return commands_run(row, argc - 1, argv + 1);
}

int main(int argc, char **argv) {
  if (argc > 1) return close_stdout(run_command(argc, argv));
  print_commands(stderr);
  return MISUSED;
}
