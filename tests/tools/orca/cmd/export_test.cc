#include "tools/orca/cmd/commands.h"

#include <regex>
#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/export/format.h"

namespace {

Outcome RunExport(std::vector<std::string> args) {
  args.insert(args.begin(), "export");
  return RunCommand(cmd_export, args);
}

class CmdExport : public testing::Test {
 protected:
  CmdExport() { WriteSmallDump(&files_); }
  ~CmdExport() override { unlink(GetPath().c_str()); }

  std::string GetPath() const { return files_.Folder() + "/exported"; }

  DumpFiles files_;
};

TEST_F(CmdExport, WritesToStdoutOrToAFile) {
  for (const struct export_format &format : export_formats) {
    SCOPED_TRACE(format.name);
    std::vector<std::string> words = {std::string("--format=") + format.name, files_.Prefix()};
    if (format.needs & NEEDS_TABLE) words.push_back("--table=locks");
    Outcome o = RunExport(words);
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out, "");
    words.insert(words.end(), {"-o", GetPath()});
    Outcome to_file = RunExport(words);
    EXPECT_EQ(to_file.status, 0);
    EXPECT_EQ(to_file.out, "");
    EXPECT_EQ(ReadFile(GetPath()), o.out);
  }
}

TEST_F(CmdExport, SupportsValueAndThreads) {
  EXPECT_EQ(
      RunExport({"--format=collapsed", "--value=waits", "--threads", files_.Path(DUMP_EVENTS)}).out,
      "main;com.acme.OrderService.run;java.lang.Object.wait 1500000000\n"
      "main;com.acme.OrderService.run;java.lang.Thread.join 3000000000\n"
      "worker-1;com.acme.Inventory.reserve;java.lang.Thread.sleep 500000000\n");
}

TEST_F(CmdExport, SupportsFilters) {
  EXPECT_EQ(RunExport({"--format=collapsed", "--value=blocked", "--threads", "--thread=worker-1",
                       "--from=1.25", "--to", "9", files_.Prefix()})
                .out,
            "worker-1;com.acme.OrderService.run;com.acme.Inventory.reserve 1500000000\n");
  EXPECT_EQ(RunExport({"--format=collapsed", files_.Prefix(), "--value=waits", "--event=join"}).out,
            "com.acme.OrderService.run;java.lang.Thread.join 3000000000\n");
  Outcome nobody = RunExport({"--format=collapsed", "--thread=wrker-1", files_.Prefix()});
  EXPECT_EQ(nobody.status, 1);
  EXPECT_EQ(nobody.out, "");
  EXPECT_TRUE(Has(nobody.err, "export: no thread is wrker-1; there are worker-1")) << nobody.err;
}

TEST_F(CmdExport, WritesTables) {
  for (const char *table : {"runs", "waits", "samples", "locks", "threads", "stacks"}) {
    std::vector<std::string> words = {"--format=tsv", std::string("--table=") + table,
                                      "--label=service=shop", files_.Prefix()};
    Outcome o = RunExport(words);
    EXPECT_EQ(o.status, 0) << table;
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(o.out.find("host\tservice\tversion\trun\t"), 0u) << o.out;
    EXPECT_TRUE(Has(o.out, "\n\tshop\t\t2026-11-20T11:37:36.123456789Z-4711\t")) << o.out;
    words.insert(words.end(), {"-o", "/dev/full"});
    Outcome full = RunExport(words);
    EXPECT_EQ(full.status, 1) << table;
    EXPECT_EQ(full.err, "orca: export: cannot write /dev/full: No space left on device\n");
  }
}

TEST_F(CmdExport, TablesHaveOnlyTheRowsThatMatch) {
  Outcome o = RunExport({"--format=tsv", "--table=waits", "--thread=worker-1", "--from=1.25",
                         "--to=9", "--label=run=r", files_.Prefix()});
  EXPECT_EQ(CountLines(o.out), 5) << o.out;
  /* The part of the first wait in the range. */
  EXPECT_TRUE(Has(o.out, "\t\t\tr\t1795174657373456789\t250000000\tMonitorContendedEnter\t"))
      << o.out;
}

