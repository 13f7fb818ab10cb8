#pragma once
// The structures of a HotSpot JVM that the sampler reads, made of plain memory: a code cache with
// one heap, an interpreter, methods, and the tables that tell where everything is. Field offsets
// are those of no version: whoever relies on one finds nothing.
#include <jvmti.h>
#include <jvmticmlr.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "sampler/code_map.h"
#include "sampler/hotspot.h"

class FakeHotspot {
 public:
  static constexpr uint32_t kSegment = 128;  // bytes
  static constexpr uint32_t kHeap = 64 << 10;
  static constexpr uint32_t kHeader = 8;  // of a block

  FakeHotspot() : heap_(kHeap / 8), map_(kHeap / kSegment, 0xFF), interpreter_(256) {
    heaps_array_ = {&code_heap_};
    Put(growable_, 0, int32_t{1});
    Put(growable_, 8, heaps_array_.data());
    Put(code_heap_, 16, Low());          // _memory._low
    Put(code_heap_, 24, Low() + kHeap);  // _memory._high_boundary
    Put(code_heap_, 64, map_.data());    // _segmap._low
    Put(code_heap_, 120, int32_t{7});    // log2 of kSegment
    Put(queue_, 0, InterpreterLow());
    Put(queue_, 8, static_cast<int32_t>(interpreter_.size() * 8));
    heaps_ = growable_;
    code_low_ = std::min(Low(), InterpreterLow());
    code_high_ = std::max(Low() + kHeap, InterpreterLow() + interpreter_.size() * 8);
    interpreter_queue_ = queue_;
    call_stub_return_ = code_low_ - 64;
    code_low_ -= 128; /* the call stub's return address is code, but in no heap */
    BuildTables();
    Read();
  }

  // The tables, without the row of one field.
  void Without(const std::string &type, const std::string &field) {
    for (size_t i = 0; i + 1 < structs_.size(); i++) {
      if (structs_[i].type == type && structs_[i].field == field) {
        structs_.erase(structs_.begin() + static_cast<long>(i));
        return;
      }
    }
    abort(); /* there is no such row */
  }
  bool Read() {
    why = nullptr;
    return hotspot_read(&hotspot, structs_.data(), types_.data(), &why);
  }

  // A piece of code of `size` bytes; returns where it begins. `name`: as HotSpot calls such blobs.
  uintptr_t AddBlob(const char *name, uint32_t size, int32_t frame_words, int frame_complete = 0,
                    uintptr_t method = 0, int32_t orig_pc = 0) {
    uint32_t segments = (kHeader + kBlob + size + kSegment - 1) / kSegment;
    uint32_t first = next_segment_;
    next_segment_ += segments;
    for (uint32_t i = 0; i < segments; i++) map_[first + i] = static_cast<uint8_t>(i);
    uintptr_t block = Low() + first * kSegment, blob = block + kHeader;
    Poke(block + 4, uint8_t{1});
    Poke(blob + 8, name);
    Poke(blob + 24, static_cast<int32_t>(kBlob + size));
    Poke(blob + 28, frame_words);
    Poke(blob + 32, static_cast<int16_t>(frame_complete));
    Poke(blob + 36, static_cast<int32_t>(kBlob));
    Poke(blob + 40, method);
    Poke(blob + 48, orig_pc);
    return blob + kBlob;
  }
  // 256 bytes of code of this method, all nop; at +64 and +128 calls return, at bytecodes 6 and 12.
  // The frame is complete at +16, and keeps the return address of deoptimization at +8.
  uintptr_t AddCompiled(struct code_map *codes, jmethodID method, int32_t frame_words) {
    uintptr_t code = AddBlob("nmethod", 256, frame_words, 16, 0, 8);
    SetCode(code, std::vector<uint8_t>(256, 0x90));
    jint bcis[] = {6, 12};
    PCStackInfo infos[2] = {};
    for (int i = 0; i < 2; i++) {
      infos[i].pc = reinterpret_cast<void *>(code + 64 * static_cast<uintptr_t>(i + 1));
      infos[i].numstackframes = 1;
      infos[i].methods = &method;
      infos[i].bcis = &bcis[i];
    }
    jvmtiCompiledMethodLoadInlineRecord record = {};
    record.header.kind = JVMTI_CMLR_INLINE_INFO;
    record.numpcs = 2;
    record.pcinfo = infos;
    code_map_load(codes, method, code, 256, &record);
    return code;
  }
  void FreeBlob(uintptr_t code) { Poke(code - kBlob - kHeader + 4, uint8_t{0}); }
  void SetCode(uintptr_t at, const std::vector<uint8_t> &bytes) {
    memcpy(reinterpret_cast<void *>(at), bytes.data(), bytes.size());
  }

  // A Method with this jmethodID and so much bytecode; *out_code: where that is.
  uintptr_t AddMethod(jmethodID id, uint16_t code_size, uintptr_t *out_code = nullptr) {
    structures_.emplace_back(64);
    std::vector<uintptr_t> &m = structures_.back();
    uintptr_t at = Address(m), constant = at + 128, pool = at + 64, klass = at + 96;
    id_tables_.push_back({2, 0, reinterpret_cast<uintptr_t>(id)});
    Poke(at + 8, constant);
    Poke(constant + 16, pool);
    Poke(constant + 24, code_size);
    Poke(constant + 26, uint16_t{1}); /* its number in the class */
    Poke(pool + 8, klass);
    Poke(klass + 16, Address(id_tables_.back()));
    if (out_code != nullptr) *out_code = constant + kConst;
    return at;
  }

