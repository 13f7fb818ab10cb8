// Recordings in sets of files (maxsize, keep), by the writer as a whole.
#include "tests/agent/writer/writer_case.h"

namespace {

class WriterSetsTest : public WriterTest {
 protected:
  void SetUp() override {
    WriterTest::SetUp();
    session_->maxsize = 64 << 10;
  }

  // The prefixes of the sets, in order.
  Lines Sets() const {
    Lines sets;
    for (unsigned number = 1; number < 10000; number++) {
      char text[16];
      snprintf(text, sizeof text, ".%04u", number);
      std::string prefix = session_->prefix + text;
      if (std::filesystem::exists(prefix + ".orca")) sets.push_back(prefix);
    }
    sets.push_back(session_->prefix);
    return sets;
  }
  static int64_t InfoOf(const std::string &set, const std::string &key) {
    for (const std::string &line : Split(ReadAll(set + ".info"))) {
      if (line.rfind(key + "=", 0) == 0) return std::stoll(line.substr(key.size() + 1));
    }
    return -1;
  }
  void PushStarted(uint32_t thread, const char *name) {
    struct record r = {};
    r.event = EVENT_THREAD_STARTED;
    r.thread = thread;
    r.u.name.text = strdup(name);
    r.u.name.len = strlen(name);
    Push(r);
  }
  void DefineThread(uint32_t thread) {
    char body[32];
    snprintf(body, sizeof body, "%08X,000000C1\n", thread);
    Define(&session_->objects, body);
  }
};

TEST_F(WriterSetsTest, NothingIsLostOrTwiceAtTheSeams) {
  Start();
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; t++) {
    threads.emplace_back([this, t] {
      struct record r = {};
      r.event = EVENT_THREAD_SLEPT;
      for (uint32_t i = 0; i < 5000; i++) {
        r.thread = (t + 1) << 16 | i;
        DefineThread(r.thread);
        Push(r, t % 2);
      }
    });
  }
  for (std::thread &t : threads) t.join();
  ASSERT_TRUE(Stop());
  ASSERT_GT(Sets().size(), 10u);
  std::set<uint32_t> seen;
  ticks_t last = 0;
  for (const std::string &set : Sets()) {
    std::set<std::string> objects;
    for (const std::string &line : WithoutTimes(Split(ReadAll(set + ".objects")))) {
      EXPECT_TRUE(objects.insert(line.substr(0, 8)).second) << line;
    }
    Lines lines = Split(ReadAll(set + ".orca"));
    EXPECT_EQ(InfoOf(set, "events.written"), static_cast<int64_t>(lines.size()));
    for (const std::string &line : lines) {
      struct event_line e;
      ASSERT_EQ(event_line_read({line.data(), line.size()}, &e), nullptr) << line;
      ASSERT_GT(e.time, last);
      last = e.time;
      EXPECT_TRUE(seen.insert(e.thread).second) << line;
      EXPECT_EQ(objects.count(line.substr(line.rfind(',', line.rfind(',') - 1) + 1, 8)), 1u)
          << line;
    }
  }
  EXPECT_EQ(seen.size(), 20000u);
  EXPECT_EQ(writer_counts(session_->writer).events, 20000u);
}

