#pragma once
// The HotSpot structures that Orca reads: a code cache with one heap, an interpreter,
// methods, and the tables gHotSpotVMStructs and gHotSpotVMTypes. The field offsets differ from
// those of all JDK versions, so code that does not use the tables fails.
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

#include "agent/hotspot/hotspot.h"
#include "sampler/code_map.h"

class FakeHotspot {
 public:
  static constexpr uint32_t kSegment = 128;  // bytes
  static constexpr uint32_t kHeap = 64 << 10;
  static constexpr uint32_t kHeader = 8;                // bytes of a HeapBlock::Header
  static constexpr int32_t kInNative = 4, kInJava = 8;  // values of JavaThread::_thread_state

  // How the JVM describes its code cache: as versions since JDK 9 do, or as older ones.
  enum CodeCache { kHeaps, kOneHeap };

  explicit FakeHotspot(CodeCache cache = kHeaps)
      : cache_(cache), heap_(kHeap / 8), segment_map_(kHeap / kSegment, 0xFF), interpreter_(256) {
    heaps_array_ = {&code_heap_};
    Store(growable_, 0, int32_t{1});
    Store(growable_, 8, heaps_array_.data());
    Store(code_heap_, 16, GetHeapLow());          // _memory._low
    Store(code_heap_, 24, GetHeapLow() + kHeap);  // _memory._high_boundary
    Store(code_heap_, 32, GetHeapLow() + kHeap);  // _memory._high
    Store(code_heap_, 64, segment_map_.data());   // _segmap._low
    Store(code_heap_, 120, int32_t{7});           // log2 of kSegment
    Store(queue_, 0, GetInterpreterLow());
    Store(queue_, 8, static_cast<int32_t>(interpreter_.size() * 8));
    heaps_ = growable_;
    code_low_ = std::min(GetHeapLow(), GetInterpreterLow());
    code_high_ = std::max(GetHeapLow() + kHeap, GetInterpreterLow() + interpreter_.size() * 8);
    interpreter_queue_ = queue_;
    call_stub_return_ = code_low_ - 64;
    code_low_ -= 128; /* the return address of call_stub is in the code cache, but in no heap */
    BuildTables();
    Read();
  }

  // Removes the row of one field from the tables.
  void RemoveField(const std::string &type, const std::string &field) {
    for (size_t i = 0; i + 1 < structs_.size(); i++) {
      if (structs_[i].type == type && structs_[i].field == field) {
        structs_.erase(structs_.begin() + static_cast<long>(i));
        return;
      }
    }
    abort(); /* the tables do not have the field */
  }
  void RemoveConstant(const std::string &name) {
    for (auto c = constants_.begin(); c != constants_.end(); ++c) {
      if (c->name == name) {
        constants_.erase(c);
        return;
      }
    }
    abort(); /* there is no such constant */
  }
  bool Read() {
    why = nullptr;
    struct hotspot_tables tables = {structs_.data(), types_.data(), constants_.data()};
    return hotspot_read(&hotspot, &tables, &why);
  }