  uintptr_t InterpreterLow() { return Address(interpreter_); }
  uintptr_t CallStubReturn() const { return call_stub_return_; }

  template <typename T>
  static void Poke(uintptr_t at, T value) {
    memcpy(reinterpret_cast<void *>(at), &value, sizeof value);
  }
  static uintptr_t Address(const std::vector<uintptr_t> &v) {
    return reinterpret_cast<uintptr_t>(v.data());
  }

  struct hotspot hotspot = {};
  const char *why = nullptr;
  static constexpr uint64_t kAnchor = 24;  // of a JavaCallWrapper

 private:
  static constexpr uint32_t kBlob = 56;   // bytes of a blob's header
  static constexpr uint64_t kConst = 48;  // bytes of a ConstMethod

  uintptr_t Low() { return Address(heap_); }

  template <typename T>
  static void Put(uint8_t *to, size_t offset, T value) {
    memcpy(to + offset, &value, sizeof value);
  }

  void Offset(const char *type, const char *field, uint64_t offset, const char *of = "int") {
    structs_.push_back({type, field, of, 0, offset, nullptr});
  }
  template <typename T>
  void Static(const char *type, const char *field, T *address) {
    structs_.push_back({type, field, "address", 1, 0, address});
  }

  void BuildTables() {
    Offset("JavaThread", "_anchor", 8);
    Offset("JavaThread", "_thread_state", 40);
    Offset("Thread", "_osthread", 48);
    Offset("JavaThread", "_stack_base", 56);
    Offset("JavaThread", "_stack_size", 64);
    Offset("JavaThread", "_monitor_owner_id", 72);
    Offset("OSThread", "_thread_id", 4);
    Offset("JavaFrameAnchor", "_last_Java_sp", 0);
    Offset("JavaFrameAnchor", "_last_Java_pc", 8);
    Offset("JavaFrameAnchor", "_last_Java_fp", 16);
    Offset("JavaCallWrapper", "_anchor", kAnchor);
    Offset("Method", "_constMethod", 8);
    Offset("ConstMethod", "_constants", 16);
    Offset("ConstMethod", "_code_size", 24);
    Offset("ConstMethod", "_method_idnum", 26);
    Offset("ConstantPool", "_pool_holder", 8);
    Offset("InstanceKlass", "_methods_jmethod_ids", 16);
    Offset("CodeBlob", "_name", 8);
    Offset("CodeBlob", "_size", 24);
    Offset("CodeBlob", "_frame_size", 28);
    Offset("CodeBlob", "_frame_complete_offset", 32, "int16_t");
    Offset("CodeBlob", "_code_offset", 36);
    Offset("nmethod", "_method", 40);
    Offset("nmethod", "_orig_pc_offset", 48);
    Offset("GrowableArrayBase", "_len", 0);
    Offset("GrowableArray<int>", "_data", 8);
    Offset("CodeHeap", "_memory", 8);
    Offset("CodeHeap", "_segmap", 56);
    Offset("CodeHeap", "_log2_segment_size", 120);
    Offset("VirtualSpace", "_low", 8);
    Offset("VirtualSpace", "_high_boundary", 16);
    Offset("HeapBlock::Header", "_used", 4);
    Offset("StubQueue", "_stub_buffer", 0);
    Offset("StubQueue", "_buffer_limit", 8);
    Static("CodeCache", "_heaps", &heaps_);
    Static("CodeCache", "_low_bound", &code_low_);
    Static("CodeCache", "_high_bound", &code_high_);
    Static("AbstractInterpreter", "_code", &interpreter_queue_);
    Static("StubRoutines", "_call_stub_return_address", &call_stub_return_);
    Static("ContinuationEntry", "_return_pc", &continuation_return);
    structs_.push_back({nullptr, nullptr, nullptr, 0, 0, nullptr});
    types_.push_back({"ConstMethod", nullptr, 0, 0, 0, kConst});
    types_.push_back({"HeapBlock", nullptr, 0, 0, 0, kHeader});
    types_.push_back({nullptr, nullptr, 0, 0, 0, 0});
  }

  std::vector<uintptr_t> heap_;
  std::vector<uint8_t> map_;
  std::vector<uintptr_t> interpreter_;
  std::deque<std::vector<uintptr_t>> structures_, id_tables_;
  alignas(8) uint8_t code_heap_[128] = {}, growable_[16] = {}, queue_[16] = {};
  std::vector<void *> heaps_array_;
  uint32_t next_segment_ = 1;
  void *heaps_ = nullptr, *interpreter_queue_ = nullptr;
  uintptr_t code_low_ = 0, code_high_ = 0, call_stub_return_ = 0;
  std::vector<struct hotspot_struct> structs_;
  std::vector<struct hotspot_type> types_;

 public:
  uintptr_t continuation_return = 0;
};