TEST_F(WriterSetsTest, ASetIsAboutAsLargeAsIsAskedFor) {
  Start();
  DefineThread(0xA);
  for (int i = 0; i < 20000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(Stop());
  Lines sets = Sets();
  ASSERT_GT(sets.size(), 5u);
  sets.pop_back();
  for (const std::string &set : sets) {
    uintmax_t size = 0;
    for (const char *suffix :
         {".orca", ".methods", ".classtable", ".objects", ".samples", ".counts", ".info"}) {
      size += std::filesystem::file_size(set + suffix);
    }
    EXPECT_GE(size, session_->maxsize);
    EXPECT_LE(size, session_->maxsize + 1000);  // with the end of .info
  }
}

TEST_F(WriterSetsTest, ASetBeginsWithWhatStands) {
  static struct stack parked = SharedStack("1;00000001;00000000");  // immortal
  Start();
  Define(&session_->classes, "000000C1,LA;,\n");
  Define(&session_->methods, "00000001,f,()V,000000C1,-1\n");
  DefineThread(0xA);
  DefineThread(0xB);
  PushStarted(0xA, "one");
  PushStarted(0xB, "two");
  struct record tick = {};
  tick.kind = RECORD_TICK;
  tick.u.tick = {1, 5, 2};
  Push(tick);
  PushSample(0xA, &parked);
  for (int i = 0; i < 3000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xB);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  for (int i = 0; i < 3000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(Stop());
  Lines sets = Sets();
  ASSERT_GE(sets.size(), 4u);
  EXPECT_EQ(InfoOf(sets[0], "set.threads"), 0);
  EXPECT_EQ(InfoOf(sets[1], "set.threads"), 2);
  EXPECT_EQ(InfoOf(sets.back(), "set.threads"), 1);
  EXPECT_EQ(InfoOf(sets.back(), "set.number"), static_cast<int64_t>(sets.size()));
  for (size_t i = 1; i < sets.size(); i++) {
    Lines samples = WithoutTimes(Split(ReadAll(sets[i] + ".samples")));
    std::string id = std::to_string(i + 1);  // a number of its own
    EXPECT_EQ(samples, (Lines{"Tick,1,0,2", "Stack," + id + ",1;00000001;00000000",
                              "Sample,0000000A,Runnable,0," + id}));
    EXPECT_EQ(InfoOf(sets[i], "set.samples"), 3);
    EXPECT_EQ(InfoOf(sets[i], "samples.written"), 1);
    EXPECT_EQ(WithoutTimes(Split(ReadAll(sets[i] + ".classtable"))), Lines{"000000C1,LA;,"});
    EXPECT_EQ(WithoutTimes(Split(ReadAll(sets[i] + ".methods"))),
              Lines{"00000001,f,()V,000000C1,-1"});
    EXPECT_EQ(WithoutTimes(Split(ReadAll(sets[i] + ".orca")))[0], "ThreadStarted,0000000A,one");
  }
}

TEST_F(WriterSetsTest, CountsBeginAnewInEachSet) {
  Start();
  int64_t in_all = 0;
  for (int round = 1; round <= 4; round++) {
    DefineThread(0xA);
    Change(EVENT_LOCK_ACQUIRED, 0xA, in_all = round * round * 10);
    for (int i = 0; i < 2500; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
    ASSERT_TRUE(writer_flush(session_->writer, 10 * NS_PER_S));
  }
  ASSERT_TRUE(Stop());
  int64_t sum = 0;
  for (const std::string &set : Sets()) {
    Lines counts = WithoutTimes(Split(ReadAll(set + ".counts")));
    if (!counts.empty()) sum += std::stoll(counts.back().substr(counts.back().rfind(',') + 1));
  }
  EXPECT_GT(Sets().size(), 4u);
  EXPECT_EQ(sum, in_all);
}

TEST_F(WriterSetsTest, OnlyTheNewestAreKept) {
  session_->keep = 3;
  Start();
  DefineThread(0xA);
  for (int i = 0; i < 20000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(Stop());
  EXPECT_EQ(Sets().size(), 3u);
  EXPECT_GT(InfoOf(session_->prefix, "set.number"), 5);
}

// A folder of that name is in the way: recording stops, and what is there stays right.
TEST_F(WriterSetsTest, WhereASetCannotBeFinishedRecordingStopsWithOneLine) {
  Start();
  DefineThread(0xA);
  std::filesystem::create_directories(session_->prefix + ".0002.objects/x");
  std::string said = Stderr([&] {
    for (int i = 0; i < 20000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
    EXPECT_TRUE(Stop());
  });
  EXPECT_EQ(session_->failures, 1);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_NE(said.find("orca: cannot write " + session_->prefix + ".objects: "), std::string::npos)
      << said;
  std::string info = ReadAll(session_->prefix + ".info");
  EXPECT_NE(info.find("set.number=2\n"), std::string::npos);
  EXPECT_NE(info.find("end.reason=error\n"), std::string::npos);
}

TEST_F(WriterSetsTest, TheNextRecordingHasSetsOfItsOwn) {
  for (int i = 0; i < 2; i++) {
    Start();
    DefineThread(0xA + i);
    PushStarted(0xA + i, "one");
    for (int j = 0; j < 3000; j++) PushEvent(EVENT_THREAD_SLEPT, 0xA + i);
    ASSERT_TRUE(Stop());
  }
  for (const std::string &set : Sets()) {
    EXPECT_EQ(ReadAll(set + ".orca").find("0000000A"), std::string::npos) << set;
  }
  EXPECT_GE(Sets().size(), 2u);
}

}  // namespace
