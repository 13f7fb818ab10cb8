#include "tools/orca/cmd/view_command.h"

#include <string>
#include <vector>

#include "tests/support/json.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

// A view that prints the number of threads, rows and --wish options.
void AppendView(struct page *p, struct model *m, size_t top, const void *wish) {
  if (!page_is_text(p)) return;
  std::string text = std::to_string(m->threads.num) + " threads, top " +
                     (top == SIZE_MAX ? "all" : std::to_string(top)) + ", wish " +
                     std::to_string(*static_cast<const int *>(wish)) + "\n";
  builder_string(&p->out, text.c_str());
}

bool CountWish(const char *, void *wish) {
  ++*static_cast<int *>(wish);
  return true;
}

bool RefuseWish(const char *, void *) { return false; }

constexpr struct args_option kOptions[] = {
    {"--wish", nullptr, "one more wish", CountWish, 0, nullptr},
    {"--no", nullptr, nullptr, RefuseWish, 0, "no wish is "}};

// At most two --wish options are allowed.
bool CheckOptions(const struct call *call, struct refusal *why) {
  return *static_cast<const int *>(call->options) <= 2 ||
         refuse(why, "two wishes at most, not %s", "so many");
}

constexpr int kNoWish = 0;

class ViewCommand : public testing::Test {
 protected:
  ViewCommand() {
    WriteSmallDump(&files_);
    peek_.about = "Looks.\n";
    peek_.options = {kOptions, 2};
    peek_.defaults = &kNoWish;
    peek_.size = sizeof kNoWish;
    peek_.check = CheckOptions;
    peek_.run = view_command_run;
    peek_.view.top = 10;
    peek_.view.append = AppendView;
  }
  Outcome Peek(std::vector<std::string> words) {
    words.insert(words.begin(), "peek");
    return RunRow({"peek", "PREFIX", "", &peek_}, words);
  }

  DumpFiles files_;
  struct command peek_ = {};
};

// The JSON of a view that wrote nothing: the version, and where it comes from.
void ExpectNoTable(const std::string &out) {
  Json json = JsonReader(out).Read();
  EXPECT_EQ(json.members.size(), 2u) << out;
  EXPECT_EQ(json["schema"].text, "2");
  EXPECT_EQ(json["source"]["options"]["interval"].text, "20ms");
}

TEST_F(ViewCommand, PrintsTheView) {
  Outcome o = Peek({files_.Prefix()});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, "4 threads, top 10, wish 0\n");
  EXPECT_EQ(o.err, "");
}

TEST_F(ViewCommand, TakesItsOwnAndSharedOptions) {
  EXPECT_EQ(Peek({"--wish", "--top=3", "--thread", "worker-*", "--wish", files_.Prefix()}).out,
            "2 threads, top 3, wish 2\n");
  ExpectNoTable(Peek({"--format", "json", files_.Prefix()}).out);
}

TEST_F(ViewCommand, TakesOptionsBeforeAndAfterThePrefix) {
  EXPECT_EQ(Peek({"--wish", files_.Prefix(), "--top=3", "--thread", "worker-*"}).out,
            "2 threads, top 3, wish 1\n");
}

// A command that prints without a page.
int ShowDump(const struct call *call, struct view_side *side) {
  if (view_command_read_model(call, side) != VIEW_FOUND) return 1;
  printf("%zu threads\n", side->model.threads.num);
  return 0;
}

Outcome RunFile(std::vector<std::string> words) {
  struct command command = {};
  command.about = "Counts.\n";
  command.run = view_command_run;
  command.view.has_no_tables = true;
  command.view.show = ShowDump;
  words.insert(words.begin(), "file");
  return RunRow({"file", "PREFIX", "", &command}, words);
}

