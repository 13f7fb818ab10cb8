#pragma once
// The command lines that views_fuzz runs: one of each command that reads a recording, one of each
// format and table of `orca export`, and those with options that change what a command does.
#include <cstddef>

#include "tools/orca/cmd/commands.h"

struct CommandLine {
  enum command_id command;
  // After the command: its operands, or words in which '@' is the prefix of the recording.
  const char *words;
};

constexpr CommandLine kCommandLines[] = {
#define COMMAND(name, operands, summary) {COMMAND_##name, operands},
#include "tools/orca/cmd/commands.def"
#undef COMMAND
#define FORMAT(id, needs, help) {COMMAND_export, "--format=" #id " -o - @"},
#include "tools/orca/export/format.def"
#define TABLE(id, help) {COMMAND_export, "--format=tsv --label=host=a --table=" #id " @"},
#include "tools/orca/export/tsv_table.def"
    {COMMAND_report, "--format=json --from=10% --to=90% @"},
    {COMMAND_report, "--format=csv --class=*a* --lock=* @"},
    {COMMAND_html, "-o - @"},
    {COMMAND_html, "-o - @ @"},
    {COMMAND_hot, "--tree --by-thread --least=0% @"},
    {COMMAND_hot, "--wall --callers=* --thread=*1 @"},
    {COMMAND_locks, "--stack --by-class @"},
    {COMMAND_locks, "--all @"},
    {COMMAND_locks, "--format=json @"},
    {COMMAND_path, "--thread=* --from=10% --to=90% --format=json @"},
    {COMMAND_path, "--calls=* @"},
    {COMMAND_path, "--tasks --format=csv @"},
    {COMMAND_deadlocks, "--at=50% @"},
    {COMMAND_threads, "--all @"},
    {COMMAND_log, "--stack @"},
    {COMMAND_log, "--format=csv --around=1 --within=1h @"},
    {COMMAND_top, "--once @"},
    {COMMAND_top, "--format=json --window=3 @"},
    {COMMAND_metrics, "--follow --top=1 --label=host=a @"},
    {COMMAND_diff, "--format=json --fail-on=lock+1% @ @"},
    {COMMAND_budget, "/dev/null @ --format=json"},
    {COMMAND_budget, "/dev/null @ --junit=- --markdown=- --sarif=-"},
    {COMMAND_budget, "--update --accept @.budget @"},
    {COMMAND_collect, "--build_event_json_file=@.json"},
    {COMMAND_collect, "--build_event_json_file=@.json --format=json --html=-"},
    {COMMAND_digest, "-o - @"},
    {COMMAND_whatif, "--plan @"},
    {COMMAND_whatif, "--drop=* --shrink=*=50% --faster=*=30% --cpus=8 @"},
    {COMMAND_whatif, "--pool=*=2x @"},
    {COMMAND_whatif, "--outside=*:*a* --readers=*:*a* --split=*=4 --format=json @"},
    {COMMAND_pack, "-o - @"},
};

constexpr size_t kNumCommandLines = sizeof kCommandLines / sizeof *kCommandLines;
