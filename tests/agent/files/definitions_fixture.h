#pragma once
// A struct definitions, for tests that act as its producers.
#include "agent/files/definitions.h"
#include "tests/agent/files/in_folder.h"

class DefinitionsFixture : public DumpFolderTest {
 protected:
  void SetUp() override {
    DumpFolderTest::SetUp();
    for (auto *box : {&classes_, &methods_, &objects_}) outbox_init(box);
    definitions_.files = files_;
    definitions_.class_box = &classes_;
    definitions_.method_box = &methods_;
    definitions_.object_box = &objects_;
    definitions_.defined_objects = defined_objects_;
    definitions_.lock_counts = lock_counts_;
    definitions_.keeps_texts = true;
    definitions_start(&definitions_, 0);
  }
  void TearDown() override {
    definitions_take(&definitions_);
    definitions_end(&definitions_);
    free(defined_objects_);
    free(lock_counts_);
    DumpFolderTest::TearDown();
  }

  // Does what the writer does with an event, and returns its line.
  struct event_line WriteEvent(enum event_kind kind, uint32_t thread, uint32_t object = 0,
                               struct stack *stack = nullptr) {
    struct event_line line = {};
    line.time = time_ += 100;
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    definitions_write_for_event(&definitions_, &line, stack);
    return line;
  }
  void DefineObject(uint32_t hash, uint32_t class_id) {
    char body[32];
    snprintf(body, sizeof body, "%08X,%08X\n", hash, class_id);
    Define(&objects_, body);
  }

  // Drops all classes except these.
  void DropUnloaded(const std::vector<uint32_t> &living, uint64_t time_ns = UINT64_MAX) {
    struct living_classes l = {};
    l.time_ns = time_ns;
    for (uint32_t id : living) hashmap_put(&l.ids, id, 1);
    definitions_drop_unloaded(&definitions_, &l);
    hashmap_free(&l.ids);
  }

  struct outbox classes_, methods_, objects_;
  struct object_set *defined_objects_ = object_set_new(&objects_);
  struct lock_counts *lock_counts_ = lock_counts_new();
  struct definitions definitions_ = {};
  ticks_t time_ = 1000;
};

inline struct stack MakeStack(const char *text) {
  struct stack s = {};
  s.text = text;
  s.text_len = strlen(text);
  return s;
}
