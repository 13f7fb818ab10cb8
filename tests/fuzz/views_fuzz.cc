// Runs the commands of `orca` on arbitrary bytes as the files of a dump. No command may crash. Each
// must return 0 or 1, 2 if it does not apply to the dump, or 3 if a budget is broken.
#include <cstdint>
#include <vector>

#include "tests/fuzz/input.h"
#include "tools/orca/cmd/commands.h"

namespace {

struct CommandLine {
  int (*command)(int argc, char **argv);
  std::vector<std::string> words;
};

const std::vector<CommandLine> &ListCommandLines() {
  static const std::vector<CommandLine> lines = {
      {cmd_report, {"report"}},
      {cmd_report, {"report", "--format=json", "--from=10%", "--to=90%"}},
      {cmd_report, {"report", "--format=csv", "--class=*a*", "--lock=*"}},
      {cmd_hot, {"hot", "--tree", "--by-thread", "--least=0%"}},
      {cmd_hot, {"hot", "--wall", "--callers=*", "--thread=*1"}},
      {cmd_locks, {"locks", "--stack", "--by-class"}},
      {cmd_locks, {"locks", "--all"}},
      {cmd_locks, {"locks", "--format=json"}},
      {cmd_deadlocks, {"deadlocks", "--at=50%"}},
      {cmd_waits, {"waits"}},
      {cmd_threads, {"threads"}},
      {cmd_threads, {"threads", "--all"}},
      {cmd_log, {"log", "--stack"}},
      {cmd_log, {"log", "--format=csv", "--around=1", "--within=1h"}},
      {cmd_methods, {"methods"}},
      {cmd_html, {"html", "-o", "-"}},
      {cmd_html, {"html", "-o", "-", InputPrefix()}},
      {cmd_whatif, {"whatif", "--plan"}},
      {cmd_whatif, {"whatif", "--drop=*", "--shrink=*=50%", "--faster=*=30%", "--cpus=8"}},
      {cmd_whatif, {"whatif", "--pool=*=2x"}},
      {cmd_whatif,
       {"whatif", "--outside=*:*a*", "--readers=*:*a*", "--split=*=4", "--format=json"}},
      {cmd_export, {"export", "--format=collapsed", "-o", "-"}},
      {cmd_export, {"export", "--format=speedscope", "-o", "-"}},
      {cmd_export, {"export", "--format=perfetto", "-o", "-"}},
      {cmd_export, {"export", "--format=pprof", "-o", "-"}},
      {cmd_export, {"export", "--format=metalog", "-o", "-"}},
      {cmd_export, {"export", "--format=tsv", "--table=runs", "--label=host=a"}},
      {cmd_export, {"export", "--format=tsv", "--table=waits"}},
      {cmd_export, {"export", "--format=tsv", "--table=samples"}},
      {cmd_export, {"export", "--format=tsv", "--table=locks"}},
      {cmd_export, {"export", "--format=tsv", "--table=threads"}},
      {cmd_export, {"export", "--format=tsv", "--table=stacks"}},
      {cmd_check, {"check"}},
      {cmd_budget, {"budget", "/dev/null", "--format=json"}},
      {cmd_diff, {"diff", InputPrefix()}},
      {cmd_digest, {"digest", "-o", "-"}},
  };
  return lines;
}

void RunCommand(const CommandLine &line) {
  std::vector<std::string> words = line.words;
  std::vector<char *> argv;
  words.push_back(InputPrefix());
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int status = line.command(static_cast<int>(words.size()), argv.data());
  if (status < 0 || status > 3) abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  WriteInput({reinterpret_cast<const char *>(data), size});
  for (const CommandLine &line : ListCommandLines()) RunCommand(line);
  return 0;
}
