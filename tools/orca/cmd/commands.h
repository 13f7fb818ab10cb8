#pragma once
/* The commands of the orca program: what each says in its help, takes, and does. commands.def lists
   them. A command prints its result to stdout and its errors to stderr. */
#include <sys/types.h>

#include "agent/base/extern_c.h"
#include "tools/orca/attach/refusal.h"
#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/view_args.h"
#include "tools/orca/cmd/view_command.h"

BEGIN_C

/* The exit statuses of the program. */
enum exit_status {
  DONE = 0,
  WRONG = 1,      /* a file is broken, nothing matches the filters, the output could not be written
                     completely, or the JVM refused */
  MISUSED = 2,    /* wrong use, or there is no such recording, file or process */
  BROKEN = 3,     /* diff, budget: a limit of the user is broken */
  DEADLOCKED = 4, /* report, deadlocks, run: a deadlock was found, and the user asked for that */
  RETRYABLE = 5,  /* budget: the user asked, and one more run may keep the budget */

  /* run, whose status otherwise is that of its command, or 128 plus the number of a signal */
  STOPPED_BY_DEADLINE = 124, /* as timeout(1) */
  NOT_STARTED = 126,
  NOT_FOUND = 127
};

/* The exit statuses of a view, for its help. */
#define VIEW_STATUSES                                                                       \
  "0 success, 1 a file is broken, nothing matches the filters, or the output could not be " \
  "written completely, 2 wrong use or no such files"

/* A call of a command: what its words say. */
struct call {
  const char *name; /* of the command */
  const struct command *command;
  void *options;         /* the struct of the command's own options */
  struct view_args view; /* of a view */
  char **operands;       /* as the row of the command says, with a NULL after them */
  size_t num;
  pid_t pid; /* 0: no operand is the number of a process */
};

/* How a command says that it has options of its own: the rows, the struct that they fill, and the
   members of it that do not start as zero. */
#define COMMAND_OPTIONS(rows, type, ...) \
  .options = ARGS_OPTIONS(rows), .defaults = &(const type){__VA_ARGS__}, .size = sizeof(type)

struct command {
  const char *about;    /* paragraphs of the help; a line that begins with a blank is kept */
  const char *statuses; /* of the help: its exit statuses; NULL: those of a view */

  /* Those of the command itself, and the struct that they fill. A row about an operand is only for
     the help. */
  struct args_options options;
  const void *defaults;
  size_t size;

  /* Checks what single words cannot show. NULL: no check. */
  bool (*check)(const struct call *call, struct refusal *why);

  /* Returns the exit status. view_command_run: the command is a `view`, and takes filters and
     options of tables. */
  int (*run)(struct call *call);
  struct view_command view;

  void (*end)(void *options); /* frees what the options own. NULL: nothing */
};

#define COMMAND(name, operands, summary) extern const struct command cmd_##name;
#include "tools/orca/cmd/commands.def"
#undef COMMAND

enum command_id {
#define COMMAND(name, operands, summary) COMMAND_##name,
#include "tools/orca/cmd/commands.def"
#undef COMMAND
  NUM_COMMANDS
};

struct command_row {
  const char *name, *operands, *summary;
  const struct command *command;
};

extern const struct command_row commands[NUM_COMMANDS];

/* commands_find returns the command of this name; NULL: there is none. */
const struct command_row *commands_find(const char *name);

/* commands_run parses the words and runs the command, or prints its help. argv[0] is the name of
   the command. Options may precede and follow the operands. The order of `argv` changes. Returns
   the exit status. */
int commands_run(const struct command_row *row, int argc, char **argv);

/* commands_print_help prints the help of a command. Returns the exit status. */
int commands_print_help(const struct command_row *row);

END_C
