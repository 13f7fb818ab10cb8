#pragma once
// The command lines that views_fuzz runs: at least one of each command that reads a recording, and
// of each format and table of `orca export`.
#include <cstddef>

#include "tools/orca/cmd/commands.h"

enum Command {
#define COMMAND(name, help) kCommand_##name,
#include "tools/orca/cmd/commands.def"
#undef COMMAND
};

struct CommandLine {
  Command command;
  const char *words;  // after the command; '@' is the prefix of the recording
};

constexpr CommandLine kCommandLines[] = {
#define FORMAT(id, needs, help) {kCommand_export, "--format=" #id " -o - @"},
#include "tools/orca/export/format.def"
#define TABLE(id, help) {kCommand_export, "--format=tsv --label=host=a --table=" #id " @"},
#include "tools/orca/export/tsv_table.def"
    {kCommand_report, "@"},
    {kCommand_report, "--format=json --from=10% --to=90% @"},
    {kCommand_report, "--format=csv --class=*a* --lock=* @"},
    {kCommand_html, "-o - @"},
    {kCommand_html, "-o - @ @"},
    {kCommand_hot, "--tree --by-thread --least=0% @"},
    {kCommand_hot, "--wall --callers=* --thread=*1 @"},
    {kCommand_locks, "--stack --by-class @"},
    {kCommand_locks, "--all @"},
    {kCommand_locks, "--format=json @"},
    {kCommand_path, "@"},
    {kCommand_path, "--thread=* --from=10% --to=90% --format=json @"},
    {kCommand_path, "--calls=* @"},
    {kCommand_path, "--tasks --format=csv @"},
    {kCommand_deadlocks, "--at=50% @"},
    {kCommand_deadlocks, "@"},
    {kCommand_waits, "@"},
    {kCommand_threads, "@"},
    {kCommand_threads, "--all @"},
    {kCommand_log, "--stack @"},
    {kCommand_log, "--format=csv --around=1 --within=1h @"},
    {kCommand_top, "--once @"},
    {kCommand_top, "--format=json --window=3 @"},
    {kCommand_metrics, "@"},
    {kCommand_metrics, "--follow --top=1 --label=host=a @"},
    {kCommand_diff, "@ @"},
    {kCommand_diff, "--format=json --fail-on=lock+1% @ @"},
    {kCommand_budget, "/dev/null @ --format=json"},
    {kCommand_budget, "/dev/null @ --junit=- --markdown=- --sarif=-"},
    {kCommand_budget, "--update --accept @.budget @"},
    {kCommand_collect, "--build_event_json_file=@.json"},
    {kCommand_collect, "--build_event_json_file=@.json --format=json --html=-"},
    {kCommand_digest, "-o - @"},
    {kCommand_methods, "@"},
    {kCommand_whatif, "--plan @"},
    {kCommand_whatif, "--drop=* --shrink=*=50% --faster=*=30% --cpus=8 @"},
    {kCommand_whatif, "--pool=*=2x @"},
    {kCommand_whatif, "--outside=*:*a* --readers=*:*a* --split=*=4 --format=json @"},
    {kCommand_pack, "-o - @"},
    {kCommand_check, "@"},
};

constexpr size_t kNumCommandLines = sizeof kCommandLines / sizeof *kCommandLines;

// These start programs, or talk to an agent. mcp_fuzz is about the command mcp, which runs others.
constexpr Command kOtherCommands[] = {kCommand_run,      kCommand_attach, kCommand_stop,
                                      kCommand_set,      kCommand_status, kCommand_flush,
                                      kCommand_snapshot, kCommand_mcp};

constexpr bool IsListed(Command command) {
  for (const CommandLine &line : kCommandLines) {
    if (line.command == command) return true;
  }
  for (Command other : kOtherCommands) {
    if (other == command) return true;
  }
  return false;
}

#define COMMAND(name, help) \
  static_assert(IsListed(kCommand_##name), "add a line of orca " #name " to kCommandLines");
#include "tools/orca/cmd/commands.def"
#undef COMMAND
