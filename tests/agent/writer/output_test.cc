#include "agent/writer/output.h"

#include <fcntl.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/meta/stack.h"
#include "tests/agent/writer/in_folder.h"

namespace {

// Without a thread and a queue: records go in, files come out.
class OutputTest : public testing::Test {
 protected:
  OutputTest() {
    std::string path = testing::TempDir() + "/output_XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    folder_ = path;
    for (struct outbox *box : {&classes_, &methods_, &objects_}) outbox_init(box);
    source_.classes = &classes_;
    source_.methods = &methods_;
    source_.objects = &objects_;
    source_.dropped = &dropped_;
    source_.counts = [](void *test, void (*tell)(void *, enum event_kind, uint32_t, uint64_t),
                        void *arg) { static_cast<OutputTest *>(test)->Tell(tell, arg); };
    source_.failed = [](void *test) { static_cast<OutputTest *>(test)->failures_++; };
    source_.end = [](void *, struct builder *info) { info_text(info, "of.the.agent", "1"); };
    source_.forget_objects = [](void *) {};
    source_.arg = this;
    output_.figures = [](void *, struct builder *info) { info_text(info, "of.the.writer", "2"); };
    output_init(&output_);
  }
  ~OutputTest() override {
    output_end(&output_);
    std::filesystem::remove_all(folder_);
  }

  std::string Open() {
    char error[1024] = "";
    bool good = output_open(&output_, (folder_ + "/out").c_str(), error, sizeof error);
    EXPECT_EQ(good, *error == '\0');
    return error;
  }
  void Start() {
    struct info_start start = {"17", "java Main", "out", 1, 2};
    ASSERT_EQ(Open(), "");
    ASSERT_TRUE(output_start(&output_, &source_, &start));
  }
  void PutEvent(enum event_kind kind, uint32_t thread, uint64_t time_ns) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = static_cast<uint8_t>(kind);
    r.thread = thread;
    r.time_ns = time_ns;
    output_put(&output_, &r);
  }
  void PutSample(uint32_t thread, struct stack *stack) {
    struct record r = {};
    r.kind = RECORD_SAMPLE;
    r.thread = thread;
    r.stack = stack;
    r.time_ns = 7;
    output_put(&output_, &r);
  }
  std::string Text(const std::string &suffix) const {
    std::ostringstream text;
    text << std::ifstream(folder_ + "/out" + suffix).rdbuf();
    return text.str();
  }
  bool InfoHas(const std::string &line) const {
    return ("\n" + Text(".info")).find("\n" + line + "\n") != std::string::npos;
  }
  void Tell(void (*tell)(void *, enum event_kind, uint32_t, uint64_t), void *arg) {
    if (counted_ != 0) tell(arg, EVENT_LOCK_ACQUIRED, 0xB, counted_);
    counted_ = 0;
  }

  std::string folder_;
  struct outbox classes_, methods_, objects_;
  uint64_t dropped_ = 0, counted_ = 0;
  int failures_ = 0;
  struct writer_source source_ = {};
  struct output output_ = {};
};

TEST_F(OutputTest, ARecordIsALineOnceItIsFlushed) {
  Start();
  PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  EXPECT_EQ(Text(".orca"), "");
  EXPECT_GT(output_waiting(&output_), 0u);
  output_flush(&output_);
  EXPECT_EQ(Text(".orca"), "0.0000000050,ThreadEnded,0000000A\n");
  EXPECT_EQ(output_waiting(&output_), 0u);
  EXPECT_EQ(output_.events, 1u);
}

TEST_F(OutputTest, TimesAscendStrictly) {
  Start();
  for (int i = 0; i < 3; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  output_flush(&output_);
  EXPECT_EQ(Text(".orca"),
            "0.0000000050,ThreadEnded,0000000A\n"
            "0.0000000051,ThreadEnded,0000000A\n"
            "0.0000000052,ThreadEnded,0000000A\n");
}

TEST_F(OutputTest, LargeOutputGoesToTheFilesByItself) {
  Start();
  for (int i = 0; i < 10000; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  EXPECT_GT(Text(".orca").size(), 200000u);
}

TEST_F(OutputTest, AStackIsDefinedAtItsFirstUse) {
  struct stack s = {};
  s.num_frames = 1;
  s.text = "1;00000001;00000002";
  s.text_len = 19;
  Start();
  PutSample(0xA, &s);
  PutSample(0xB, &s);
  PutSample(0xC, nullptr);
  output_flush(&output_);
  std::string text = Text(".samples"), stack = ",Stack,1,1;00000001;00000002\n";
  EXPECT_EQ(text.find(stack), text.rfind(stack)) << text;
  EXPECT_NE(text.find(",Sample,0000000B,Runnable,0,1\n"), std::string::npos) << text;
  EXPECT_NE(text.find(",Sample,0000000C,Runnable,0,0\n"), std::string::npos) << text;
  EXPECT_EQ(output_.samples, 3u);
}

TEST_F(OutputTest, CountsAndLossesAreToldWhenTheyChange) {
  Start();
  counted_ = 42;
  dropped_ = 3;
  output_finish(&output_, "exit");
  EXPECT_NE(Text(".counts").find(",LockAcquired,0000000B,42\n"), std::string::npos);
  EXPECT_TRUE(InfoHas("events.dropped=3"));
  EXPECT_NE(Text(".info").find("events.lost="), std::string::npos);
  size_t size = Text(".counts").size();
  output_finish(&output_, "exit");
  EXPECT_EQ(Text(".counts").size(), size);
}

TEST_F(OutputTest, TheEndSaysHowFarItIsAndWhatTheOthersAdd) {
  Start();
  PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  output_finish(&output_, "flush");
  for (const char *line : {"end.reason=flush", "events.written=1", "events.dropped=0",
                           "samples.written=0", "of.the.writer=2", "of.the.agent=1"}) {
    EXPECT_TRUE(InfoHas(line)) << line;
  }
}

TEST_F(OutputTest, TheFirstFileThatTakesNoMoreEndsItAndSaysSoOnce) {
  Start();
  close(output_.files[ORCA].fd);
  output_.files[ORCA].fd = open("/dev/full", O_WRONLY);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; i++) {
    PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
    output_flush(&output_);
  }
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("cannot write"), said.rfind("cannot write")) << said;
  EXPECT_EQ(failures_, 1);
  output_finish(&output_, "exit");
  EXPECT_TRUE(InfoHas("end.reason=error"));
}

TEST_F(OutputTest, ASetThatIsLargeEnoughIsFollowedByTheNext) {
  source_.maxsize = 65536;
  source_.keep = 2;
  Start();
  for (int i = 0; i < 10000; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  output_finish(&output_, "exit");
  EXPECT_GT(output_.rotation.number, 4u);
  EXPECT_LT(Text(".orca").size(), 2u * 65536);
  size_t sets = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder_)) {
    sets += entry.path().extension() == ".orca";
  }
  EXPECT_EQ(sets, 2u);
}

TEST_F(OutputTest, AFileThatCannotBeMadeIsNamed) {
  std::filesystem::create_directory(folder_ + "/out.samples");
  EXPECT_NE(Open().find("cannot write " + folder_ + "/out.samples: "), std::string::npos);
  char error[1024] = "";
  EXPECT_FALSE(output_try(&output_, (folder_ + "/out").c_str(), error, sizeof error));
  EXPECT_NE(std::string(error).find("out.samples"), std::string::npos);
}

TEST_F(OutputTest, TryingLeavesNothing) {
  char error[1024] = "";
  EXPECT_TRUE(output_try(&output_, (folder_ + "/out").c_str(), error, sizeof error));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
