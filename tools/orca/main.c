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

enum { DONE = 0, WRONG = 1, MISUSED = 2 };

static int cmd_help(int argc, char **argv);
static int cmd_version(int argc, char **argv);

static const struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *help;
} commands[] = {
#define COMMAND(name, help) {#name, cmd_##name, help},
#include "tools/orca/cmd/commands.def"
#undef COMMAND
    {"help", cmd_help, "print this list, the help on a command, or the agent's: orca help options"},
    {"version", cmd_version, "print the version"},
};

static const struct command *find_command(const char *name) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  }
  return NULL;
}

static int print_unknown_command(const char *name) {
  log_line("there is no command \"%s\"; \"orca help\" lists the commands", name);
  return MISUSED;
}

static void print_commands(FILE *out) {
  fputs(
      "usage: orca COMMAND [ARGUMENT...]\n"
      "\n"
      "  orca run -o /tmp/shop -- java -jar shop.jar    record into /tmp/shop.orca and so on\n"
      "  orca report /tmp/shop                          print the report of that recording\n"
      "\n",
      out);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    fprintf(out, "  %-9s  %s\n", commands[i].name, commands[i].help);
  }
}

static int cmd_help(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "options") == 0) return agent_options_print();
  const struct command *command = argc > 1 ? find_command(argv[1]) : NULL;
  if (argc > 1 && command == NULL) return print_unknown_command(argv[1]);
  if (command == NULL || command->run == cmd_help || command->run == cmd_version) {
    print_commands(stdout);
    return DONE;
  }
  char option[] = "--help", *words[] = {argv[1], option, NULL};
  return command->run(2, words);
}

static int cmd_version(int argc, char **argv) {
  (void)argc, (void)argv;
  puts("orca " ORCA_VERSION);
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

int main(int argc, char **argv) {
  if (argc < 2) {
    print_commands(stderr);
    return MISUSED;
  }
  const struct command *command = find_command(get_command_name(argv[1]));
  if (command == NULL) return print_unknown_command(argv[1]);
  /* `bazel run` changes the working directory and passes the previous one in this variable. cmd_run
     goes there itself, as its command must not. */
  const char *folder = getenv("BUILD_WORKING_DIRECTORY");
  if (folder != NULL && command->run != cmd_run && chdir(folder) != 0) {
    log_line("cannot go to %s: %s", folder, strerror(errno));
  }
  return close_stdout(command->run(argc - 1, argv + 1));
}
