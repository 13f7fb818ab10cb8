#pragma once
/* The files that a recorded program left, the facts that it printed, and what `orca` says of them.
   The commands of `orca` are called in this process, which is quicker than to start it. */
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/json.h"
#include "tests/tools/orca/cmd/command.h"

class Recording {
 public:
  /* `prefix` is that of the files, or a file of orca pack. `out` is what the program printed. */
  Recording(std::string prefix, std::string out)
      : prefix_(std::move(prefix)), out_(std::move(out)) {}

  const std::string &prefix() const { return prefix_; }
  const std::string &out() const { return out_; }

  /* Fact returns VALUE of the line "fact NAME VALUE" that the program printed. Without such a line,
     the test fails. */
  std::string Fact(const std::string &name) const;
  unsigned long long Number(const std::string &name) const;

  /* RunCommand runs `orca COMMAND WORDS PREFIX`. RunView expects success and no message, and
     returns the output. ReadView reads the output as JSON. */
  Outcome RunCommand(const std::string &command, std::vector<std::string> words) const;
  std::string RunView(const std::string &command, const std::vector<std::string> &words = {}) const;
  Json ReadView(const std::string &command, std::vector<std::string> words = {}) const;

  /* ReadPage returns the data of the page. */
  Json ReadPage() const;

  /* ReadSummary returns the section "In short" of the report, as one line. */
  std::string ReadSummary() const;

 private:
  std::string prefix_, out_;
};

/* RunOrca runs `orca WORDS` in this process. */
Outcome RunOrca(const std::vector<std::string> &words);

/* ReadRows returns the rows of CSV without quotes, or of TSV: the cells by the names in the first
   line. */
using Row = std::map<std::string, std::string>;
std::vector<Row> ReadRows(const std::string &text, char separator);

/* FindRow returns the row whose member `key` ends with `tail`. Names of objects end with their
   hash. Without such a row, the test fails. */
const Json &FindRow(const Json &rows, std::string_view key, std::string_view tail);

/* FindMember returns the first member `member` of the rows in which `key` ends with `tail`; "" if
   there is none. */
std::string FindMember(const Json &rows, const std::string &key, const std::string &tail,
                       const std::string &member);
