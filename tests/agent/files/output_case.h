#pragma once
// A struct output with its files in a temporary folder.
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "agent/files/output.h"
#include "agent/record/outbox.h"
#include "gtest/gtest.h"
#include "tests/agent/files/info_start.h"
#include "tests/support/lock_table.h"
#include "tests/support/text.h"

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
    figures_init(&figures_);
    input_.defined_objects = defined_objects_;
    input_.living_classes = &living_classes_;
    input_.lock_counts = lock_counts_;
    input_.figures = &figures_;
    input_.stall = &stall_;
    input_.is_recording = &is_recording_;
    input_.options = &options_;
    output_.write_statistics = [](void *, struct builder *info) {
      info_text(info, INFO_WRITER_WAKEUPS, "2");
    };
    output_init(&output_);
  }
  ~OutputTest() override {
    output_end(&output_);
    missing_hooks_clear(&figures_.missing_hooks);
    free(defined_objects_);
    free(lock_counts_);
    std::filesystem::remove_all(folder_);
  }

  std::string OpenFiles() {
    char error[1024] = "";
    bool good = output_open(&output_, (folder_ + "/out").c_str(), nullptr, error, sizeof error);
    EXPECT_EQ(good, *error == '\0');
    return error;
  }
  void StartRecording() {
    struct info_start start = MakeInfoStart();
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
    return ReadFile(folder_ + "/out" + suffix);
  }
  bool HasInfoLine(const std::string &line) const {
    return ("\n" + ReadText(".info")).find("\n" + line + "\n") != std::string::npos;
  }

  std::string folder_;
  struct outbox classes_, methods_, objects_;
  struct object_set *defined_objects_ = object_set_new(&objects_);
  struct living_classes *living_classes_ = nullptr;
  struct lock_counts *lock_counts_ = lock_counts_new();
  struct recording_figures figures_ = {};
  struct stall stall_ = {};
  bool is_recording_ = true;
  struct options options_ = {};
  struct writer_input input_ = {};
  struct output output_ = {};
};