TEST_F(CmdExport, ATableNeedsTheStart) {
  files_.Remove(DUMP_INFO);
  Outcome o = RunExport({"--format=tsv", "--table=waits", files_.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_TRUE(Has(o.err, "the recording does not tell its start.utc")) << o.err;
}

// Returns the lines about an option in the help, as one.
std::string FindHelp(const std::string &help, const std::string &option) {
  size_t at = help.find("\n  " + option + " "), end = help.find("\n  -", at + 1);
  EXPECT_NE(at, std::string::npos) << option;
  return std::regex_replace(help.substr(at, end - at), std::regex("\\s+"), " ");
}

TEST_F(CmdExport, NamesTheFormatsInItsHelp) {
  const std::string help = RunExport({"--help"}).out;
  const struct {
    const char *option;
    unsigned needs;
  } rows[] = {{"--value", NEEDS_VALUE}, {"--threads", NEEDS_THREADS}, {"--label", NEEDS_TABLE}};
  for (const struct export_format &format : export_formats) {
    EXPECT_TRUE(Has(help, std::string("\n  --format ") + format.name)) << format.name;
    for (const auto &row : rows) {
      const std::regex named(" for ([a-z0-9_]+(, | and ))*" + std::string(format.name) + "[ ,:;]");
      bool is_named = std::regex_search(FindHelp(help, row.option), named);
      EXPECT_EQ(is_named, (format.needs & row.needs) != 0) << row.option << " " << format.name;
    }
  }
}

TEST_F(CmdExport, RefusesOptionsThatTheFormatDoesNotTake) {
  const struct {
    const char *option;
    unsigned needs;
    const char *says;
  } rows[] = {{"--value=cpu", NEEDS_VALUE, "--value is not supported by the format "},
              {"--threads", NEEDS_THREADS, "--threads is not supported by the format "},
              {"--thread=main", NEEDS_MODEL, "filters are not supported by the format "},
              {"--table=waits", NEEDS_TABLE, "--table is not supported by the format "},
              {"--label=host=a", NEEDS_TABLE, "--label is not supported by the format "}};
  for (const struct export_format &format : export_formats) {
    for (const auto &row : rows) {
      if (format.needs & row.needs) continue;
      Outcome o = RunExport({std::string("--format=") + format.name, row.option, "x"});
      EXPECT_EQ(o.status, 2) << row.option;
      EXPECT_EQ(o.out, "");
      EXPECT_TRUE(Has(o.err, row.says + std::string(format.name))) << o.err;
    }
  }
}

TEST_F(CmdExport, RefusesWrongUse) {
  std::string formats;
  for (const struct export_format &format : export_formats)
    formats += format.name + std::string(", ");
  const struct {
    std::vector<std::string> args;
    std::string says;
  } cases[] = {
      {{}, "which recording? PREFIX is missing"},
      {{"x"}, "--format=FORMAT is missing"},
      {{"--format=frob", "x"}, "--format takes " + formats + "not frob"},
      {{"--format=collapsed", "--top=3", "x"}, "there is no option --top=3"},
      {{"--format=tsv", "x"}, "which table? --table=TABLE is missing for the format tsv"},
      {{"--format=tsv", "--table=frob", "x"},
       "--table takes runs, waits, samples, locks, threads, stacks, not frob"},
      {{"--format=tsv", "--table=waits", "--label=host", "x"}, "such as host=web-1; not host"},
      {{"--format=tsv", "--table=waits", "--label", "Host=a", "x"}, "not Host=a"},
      {{"--format=tsv", "--table=waits", "--label=line=a", "x"},
       "a column of the tables has the name of the label line=a"},
      {{"--format=tsv", "--table=waits", "--label=host=a", "--label=host=b", "x"},
       "this label is given twice: host=b"}};
  for (const auto &c : cases) {
    Outcome o = RunExport(c.args);
    EXPECT_EQ(o.status, 2) << c.says;
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(o.err.find("orca: "), 0u) << o.err;
    EXPECT_TRUE(Has(o.err, c.says)) << o.err;
  }
}

}  // namespace
