// Recordings that consist of several sets of files (maxsize, keep).
#include <sys/resource.h>

#include <algorithm>

#include "agent/files/dump_file.h"
#include "tests/agent/writer/writer_case.h"

namespace {

class WriterSetsTest : public WriterTest {
 protected:
  void SetUp() override {
    WriterTest::SetUp();
    session_->options.maxsize = 64 << 10;
  }

  // Returns the prefixes of the sets, oldest first.
  Lines ListSets() const { return ListSetsOf(session_->prefix); }
  static Lines ListSetsOf(const std::string &base) {
    Lines sets;
    for (unsigned number = 1; number < 10000; number++) {
      char text[16];
      snprintf(text, sizeof text, ".%04u", number);
      std::string prefix = base + text;
      if (std::filesystem::exists(prefix + ".orca")) sets.push_back(prefix);
    }
    if (std::filesystem::exists(base + ".orca")) sets.push_back(base);
    return sets;
  }
  static std::string FormatHash(uint32_t hash) {
    char text[16];
    snprintf(text, sizeof text, "%08X", hash);
    return text;
  }
  static int64_t ReadInfoNumber(const std::string &set, const std::string &key) {
    for (const std::string &line : SplitFile(ReadFile(set + ".info"))) {
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
    PushRecord(r);
  }
  void DefineThread(uint32_t thread) {
    char body[32];
    snprintf(body, sizeof body, "%08X,000000C1\n", thread);
    Define(&session_->objects, body);
  }
};

TEST_F(WriterSetsTest, WritesEachEventToExactlyOneSet) {
  StartRecording();
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; t++) {
    threads.emplace_back([this, t] {
      struct record r = {};
      r.event = EVENT_THREAD_SLEPT;
      for (uint32_t i = 0; i < 5000; i++) {
        r.thread = (t + 1) << 16 | i;
        DefineThread(r.thread);
        PushRecord(r, t % 2);
      }
    });
  }
  for (std::thread &t : threads) t.join();
  ASSERT_TRUE(StopRecording());
  ASSERT_GT(ListSets().size(), 10u);
  std::set<uint32_t> seen;
  ticks_t last = 0;
  for (const std::string &set : ListSets()) {
    std::set<std::string> objects;
    for (const std::string &line : RemoveTimes(SplitFile(ReadFile(set + ".objects")))) {
      EXPECT_TRUE(objects.insert(line.substr(0, 8)).second) << line;
    }
    Lines lines = SplitFile(ReadFile(set + ".orca"));
    EXPECT_EQ(ReadInfoNumber(set, "events.written"), static_cast<int64_t>(lines.size()));
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

// Their producers leave it to the writer.
TEST_F(WriterSetsTest, DefinesATaskInEachSetThatNamesIt) {
  StartRecording();
  DefineThread(0xB);
  struct record r = {};
  r.thread = 0xB;
  r.owner = 0xC1;
  for (uint32_t i = 0; i < 5000; i++) {
    r.object = 0x10000 + i / 2;
    r.event = i % 2 == 0 ? EVENT_TASK_QUEUED : EVENT_TASK_TAKEN;
    PushRecord(r);
  }
  ASSERT_TRUE(StopRecording());
  ASSERT_GT(ListSets().size(), 3u);
  int events = 0;
  for (const std::string &set : ListSets()) {
    std::set<std::string> objects;
    for (const std::string &line : RemoveTimes(SplitFile(ReadFile(set + ".objects"))))
      EXPECT_TRUE(objects.insert(line.substr(0, 8)).second) << line;
    for (const std::string &line : SplitFile(ReadFile(set + ".orca"))) {
      struct event_line e;
      ASSERT_EQ(event_line_read({line.data(), line.size()}, &e), nullptr) << line;
      EXPECT_EQ(objects.count(FormatHash(e.object)), 1u) << line;
      events++;
    }
  }
  EXPECT_EQ(events, 5000);
}

TEST_F(WriterSetsTest, MakesSetsAsLargeAsMaxsize) {
  StartRecording();
  DefineThread(0xA);
  for (int i = 0; i < 20000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(StopRecording());
  Lines sets = ListSets();
  ASSERT_GT(sets.size(), 5u);
  sets.pop_back();
  for (const std::string &set : sets) {
    uintmax_t size = 0;
    for (const char *suffix :
         {".orca", ".methods", ".classtable", ".objects", ".samples", ".counts", ".info"}) {
      size += std::filesystem::file_size(set + suffix);
    }
    EXPECT_GE(size, session_->options.maxsize);
    EXPECT_LE(size, session_->options.maxsize + 1000);  // plus the end of .info
  }
}

TEST_F(WriterSetsTest, StartsEachSetWithTheStateBeforeIt) {
  static struct stack parked = MakeSharedStack("1;00000001;00000000");  // never freed
  StartRecording();
  Define(&session_->classes, "000000C1,LA;,\n");
  Define(&session_->methods, "00000001,f,()V,000000C1,-1\n");
  DefineThread(0xA);
  DefineThread(0xB);
  PushStarted(0xA, "one");
  PushStarted(0xB, "two");
  struct record tick = {};
  tick.kind = RECORD_TICK;
  tick.u.tick = {1, 5, 2};
  PushRecord(tick);
  PushSample(0xA, &parked);
  for (int i = 0; i < 3000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xB);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  for (int i = 0; i < 3000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(StopRecording());
  Lines sets = ListSets();
  ASSERT_GE(sets.size(), 4u);
  EXPECT_EQ(ReadInfoNumber(sets[0], "set.threads"), 0);
  EXPECT_EQ(ReadInfoNumber(sets[1], "set.threads"), 2);
  EXPECT_EQ(ReadInfoNumber(sets.back(), "set.threads"), 1);
  EXPECT_EQ(ReadInfoNumber(sets.back(), "set.number"), static_cast<int64_t>(sets.size()));
  for (size_t i = 1; i < sets.size(); i++) {
    Lines samples = RemoveTimes(SplitFile(ReadFile(sets[i] + ".samples")));
    std::string id = std::to_string(i + 1);  // each set has its own number for the stack
    EXPECT_EQ(samples, (Lines{"Tick,1,0,2", "Stack," + id + ",1;00000001;00000000",
                              "Sample,0000000A,Runnable,0," + id}));
    EXPECT_EQ(ReadInfoNumber(sets[i], "set.samples"), 3);
    EXPECT_EQ(ReadInfoNumber(sets[i], "samples.written"), 1);
    EXPECT_EQ(RemoveTimes(SplitFile(ReadFile(sets[i] + ".classtable"))), Lines{"000000C1,LA;,"});
    EXPECT_EQ(RemoveTimes(SplitFile(ReadFile(sets[i] + ".methods"))),
              Lines{"00000001,f,()V,000000C1,-1"});
    EXPECT_EQ(RemoveTimes(SplitFile(ReadFile(sets[i] + ".orca")))[0], "ThreadStarted,0000000A,one");
  }
}

TEST_F(WriterSetsTest, CountsFromZeroInEachSet) {
  StartRecording();
  int64_t total = 0;
  for (int round = 1; round <= 4; round++) {
    DefineThread(0xA);
    ChangeCount(EVENT_LOCK_ACQUIRED, 0xA, total = round * round * 10);
    for (int i = 0; i < 2500; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
    ASSERT_TRUE(TakeSnapshot());
  }
  ASSERT_TRUE(StopRecording());
  int64_t sum = 0;
  for (const std::string &set : ListSets()) {
    Lines counts = RemoveTimes(SplitFile(ReadFile(set + ".counts")));
    for (const std::string &line : counts) sum += std::stoll(line.substr(line.rfind(',') + 1));
  }
  EXPECT_GT(ListSets().size(), 4u);
  EXPECT_EQ(sum, total);
}

TEST_F(WriterSetsTest, KeepsOnlyTheNewestSets) {
  session_->options.keep = 3;
  StartRecording();
  DefineThread(0xA);
  for (int i = 0; i < 20000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(ListSets().size(), 3u);
  EXPECT_GT(ReadInfoNumber(session_->prefix, "set.number"), 5);
}

// A folder has the name of a file of the finished set.
TEST_F(WriterSetsTest, GoesOnInTheCurrentSetIfItCannotBeFinished) {
  StartRecording();
  DefineThread(0xA);
  std::filesystem::create_directories(session_->prefix + ".0002.objects/x");
  std::string messages = CaptureStderr([&] {
    for (int i = 0; i < 20000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
    EXPECT_TRUE(StopRecording());
  });
  EXPECT_TRUE(session_->is_recording);
  EXPECT_EQ(std::count(messages.begin(), messages.end(), '\n'), 1) << messages;
  EXPECT_NE(messages.find(".0002.objects: File exists; the current set goes on"), std::string::npos)
      << messages;
  std::string info = ReadFile(session_->prefix + ".info");
  EXPECT_NE(info.find("set.number=2\n"), std::string::npos);
  EXPECT_EQ(info.find("end.reason=rotated\n"), std::string::npos);
  EXPECT_NE(info.find("end.reason=exit\n"), std::string::npos);
  EXPECT_GE(ReadInfoNumber(session_->prefix, "sets.delayed"), 1);
  size_t lines = ReadLines(".orca").size() + ReadLines(".0001.orca").size();
  EXPECT_EQ(lines, 20000u);
  EXPECT_EQ(ReadInfoNumber(session_->prefix, "events.written"),
            static_cast<int64_t>(ReadLines(".orca").size()));
}

// Without a descriptor the next set cannot be made. It begins when there is one again.
TEST_F(WriterSetsTest, GoesOnInTheCurrentSetWithoutDescriptors) {
  StartRecording();
  DefineThread(0xA);
  struct rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  struct rlimit none = {3, before.rlim_max};
  std::string messages = CaptureStderr([&] {
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    for (int i = 0; i < 5000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
    EXPECT_FALSE(TakeSnapshot());  // but it writes all records
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  });
  EXPECT_EQ(std::count(messages.begin(), messages.end(), '\n'), 1) << messages;
  EXPECT_NE(messages.find("Too many open files"), std::string::npos) << messages;
  EXPECT_EQ(snapshot_error_, "the current set of files cannot end: Too many open files");
  EXPECT_EQ(ListSets().size(), 1u);
  EXPECT_EQ(ReadLines(".orca").size(), 5000u);
  EXPECT_TRUE(Eventually([&] { return writer_load(session_->writer).sets_delayed >= 1; }));
  EXPECT_TRUE(Eventually([&] {
    PushEvent(EVENT_THREAD_SLEPT, 0xA);
    return ListSets().size() == 2;
  }));
  EXPECT_TRUE(session_->is_recording);
}

// The bound holds while the next set cannot be made: what has no room is counted as dropped.
TEST_F(WriterSetsTest, DropsWhatHasNoRoomWhileTheNextSetCannotBegin) {
  session_->options.keep = 2;
  StartRecording();
  DefineThread(0xA);
  std::ofstream(session_->prefix + ".next.orca") << "of another recording\n";
  CaptureStderr([&] {
    for (int i = 0; i < 20000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
    EXPECT_TRUE(StopRecording());
  });
  size_t lines = ReadLines(".orca").size();
  EXPECT_EQ(ReadInfoNumber(session_->prefix, "events.written"), static_cast<int64_t>(lines));
  EXPECT_EQ(ReadInfoNumber(session_->prefix, "events.dropped"),
            static_cast<int64_t>(20000 - lines));
  EXPECT_LT(lines, 20000u);
  EXPECT_NE(ReadText(".info").find("events.lost="), std::string::npos);
  uintmax_t size = 0;
  for (const char *suffix : file_suffixes)
    size += std::filesystem::file_size(session_->prefix + suffix);
  EXPECT_GE(size, 2 * session_->options.maxsize);
  EXPECT_LE(size, 2 * session_->options.maxsize + 2000);  // plus the end of .info
}

// --- snapshots ------------------------------------------------------------------------------

// A snapshot has all events that were pushed before it, and none twice.
TEST_F(WriterSetsTest, MakesSnapshotsWhileItRecords) {
  StartRecording();
  uint32_t pushed = 0;
  for (int i = 0; i < 5; i++) {
    for (int n = 0; n < 700; n++) {
      DefineThread(++pushed);
      PushEvent(EVENT_THREAD_SLEPT, pushed);
    }
    ASSERT_TRUE(TakeSnapshot()) << snapshot_error_;
    uint32_t next = 0;
    for (const std::string &set : ListSetsOf(snapshot_)) {
      for (const std::string &line : SplitFile(ReadFile(set + ".orca"))) {
        ASSERT_NE(line.find("ThreadSlept," + FormatHash(++next) + ","), std::string::npos) << line;
      }
    }
    EXPECT_EQ(next, pushed);
  }
  EXPECT_TRUE(StopRecording());
  EXPECT_FALSE(TakeSnapshot());
  EXPECT_EQ(snapshot_error_, "nothing is being recorded");
}

TEST_F(WriterSetsTest, SaysThatASnapshotTakesTooLong) {
  StartRecording();
  PushEvent(EVENT_THREAD_SLEPT, 0xA);
  HoldEnd();
  EXPECT_FALSE(TakeSnapshot(NS_PER_S));
  EXPECT_EQ(snapshot_error_, "the snapshot is not finished after 1 s");
  AllowEnd();
  EXPECT_TRUE(Eventually([&] { return ListSetsOf(snapshot_).size() == 1; }));  // it is made later
}

// --- age ------------------------------------------------------------------------------------

class WriterAgeTest : public WriterSetsTest {
 protected:
  void SetUp() override {
    WriterSetsTest::SetUp();
    session_->options.maxsize = 0;
    session_->options.age = 400 * NS_PER_MS;
  }
  // Each line is of a thread of its own.
  void PushSleepers(uint32_t num) {
    for (uint32_t i = 0; i < num; i++) {
      DefineThread(++last_thread_);
      PushEvent(EVENT_THREAD_SLEPT, last_thread_);
    }
  }
  VirtualTime time_{1};  // the writer waits
  uint32_t last_thread_ = 0;
};

// Nothing wakes the writer but the age: the set ends and disappears without an event.
TEST_F(WriterAgeTest, EndsAndDeletesASetWhileNothingHappens) {
  StartRecording();
  PushSleepers(1);
  time_.Advance(session_->options.age / 2);
  EXPECT_EQ(ReadInfoNumber(session_->prefix, "set.number"), 2);
  time_.Advance(session_->options.age / 2);
  EXPECT_EQ(ListSets().size(), 2u);  // its end is younger
  time_.Advance(session_->options.age / 2);
  EXPECT_EQ(ListSets().size(), 1u);
  EXPECT_EQ(ReadInfoNumber(session_->prefix, "set.number"), 2);
  uint64_t wakeups = writer_counts(session_->writer).wakeups;
  time_.Advance(NS_PER_S);
  EXPECT_LE(writer_counts(session_->writer).wakeups, wakeups + 1);  // no reason is left
  EXPECT_TRUE(StopRecording());
  EXPECT_EQ(ReadInfoNumber(session_->prefix, "set.number"), 2);
}

// What is younger than the age is there, in sets of a quarter of the age.
TEST_F(WriterAgeTest, KeepsTheLinesOfTheAge) {
  StartRecording();
  for (int i = 0; i < 150; i++) {
    PushSleepers(2);
    time_.Advance(10 * NS_PER_MS);
  }
  EXPECT_TRUE(StopRecording());
  std::set<uint32_t> threads;
  uint64_t first_ns = UINT64_MAX, last_ns = 0;
  size_t lines = 0;
  for (const std::string &set : ListSets()) {
    for (const std::string &line : SplitFile(ReadFile(set + ".orca"))) {
      size_t name = line.find("ThreadSlept,");
      ASSERT_NE(name, std::string::npos) << line;
      threads.insert(static_cast<uint32_t>(std::stoul(line.substr(name + 12), nullptr, 16)));
      uint64_t time_ns = static_cast<uint64_t>(std::stod(line) * 1e9);
      first_ns = std::min(first_ns, time_ns);
      last_ns = std::max(last_ns, time_ns);
      lines++;
    }
  }
  EXPECT_EQ(threads.size(), lines);  // each is there once
  EXPECT_EQ(*threads.rbegin(), last_thread_);
  EXPECT_EQ(*threads.rbegin() - *threads.begin() + 1, lines);  // none is missing between them
  EXPECT_GE(last_ns - first_ns + 10 * NS_PER_MS, session_->options.age);  // a pause between lines
  EXPECT_GT(*threads.begin(), 1u);
  EXPECT_GE(ListSets().size(), 4u);
}

TEST_F(WriterSetsTest, DeletesTheSetsOfAnEarlierRecording) {
  for (int i = 0; i < 2; i++) {
    StartRecording();
    DefineThread(0xA + i);
    PushStarted(0xA + i, "one");
    for (int j = 0; j < 3000; j++) PushEvent(EVENT_THREAD_SLEPT, 0xA + i);
    ASSERT_TRUE(StopRecording());
  }
  for (const std::string &set : ListSets()) {
    EXPECT_EQ(ReadFile(set + ".orca").find("0000000A"), std::string::npos) << set;
  }
  EXPECT_GE(ListSets().size(), 2u);
}

}  // namespace
