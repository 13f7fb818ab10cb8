#pragma once
// Runs the checker over a dump of dump_files.h, and over dumps that are broken in one way each.
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/dump_files.h"
#include "tools/orca/check/check.h"

// What the checker finds, as the lines that `orca check` prints.
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

// A dump that is broken in one way, and the one line that must be said.
struct Broken {
  enum rule rule;
  const char *said;
  std::function<void(DumpFiles *)> how;
};

inline std::function<void(DumpFiles *)> Replaced(enum dump_file file, std::string from,
                                                 std::string to) {
  return [=](DumpFiles *files) { files->Replace(file, from, to); };
}

// One more event, and the count of .info with it.
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

// Each of the dumps must be refused in just these words, and every rule from `first` to `last` must
// have one.
inline void ExpectRefusals(enum rule first, enum rule last, const std::vector<Broken> &dumps) {
  std::set<int> tried;
  for (const Broken &broken : dumps) {
    DumpFiles files;
    WriteGoodDump(&files);
    broken.how(&files);
    Found found = Check(files);
    EXPECT_EQ(Joined(found.lines), broken.said);
    EXPECT_EQ(found.kinds, std::vector<std::string>{rule_infos[broken.rule].id});
    tried.insert(broken.rule);
  }
  for (int rule = first; rule <= last; rule++) {
    EXPECT_EQ(tried.count(rule), 1u) << rule_infos[rule].id;
  }
}
