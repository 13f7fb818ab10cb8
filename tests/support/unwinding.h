#pragma once
// A thread's stack that a test fills in, and the Java frames that the unwinder finds in it.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "agent/hotspot/frame_layout.h"
#include "gtest/gtest.h"
#include "sampler/walk.h"
#include "tests/support/fake_hotspot.h"
#include "tests/support/fake_jvm.h"

inline constexpr uintptr_t kStack = 0x7F0000001000;  // the stack pointer of the thread
inline constexpr int32_t kInNative = 4, kInVm = 6, kInJava = 8;

// Has two compiled methods, `inner` and `outer`, an interpreted one and a native one. Each test
// fills in the stack.
class Unwinding : public testing::Test {
 protected:
  explicit Unwinding(const struct walk_cpu *cpu) {
    klass_ = jvm_.AddClass("LA;");
    inner_ = AddMethod("inner");
    outer_ = AddMethod("outer");
    interpreted_ = AddMethod("interpreted");
    native_ = AddMethod("native");
    method_ids_add_class(ids_, jvm_.Ti(), klass_->Ref());
    inner_code_ = fake_.AddCompiled(codes_, inner_, 4);
    outer_code_ = fake_.AddCompiled(codes_, outer_, 6);
    interpreted_method_ = fake_.AddMethod(interpreted_, 50, &bytecode_);
    capture_ = std::make_unique<struct capture>();
    capture_->sp = kStack;
    capture_->state = kInJava;
    unwinder_.cpu = cpu;
    unwinder_.hotspot = &fake_.hotspot;
    unwinder_.codes = codes_;
    unwinder_.ids = ids_;
  }
  ~Unwinding() override { code_map_clear(codes_); }

  jmethodID AddMethod(const char *name) { return jvm_.AddMethod(klass_, name, "()V")->Id(); }

  // Stores a word on the stack, which grows to contain it. Index 0 is at the stack pointer.
  void PutWord(int index, uintptr_t word) {
    auto need = static_cast<uint32_t>(index + 1) * 8;
    memcpy(capture_->stack + index * 8, &word, 8);
    if (need > capture_->stack_len) capture_->stack_len = need;
  }
  static uintptr_t GetAddress(int index) { return kStack + static_cast<uintptr_t>(index) * 8; }

  // Stores the outermost frame of the stack: call_stub with its frame pointer at word `fp`. Its
  // call wrapper has an empty anchor.
  void PutEntry(int fp) {
    constexpr int kWrapper = 40; /* words above fp */
    PutWord(fp + FRAME_CALL_WRAPPER, GetAddress(fp + kWrapper));
    for (int i = 0; i < 3; i++) {
      PutWord(fp + kWrapper + static_cast<int>(FakeHotspot::kAnchor / 8) + i, 0);
    }
  }
  // Stores a frame of the interpreter with its frame pointer at word `fp`.
  void PutInterpreted(int fp, uintptr_t bci, uintptr_t saved_fp, uintptr_t return_pc) {
    PutWord(fp, saved_fp);
    PutWord(fp + 1, return_pc);
    PutWord(fp + FRAME_SENDER_SP, GetAddress(fp + 2));
    PutWord(fp + FRAME_METHOD, interpreted_method_);
    PutWord(fp + FRAME_BCP, bytecode_ + bci);
  }

  // Returns "name@bci<caller@bci place".
  std::string Unwind(int max = 16) {
    std::vector<jvmtiFrameInfo> frames(static_cast<size_t>(max));
    out_ = {};
    out_.frames = frames.data();
    out_.max = max;
    unwind(&unwinder_, capture_.get(), &out_);
    std::string text;
    for (int i = 0; i < out_.num; i++) {
      text += (i == 0 ? "" : "<") + GetName(frames[static_cast<size_t>(i)].method) + "@" +
              std::to_string(frames[static_cast<size_t>(i)].location);
    }
    return text + " " + cpu_place_names[out_.place] + (out_.is_cut ? " cut" : "");
  }
  std::string GetName(jmethodID method) { return reinterpret_cast<FakeMethod *>(method)->name; }

  FakeJvm jvm_;
  FakeHotspot fake_;
  FakeClass *klass_;
  jmethodID inner_, outer_, interpreted_, native_;
  /* Never freed, like in the agent. */
  static inline struct code_map *codes_ = code_map_new();
  static inline struct method_ids *ids_ = method_ids_new();
  uintptr_t inner_code_, outer_code_, interpreted_method_, bytecode_;
  std::unique_ptr<struct capture> capture_;
  struct unwinder unwinder_ = {};
  struct unwound out_ = {};
};