TEST_F(ViewCommand, SupportsCommandsWithoutTables) {
  Outcome o = RunFile({"--thread=worker-*", files_.Prefix()});
  EXPECT_EQ(o.out, "2 threads\n");
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(RunFile({"--top=3", files_.Prefix()}).status, 2);
  EXPECT_EQ(RunFile({"--help"}).out.find("--top"), std::string::npos);
  files_.Append(DUMP_EVENTS, "rubbish\n");
  o = RunFile({"--thread=nobody", files_.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err.find("orca: file: no thread is nobody; "), 0u) << o.err;
  EXPECT_NE(o.err.find("out.orca:"), std::string::npos);
}

TEST_F(ViewCommand, SaysThatNothingMatches) {
  const char message[] =
      "orca: peek: no thread is wrker-1; there are worker-1, worker-2, poller, main\n";
  Outcome o = Peek({"--thread", "wrker-1", files_.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, message);
  o = Peek({"--thread", "wrker-1", "--format=json", files_.Prefix()});
  EXPECT_EQ(o.status, 1);
  ExpectNoTable(o.out);  // CSV and JSON have empty tables
  EXPECT_EQ(o.err, message);
  o = Peek({"--thread", "wrker-1", "--thread=worker-1", files_.Prefix()});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, "1 threads, top 10, wish 0\n");
  EXPECT_EQ(o.err, message);
}

// There is no event from 8.1 s to 8.4 s, but worker-1 is blocked.
TEST_F(ViewCommand, FindsAPairThatSpansATimeWithoutLines) {
  Outcome o = Peek({"--from=8.1", "--to=8.4", "--event=monitor", files_.Prefix()});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, "1 threads, top 10, wish 0\n");
  o = Peek({"--from=7.1", "--to=7.4", "--event=monitor", files_.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err,
            "orca: peek: nothing in the recording matches --event monitor in the selected time\n");
}

TEST_F(ViewCommand, AcceptsHugeNumbersOfRows) {
  EXPECT_EQ(Peek({"--top=9223372036854775807", files_.Prefix()}).out,
            "4 threads, top 9223372036854775807, wish 0\n");
}

TEST_F(ViewCommand, FailsWithABrokenDumpButPrintsTheView) {
  files_.Append(DUMP_EVENTS, "rubbish\n");
  Outcome o = Peek({files_.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "4 threads, top 10, wish 0\n");
  EXPECT_EQ(o.err, "orca: peek: " + files_.Path(DUMP_EVENTS) +
                       ":23: the timestamp is not seconds with ten decimals\n");
}

TEST_F(ViewCommand, PrintsTheUsage) {
  Outcome o = Peek({"--help"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out.find("usage: orca peek [OPTION...] PREFIX\n\nLooks.\n\n"), 0u) << o.out;
  EXPECT_NE(o.out.find("--thread PATTERN"), std::string::npos);
  EXPECT_NE(o.out.find("  --wish             one more wish\n"), std::string::npos) << o.out;
  EXPECT_EQ(o.out.find("--no"), std::string::npos);
}

TEST_F(ViewCommand, ShowsSeveralRecordingsOneAfterTheOther) {
  const struct command_row row = {"peek", "PREFIX...", "", &peek_};
  std::string view = Peek({files_.Prefix()}).out, name = files_.Prefix();
  Outcome o = RunRow(row, {"peek", name, "/no/such/dump", name});
  EXPECT_EQ(o.status, 2) << "of the one that is not there";
  EXPECT_TRUE(Has(o.err, "no recording at /no/such/dump")) << o.err;
  EXPECT_EQ(o.out, "Recording " + name + "\n" + view + "\nRecording /no/such/dump\n\nRecording " +
                       name + "\n" + view);
  EXPECT_EQ(RunRow(row, {"peek", name}).out, view);
  o = RunRow(row, {"peek", "--format=json", name, name});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err, "orca: peek: csv and json describe one recording\n");
  EXPECT_EQ(o.out, "");
}

TEST_F(ViewCommand, RefusesWrongUse) {
  const struct {
    std::vector<std::string> words;
    const char *message;
  } cases[] = {
      {{}, "PREFIX is missing"},
      {{"--frob", "x"}, "there is no option --frob"},
      {{"--no", "x"}, "no wish is --no"},
      {{"--wish", "--wish", "--wish", "x"}, "peek: two wishes at most, not so many"},
      {{"--top"}, "a value is missing after --top"},
      {{"x", "y"}, "there is an extra argument: y"},
      {{"--from", "99", files_.Prefix()},
       "peek: the time 99 is after the end: the recording "
       "lasted 10.0 s"},
      {{"--top=0", "x"}, "peek: --top takes a number from 1, not 0; see orca peek --help"},
      {{"--top=99999999999999999999", "x"},
       "peek: --top takes a number from 1, not 99999999999999999999; see orca"},
      {{"--from", "3", "--to", "2", files_.Prefix()}, "peek: --from 3 has to be before --to 2\n"},
      {{"--within", "1ms", "x"}, "peek: --within needs --around TIME"},
      {{"--around=1", "--to=2", "x"}, "peek: --around cannot be combined with --from or --to; see"},
      {{"/no/such/dump"}, "/no/such/dump"}};
  for (const auto &c : cases) {
    Outcome o = Peek(c.words);
    EXPECT_EQ(o.status, 2) << c.message;
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(o.err.find("orca: "), 0u) << o.err;
    EXPECT_NE(o.err.find(c.message), std::string::npos) << o.err;
  }
}

}  // namespace
