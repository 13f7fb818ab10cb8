#include "tools/orca/cmd/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/log.h"

#define COMMAND(name, operands, summary) {#name, operands, summary, &cmd_##name},
const struct command_row commands[NUM_COMMANDS] = {
#include "tools/orca/cmd/commands.def"
};
#undef COMMAND

const struct command_row *commands_find(const char *name) {
  for (size_t i = 0; i < NUM_COMMANDS; i++) {
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  }
  return NULL;
}

static bool is_view(const struct command *c) { return c->run == view_command_run; }

static bool has_tables(const struct command *c) { return is_view(c) && !c->view.has_no_tables; }

/* --- operands ----------------------------------------------------------------------------- */

/* A word of the operands in a row. */
struct operand {
  struct span name;
  bool is_optional, repeats;
};

/* Cuts the next operand off `*rest`. False: there is no more. */
static bool cut_operand(struct span *rest, struct operand *out) {
  struct span word;
  do {
    if (!span_cut(rest, ' ', &word)) return false;
  } while (word.len == 0 || word.data[0] == '-' || span_is(word, "[--]"));
  *out = (struct operand){.is_optional = word.data[0] == '['};
  if (out->is_optional) word = (struct span){word.data + 1, word.len - 2};
  out->repeats = span_ends(word, "...");
  if (out->repeats) word.len -= strlen("...");
  out->name = word;
  return true;
}

static bool has_operand(const struct command_row *row, const char *name) {
  struct span rest = {row->operands, strlen(row->operands)};
  struct operand operand;
  while (cut_operand(&rest, &operand)) {
    if (span_is(operand.name, name)) return true;
  }
  return false;
}

static bool refuse_missing(const struct call *call, struct span name, struct refusal *why) {
  static const struct {
    const char *name, *question;
  } questions[] = {
      {"PREFIX", "which recording? PREFIX"},   {"PREFIX|PID", "which recording? PREFIX or PID"},
      {"PID", "which process? PID"},           {"COMMAND", "which command? COMMAND"},
      {"FILE", "which file of budgets? FILE"}, {"key=value", "what should change? key=value"}};
  struct span text = name;
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    if (!span_is(name, questions[i].name)) continue;
    text = (struct span){questions[i].question, strlen(questions[i].question)};
  }
  const char *last = call->num == 0 ? "" : call->operands[call->num - 1];
  return refuse(why, "%.*s is missing%s%s", (int)text.len, text.data,
                call->num == 0 ? "" : " after ", last);
}

/* A number can be a PREFIX if it cannot be a PID. */
static bool take_pid(struct call *call, struct span name, const char *word, struct refusal *why) {
  bool is_pid = args_pid(word, &call->pid);
  return is_pid || !span_is(name, "PID") ||
         refuse(why, "PID is a number from 1 to 2147483647, not %s", word);
}

static bool check_operands(const struct command_row *row, struct call *call, struct refusal *why) {
  struct span rest = {row->operands, strlen(row->operands)};
  struct operand operand;
  size_t at = 0;
  while (cut_operand(&rest, &operand)) {
    if (at == call->num && !operand.is_optional) return refuse_missing(call, operand.name, why);
    bool is_process = at < call->num && span_ends(operand.name, "PID");
    if (is_process && !take_pid(call, operand.name, call->operands[at], why)) return false;
    if (at < call->num) at = operand.repeats ? call->num : at + 1;
  }
  return at == call->num || refuse(why, "there is an extra argument: %s", call->operands[at]);
}

/* --- parsing ------------------------------------------------------------------------------ */

/* Takes an option of the command itself, or one that several commands share. */
static bool take_option(struct call *call, char **argv, int *at, struct refusal *why) {
  const struct command *c = call->command;
  static const struct args_options none = {NULL, 0};
  const struct args_table tables[] = {{&c->options, call->options},
                                      {is_view(c) ? &view_args_filters : &none, &call->view},
                                      {has_tables(c) ? &view_args_tables : &none, &call->view}};
  return args_take(tables, sizeof tables / sizeof *tables, argv, at, why);
}