  // Adds a CodeBlob with `size` bytes of code, and returns the address of the code. `name` is the
  // name that HotSpot gives to blobs of its kind.
  uintptr_t AddBlob(const char *name, uint32_t size, int32_t frame_words, int frame_complete = 0,
                    uintptr_t method = 0, int32_t orig_pc = 0) {
    uint32_t segments = (kHeader + kBlob + size + kSegment - 1) / kSegment;
    uint32_t first = next_segment_;
    next_segment_ += segments;
    for (uint32_t i = 0; i < segments; i++) segment_map_[first + i] = static_cast<uint8_t>(i);
    uintptr_t block = GetHeapLow() + first * kSegment, blob = block + kHeader;
    Poke(block + 4, uint8_t{1});
    Poke(blob + 8, name);
    Poke(blob + 16, static_cast<int32_t>(first)); /* the number of its compilation */
    Poke(blob + 20, static_cast<int32_t>(kBlob + size));
    Poke(blob + 24, static_cast<int32_t>(kBlob + size));
    Poke(blob + 28, frame_words);
    Poke(blob + 32, static_cast<int16_t>(frame_complete));
    Poke(blob + 36, static_cast<int32_t>(kBlob));
    Poke(blob + 40, method);
    Poke(blob + 48, orig_pc);
    return blob + kBlob;
  }
  // Adds 256 bytes of compiled code of a method, all nop, and returns their address. Places end at
  // +64 (bytecode index 6) and +128 (12). The frame is complete at code offset 16. Deoptimization
  // saves the return address at frame offset 8.
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
  void SetCompileId(uintptr_t code, int32_t id) { Poke(code - kBlob + 16, id); }
  // The stubs of the code begin at its offset `at`.
  void SetStubs(uintptr_t code, uint32_t at) {
    Poke(code - kBlob + 20, static_cast<int32_t>(kBlob + at));
  }
  // Code from address `end` on is not in use yet.
  void SetEndOfCode(uintptr_t end) { Store(code_heap_, 32, end); }
  // Makes the jmethodID of a method `id`.
  void SetId(uintptr_t method, jmethodID id) {
    for (size_t i = 0; i < structures_.size(); i++) {
      if (Address(structures_[i]) == method) id_tables_[i][2] = reinterpret_cast<uintptr_t>(id);
    }
  }
  void FreeBlob(uintptr_t code) { Poke(code - kBlob - kHeader + 4, uint8_t{0}); }
  void SetCode(uintptr_t at, const std::vector<uint8_t> &bytes) {
    memcpy(reinterpret_cast<void *>(at), bytes.data(), bytes.size());
  }

  // Adds a Method and returns its address. It has `code_size` bytes of bytecode at address
  // `*out_code`.
  uintptr_t AddMethod(jmethodID id, uint16_t code_size, uintptr_t *out_code = nullptr) {
    structures_.emplace_back(64);
    std::vector<uintptr_t> &m = structures_.back();
    uintptr_t at = Address(m), constant = at + 128, pool = at + 64, klass = at + 96;
    id_tables_.push_back({2, 0, reinterpret_cast<uintptr_t>(id)});
    Poke(at + 8, constant);
    Poke(constant + 16, pool);
    Poke(constant + 24, code_size);
    Poke(constant + 26, uint16_t{1}); /* index of its jmethodID */
    Poke(pool + 8, klass);
    Poke(klass + 16, Address(id_tables_.back()));
    if (out_code != nullptr) *out_code = constant + kConst;
    return at;
  }

  uintptr_t GetInterpreterLow() { return Address(interpreter_); }
  uintptr_t GetCallStubReturn() const { return call_stub_return_; }

  template <typename T>
  static void Poke(uintptr_t at, T value) {
    memcpy(reinterpret_cast<void *>(at), &value, sizeof value);
  }
  static uintptr_t Address(const std::vector<uintptr_t> &v) {
    return reinterpret_cast<uintptr_t>(v.data());
  }

  struct hotspot hotspot = {};
  const char *why = nullptr;
  static constexpr uint64_t kAnchor = 24;  // offset of the anchor in a JavaCallWrapper

 private:
  static constexpr uint32_t kBlob = 56;   // bytes before the code of a blob
  static constexpr uint64_t kConst = 48;  // bytes of a ConstMethod

  uintptr_t GetHeapLow() { return Address(heap_); }

  template <typename T>
  static void Store(uint8_t *to, size_t offset, T value) {
    memcpy(to + offset, &value, sizeof value);
  }

  void AddOffset(const char *type, const char *field, uint64_t offset, const char *of = "int") {
    structs_.push_back({type, field, of, 0, offset, nullptr});
  }
  template <typename T>
  void AddStatic(const char *type, const char *field, T *address) {
    structs_.push_back({type, field, "address", 1, 0, address});
  }

