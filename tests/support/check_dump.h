#pragma once
// Runs the checker of `orca check` on dumps made by dump_files.h, valid ones and ones with one
// fault.
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/dump_files.h"
#include "tools/orca/check/check.h"

// The faults that the checker found: their kinds, and the lines that `orca check` prints.
struct Found {
  std::vector<std::string> kinds, lines;
  struct check_totals totals;
};

inline Found Check(const DumpFiles &files) {
  Found found = {};
  struct builder why = {};
  struct dump *d = dump_open(files.Prefix().c_str(), &why);
  builder_free(&why);
  if (d == nullptr) return found;
  EXPECT_TRUE(check_dump(d, &found.totals));
  const struct faults *f = dump_faults(d);
  for (size_t i = 0; i < f->num; i++) {
    struct builder b = {};
    fault_write(&b, "out", &f->rows[i]);
    found.kinds.push_back(f->rows[i].kind);
    found.lines.emplace_back(b.data, b.len);
    builder_free(&b);
  }
  dump_close(d);
  return found;
}

inline std::string Joined(const std::vector<std::string> &lines) {
  std::string all;
  for (const std::string &line : lines) all += line;
  return all;
}

// A dump with one fault: the rule that it breaks, the line that the checker must print, and the
// function that adds the fault to a valid dump.
struct Broken {
  enum rule rule;
  const char *line;
  std::function<void(DumpFiles *)> add_fault;
};

inline std::function<void(DumpFiles *)> Replaced(enum dump_file file, std::string from,
                                                 std::string to) {
  return [=](DumpFiles *files) { files->Replace(file, from, to); };
}

// The functions Event, Sample and Line append a line. Event and Sample also correct the counts in
// .info.
inline std::function<void(DumpFiles *)> Event(std::string line) {
  return [=](DumpFiles *files) {
    files->Append(DUMP_EVENTS, "200.0000000099," + line + "\n");
    files->Replace(DUMP_INFO, "events.written=21", "events.written=22");
  };
}

inline std::function<void(DumpFiles *)> Sample(std::string line) {
  return [=](DumpFiles *files) {
    files->Append(DUMP_SAMPLES, "200.0000000099," + line + "\n");
    if (line.rfind("Sample", 0) != 0) return;
    files->Replace(DUMP_INFO, "samples.written=5", "samples.written=6");
  };
}

inline std::function<void(DumpFiles *)> Line(enum dump_file file, std::string line) {
  return [=](DumpFiles *files) { files->Append(file, line + "\n"); };
}

// Expects exactly the given line for each dump, and at least one dump for each rule from `first` to
// `last`.
inline void ExpectRefusals(enum rule first, enum rule last, const std::vector<Broken> &dumps) {
  std::set<int> tried;
  for (const Broken &broken : dumps) {
    DumpFiles files;
    WriteGoodDump(&files);
    broken.add_fault(&files);
    Found found = Check(files);
    EXPECT_EQ(Joined(found.lines), broken.line);
    EXPECT_EQ(found.kinds, std::vector<std::string>{rule_infos[broken.rule].id});
    tried.insert(broken.rule);
  }
  for (int rule = first; rule <= last; rule++) {
    EXPECT_EQ(tried.count(rule), 1u) << rule_infos[rule].id;
  }
}