/* Moves the operands to the front of `argv`. */
static bool take_words(const struct command_row *row, struct call *call, int argc, char **argv,
                       bool *wants_help, struct refusal *why) {
  bool has_ended = false; /* only operands follow */
  call->operands = argv;
  for (int at = 1; at < argc; at++) {
    char *word = argv[at];
    if (has_ended || word[0] != '-') {
      argv[call->num++] = word;
      has_ended |= strstr(row->operands, "[--]") != NULL;
    } else if (strcmp(word, "--") == 0) {
      has_ended = true;
    } else if (args_is_help(word)) {
      *wants_help = true;
      return true;
    } else if (!take_option(call, argv, &at, why)) {
      return false;
    }
  }
  argv[call->num] = NULL;
  return check_operands(row, call, why) && view_args_check(&call->view, why) &&
         (call->command->check == NULL || call->command->check(call, why));
}

int commands_run(const struct command_row *row, int argc, char **argv) {
  const struct command *c = row->command;
  struct call call = {.name = row->name, .command = c, .options = malloc(c->size + 1)};
  struct refusal why = {""};
  bool wants_help = false;
  int status = MISUSED;
  if (call.options == NULL) {
    log_line("%s: out of memory", row->name);
    return WRONG;
  }
  if (c->size > 0) memcpy(call.options, c->defaults, c->size);
  if (!take_words(row, &call, argc, argv, &wants_help, &why)) {
    log_line("%s: %s; see orca %s --help", row->name, why.text, row->name);
  } else {
    status = wants_help ? commands_print_help(row) : c->run(&call);
  }
  if (c->end != NULL) c->end(call.options);
  free(call.options);
  return status;
}

/* --- help --------------------------------------------------------------------------------- */

static void put_usage(struct builder *b, const struct command_row *row) {
  const struct command *c = row->command;
  bool has_options = is_view(c);
  for (size_t i = 0; i < c->options.num; i++) has_options |= c->options.rows[i].name[0] == '-';
  builder_format(b, "usage: orca %s%s%s%s\n\n", row->name, has_options ? " [OPTION...]" : "",
                 row->operands[0] == '\0' ? "" : " ", row->operands);
}

static void put_filters(struct builder *b) {
  args_put_text(b,
                "\nFilters select a part of the recording. Several patterns for the same filter "
                "match if any of them does.\n");
  args_put_help(b, &view_args_filters);
  args_put_text(b,
                "A wait that is partly outside of the time range counts with its part inside.\n");
}

int commands_print_help(const struct command_row *row) {
  const struct command *c = row->command;
  const char *statuses = c->statuses != NULL ? c->statuses : VIEW_STATUSES ".";
  struct builder b = {0}, end = {0};
  put_usage(&b, row);
  args_put_text(&b, c->about);
  if (c->options.num > 0) builder_char(&b, '\n');
  args_put_help(&b, &c->options);
  if (has_operand(row, "PREFIX")) {
    args_put_text(
        &b,
        "\nPREFIX is the common part of the file names PREFIX.orca, PREFIX.methods, ...; the name "
        "of one of these files, of a file of orca pack, of a folder or zip file with one "
        "recording, or ZIP/NAME of one with several, is accepted too.\n");
  }
  if (is_view(c)) put_filters(&b);
  if (has_tables(c)) args_put_help(&b, &view_args_tables);
  builder_format(&end, "\nExit status: %s\n%c", statuses, '\0');
  if (!end.failed) args_put_text(&b, end.data);
  bool good = !b.failed && !end.failed;
  if (good) fwrite(b.data, 1, b.len, stdout);
  if (!good) log_line("%s: out of memory", row->name);
  builder_free(&b);
  builder_free(&end);
  return good ? DONE : WRONG;
}
