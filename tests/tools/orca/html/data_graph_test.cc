#include "tests/tools/orca/html/page_of.h"

namespace {

std::string Thread(const Json &data, const Json &index) {
  return index.text == "-1" ? "?" : data["threads"].items[index.Integer()].items[0].text;
}

TEST(DataGraph, HasTheWaitersAtTheEnd) {
  SmallModel small;
  Json data = DataOf(small.Read());
  std::string text;
  for (const Json &wait : data["graph"]["open"].items) {
    text += Thread(data, wait["thread"]) + " waits";
    for (const Json &owner : wait["owners"].items) text += " for " + Thread(data, owner.items[0]);
    text += " in ring " + wait["ring"].text + "\n";
  }
  for (const char *line :
       {"worker-1 waits for worker-2 in ring 0\n", "worker-2 waits for worker-1 in ring 0\n",
        "main waits for worker-1 in ring -1\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << text;
  }
  EXPECT_EQ(data["graph"]["rings"].Integer(), 1u);
  EXPECT_EQ(data["graph"]["openAll"].Integer(), 3u);
}

TEST(DataGraph, NamesTheClassThatAThreadWaitsFor) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS,
                     "109.5000000000,ThreadStarted,00000009,user\n"
                     "109.6000000000,ClassInitWait,00000009,000000C1,00000002,0\n");
  Json data = DataOf(small.Read());
  for (const Json &wait : data["graph"]["open"].items) {
    bool is_class = Thread(data, wait["thread"]) == "user";
    EXPECT_EQ(wait.Has("className"), is_class);
    if (!is_class) continue;
    EXPECT_EQ(wait["className"].text, "java.lang.Object");
    EXPECT_EQ(wait["object"].text, "-1");
    EXPECT_EQ(Thread(data, wait["owners"].items.at(0).items[0]), "worker-1");
  }
}

// How many waits can never end, in the small recording with this reason for its end.
size_t HangsWith(const std::string &reason) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=" + reason);
  Json data = DataOf(small.Read());
  EXPECT_EQ(data["graph"]["signal"].text, "false");
  size_t hangs = 0;
  for (const Json &wait : data["graph"]["open"].items) hangs += wait["hangs"].text == "true";
  return hangs;
}

TEST(DataGraph, TellsWhichWaitsCanNeverEnd) {
  EXPECT_EQ(HangsWith("stop"), 3u);
  EXPECT_EQ(HangsWith("exit"), 0u);
}

TEST(DataGraph, HasThePairsOfTheWholeRecording) {
  SmallModel small;
  Json data = DataOf(small.Read());
  const std::vector<Json> &run = data["graph"]["run"].items;
  ASSERT_EQ(run.size(), 2u * 4);
  EXPECT_EQ(Thread(data, run[0]), "worker-1");
  EXPECT_EQ(Thread(data, run[1]), "worker-2");
  EXPECT_EQ(run[2].Integer(), 2u);
  EXPECT_EQ(run[3].Integer(), 2500000000u);
}

TEST(DataGraph, KeepsTheLongestOfManyPairs) {
  SmallModel small;
  std::string lines;
  for (int i = 0; i < 1000; i++) {
    char line[200];
    snprintf(line, sizeof line,
             "109.%03d0000000,MonitorContendedEnter,0000%04X,000000B1,00000003,0\n", i, i + 256);
    lines += line;
  }
  small.files.Append(DUMP_EVENTS, lines);
  Json data = DataOf(small.Read());
  size_t rows = data["graph"]["run"].items.size() / 4;
  EXPECT_EQ(rows, 300u);
  EXPECT_EQ(data["graph"]["openAll"].Integer(), 1003u);
}

}  // namespace
