#pragma once
// A struct output with its files in a temporary folder.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "agent/record/outbox.h"
#include "agent/writer/output.h"
#include "gtest/gtest.h"

// Puts records directly into the output, without a queue and without the writer thread.
class OutputTest : public testing::Test {
 protected:
  OutputTest() {
    std::string path = testing::TempDir() + "/output_XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    folder_ = path;
    for (struct outbox *box : {&classes_, &methods_, &objects_}) outbox_init(box);
    input_.classes = &classes_;
    input_.methods = &methods_;
    input_.objects = &objects_;
    input_.dropped = &dropped_;
    input_.counts = [](void *test, void (*tell)(void *, enum event_kind, uint32_t, uint64_t),
                       void *arg) { static_cast<OutputTest *>(test)->TellCount(tell, arg); };
    input_.failed = [](void *test) { static_cast<OutputTest *>(test)->failures_++; };
    input_.end = [](void *, struct builder *info) { info_text(info, INFO_EVENTS_WAITED, "1"); };
    input_.forget_objects = [](void *) {};
    input_.arg = this;
    output_.write_statistics = [](void *, struct builder *info) {
      info_text(info, INFO_WRITER_WAKEUPS, "2");
    };
    output_init(&output_);
  }
  ~OutputTest() override {
    output_end(&output_);
    std::filesystem::remove_all(folder_);
  }

  std::string OpenFiles() {
    char error[1024] = "";
    bool good = output_open(&output_, (folder_ + "/out").c_str(), error, sizeof error);
    EXPECT_EQ(good, *error == '\0');
    return error;
  }
  void StartRecording() {
    struct info_start start = {"17", "java Main", "out", 1, 2, 0, 0};
    ASSERT_EQ(OpenFiles(), "");
    ASSERT_TRUE(output_start(&output_, &input_, &start));
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
  std::string ReadText(const std::string &suffix) const {
    std::ostringstream text;
    text << std::ifstream(folder_ + "/out" + suffix).rdbuf();
    return text.str();
  }
  bool HasInfoLine(const std::string &line) const {
    return ("\n" + ReadText(".info")).find("\n" + line + "\n") != std::string::npos;
  }
  void TellCount(void (*tell)(void *, enum event_kind, uint32_t, uint64_t), void *arg) {
    if (changed_count_ != 0) tell(arg, EVENT_LOCK_ACQUIRED, 0xB, changed_count_);
    changed_count_ = 0;
  }

  std::string folder_;
  struct outbox classes_, methods_, objects_;
  uint64_t dropped_ = 0, changed_count_ = 0;
  int failures_ = 0;
  struct writer_source input_ = {};
  struct output output_ = {};
};