  void BuildTables() {
    AddOffset("JavaThread", "_anchor", 8);
    AddOffset("JavaThread", "_thread_state", 40);
    AddOffset("Thread", "_osthread", 48);
    AddOffset("JavaThread", "_stack_base", 56);
    AddOffset("JavaThread", "_stack_size", 64);
    AddOffset("JavaThread", "_monitor_owner_id", 72);
    AddOffset("OSThread", "_thread_id", 4);
    AddOffset("JavaFrameAnchor", "_last_Java_sp", 0);
    AddOffset("JavaFrameAnchor", "_last_Java_pc", 8);
    AddOffset("JavaFrameAnchor", "_last_Java_fp", 16);
    AddOffset("JavaCallWrapper", "_anchor", kAnchor);
    AddOffset("Method", "_constMethod", 8);
    AddOffset("ConstMethod", "_constants", 16);
    AddOffset("ConstMethod", "_code_size", 24);
    AddOffset("ConstMethod", "_method_idnum", 26);
    AddOffset("ConstantPool", "_pool_holder", 8);
    AddOffset("InstanceKlass", "_methods_jmethod_ids", 16);
    AddOffset("CodeBlob", "_name", 8);
    AddOffset("CodeBlob", "_size", 24);
    AddOffset("CodeBlob", "_frame_size", 28);
    AddOffset("CodeBlob", "_frame_complete_offset", 32, "int16_t");
    AddOffset("CodeBlob", "_code_offset", 36);
    AddOffset("nmethod", "_method", 40);
    AddOffset("nmethod", "_orig_pc_offset", 48);
    AddOffset("nmethod", "_compile_id", 16);
    AddOffset("nmethod", "_stub_offset", 20);
    AddOffset(cache_ == kHeaps ? "GrowableArrayBase" : "GenericGrowableArray", "_len", 0);
    AddOffset("GrowableArray<int>", "_data", 8);
    AddOffset("CodeHeap", "_memory", 8);
    AddOffset("CodeHeap", "_segmap", 56);
    AddOffset("CodeHeap", "_log2_segment_size", 120);
    AddOffset("VirtualSpace", "_low", 8);
    AddOffset("VirtualSpace", "_high_boundary", 16);
    AddOffset("VirtualSpace", "_high", 24);
    AddOffset("HeapBlock::Header", "_used", 4);
    AddOffset("StubQueue", "_stub_buffer", 0);
    AddOffset("StubQueue", "_buffer_limit", 8);
    if (cache_ == kHeaps) {
      AddStatic("CodeCache", "_heaps", &heaps_);
      AddStatic("CodeCache", "_low_bound", &code_low_);
      AddStatic("CodeCache", "_high_bound", &code_high_);
    } else {
      AddStatic("CodeCache", "_heap", &heaps_array_[0]);
    }
    AddStatic("AbstractInterpreter", "_code", &interpreter_queue_);
    AddStatic("StubRoutines", "_call_stub_return_address", &call_stub_return_);
    AddStatic("ContinuationEntry", "_return_pc", &continuation_return);
    structs_.push_back({nullptr, nullptr, nullptr, 0, 0, nullptr});
    types_.push_back({"ConstMethod", nullptr, 0, 0, 0, kConst});
    types_.push_back({"HeapBlock", nullptr, 0, 0, 0, kHeader});
    types_.push_back({nullptr, nullptr, 0, 0, 0, 0});
    constants_ = {{"_thread_in_native", kInNative}, {"_thread_in_Java", kInJava}, {nullptr, 0}};
  }

  const CodeCache cache_;
  std::vector<uintptr_t> heap_;
  std::vector<uint8_t> segment_map_;
  std::vector<uintptr_t> interpreter_;
  std::deque<std::vector<uintptr_t>> structures_, id_tables_;
  alignas(8) uint8_t code_heap_[128] = {}, growable_[16] = {}, queue_[16] = {};
  std::vector<void *> heaps_array_;
  uint32_t next_segment_ = 1;
  void *heaps_ = nullptr, *interpreter_queue_ = nullptr;
  uintptr_t code_low_ = 0, code_high_ = 0, call_stub_return_ = 0;
  std::vector<struct hotspot_struct> structs_;
  std::vector<struct hotspot_type> types_;
  std::vector<struct hotspot_constant> constants_;

 public:
  uintptr_t continuation_return = 0;
};
