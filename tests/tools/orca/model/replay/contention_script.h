#pragma once
// Tests of struct contention: small scripts of events, and the results as text.
#include <map>
#include <sstream>
#include <string>

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/model/replay/contention.h"

// The stacks of scripts, by name. The frame of `run` is the outermost one.
inline const std::map<std::string, std::string> kStacks = {
    {"none", "0"},
    {"run", "1;00000011;00000000"},
    {"guarded", "2;00000010;00000000;00000011;00000000"},  // price:88, which acquires
    {"inside", "3;00000012;00000000;00000010;00000010;00000011;00000000"},  // reserve:42
    {"outside", "2;00000012;00000000;00000011;00000000"},
    {"waiting", "3;00000001;FFFFFFFF;00000010;00000010;00000011;00000000"},
    {"unlocking", "3;00000020;00000000;00000021;00000000;00000011;00000000"},
    {"unparking", "2;00000020;00000000;00000011;00000000"},
    {"acquire", "2;00000005;00000000;00000011;00000000"},
    {"acquire(int)", "2;00000022;00000000;00000011;00000000"},
    {"release", "2;00000006;00000000;00000011;00000000"},
    {"other root", "1;00000012;00000000"},
    {"cut guarded", "2;00000010;00000000;00000000;00000000"},
    {"cut outside", "2;00000012;00000000;00000000;00000000"},
};

// Returns the stack of an event whose line in a script names none.
inline std::string GetUsualStack(const std::string &event) {
  if (event == "ThreadUnpark") return "unlocking";
  if (event == "MonitorOwner") return "none";
  if (event == "SemaphoreRelease") return "release";
  return event.rfind("Semaphore", 0) == 0 ? "acquire" : "run";
}

class ContentionTest : public testing::Test {
 protected:
  ContentionTest() {
    small_.files.Replace(DUMP_CLASSES, "100.0000000000,000000C1",
                         "100.0000000000,000000D1,Ljava/util/concurrent/locks/LockSupport;,\n"
                         "100.0000000000,000000C1");
    small_.files.Replace(DUMP_METHODS, "100.0000000000,00000001",
                         "100.0000000000,00000020,unpark,(Ljava/lang/Thread;)V,000000D1,-1\n"
                         "100.0000000000,00000021,unlock,()V,000000D1,-1\n"
                         "100.0000000000,00000022,acquire,(I)V,000000C3,-1\n"
                         "100.0000000000,00000001");
  }
  ~ContentionTest() override {
    contention_free(&contention_);
    locks_free(&by_class_);
  }

  void Read(const struct filter *filter = nullptr, bool by_class = false) {
    struct model *m = small_.Read(filter);
    locks_ = &m->locks;
    if (by_class) {
      EXPECT_TRUE(locks_by_class(&m->locks, m->dump, &by_class_));
      locks_ = &by_class_;
    }
    EXPECT_TRUE(contention_read(&contention_, m, locks_));
  }

  // Adds the lines of a script to the events and samples, and reads them. Each line is
  //     MS THREAD EVENT [ABOUT] [@STACK]
  // at MS milliseconds after 101 s. EVENT may be Sample. ABOUT is the owner (3), the unparked
  // thread (3) or another object than A1 (A2), as the event needs.
  void ReadScript(const std::string &script, const struct filter *filter = nullptr) {
    std::istringstream lines(script);
    std::string line, events, samples;
    int num_samples = 0;
    while (std::getline(lines, line)) {
      if (line.find_first_not_of(' ') == std::string::npos) continue;
      (line.find(" Sample ") == std::string::npos ? events += MakeEvent(line)
                                                  : samples += MakeSample(line, ++num_samples));
    }
    small_.files.Write(DUMP_EVENTS, small_.files.Text(DUMP_EVENTS) + events);
    small_.files.Write(DUMP_SAMPLES, samples);
    Read(filter);
  }

  // Returns who waited for whom, and how much of it was hand-off, in milliseconds: "2 for 3: 100,
  // hand-off: 25". "(2)" is added if a thread waited twice.
  std::string DescribeTimes() {
    std::map<std::pair<uint32_t, uint32_t>, std::string> pairs;
    std::string text;
    for (size_t i = 0; i < contention_.num_pairs; i++) {
      const struct contention_pair *pair = &contention_.pairs[i];
      std::string times = pair->times == 1 ? "" : " (" + std::to_string(pair->times) + ")";
      pairs[{pair->blocked, pair->holder}] = std::to_string(pair->blocked) + " for " +
                                             std::to_string(pair->holder) + ": " +
                                             DescribeMs(pair->total) + times;
    }
    for (const auto &pair : pairs) text += (text.empty() ? "" : ", ") + pair.second;
    ticks_t handoff = SumTimes(contention_.handoffs);
    if (handoff != 0) text += (text.empty() ? "" : ", ") + ("hand-off: " + DescribeMs(handoff));
    return text;
  }

  // Returns where the holders of all locks were while other threads waited: "price:88: 60, -: 40".
  // "?" comes before a place that only the last event of the holder shows.
  std::string DescribePlaces() {
    std::string text;
    for (size_t i = 0; i < locks_->num; i++) {
      size_t num;
      const struct tally_row *rows = tally_of(&contention_.holder_places, locks_->rows[i].id, &num);
      for (size_t k = 0; k < num; k++) {
        text +=
            (text.empty() ? "" : ", ") + NamePlace(rows[k].key) + ": " + DescribeMs(rows[k].total);
      }
    }
    return text;
  }

  static ticks_t SumTimes(const struct tally &times) {
    ticks_t sum = 0;
    for (size_t i = 0; i < times.num; i++) sum += times.rows[i].total;
    return sum;
  }

  SmallModel small_;
  const struct locks *locks_ = nullptr;
  struct locks by_class_ = {};
  struct contention contention_ = {};

 private:
  struct Parts {
    double ms;
    std::string thread, event, about, stack;
  };

  static Parts Split(const std::string &line) {
    size_t at = line.find(" @");
    std::istringstream words(line.substr(0, at));
    Parts parts = {};
    words >> parts.ms >> parts.thread >> parts.event >> parts.about;
    EXPECT_FALSE(parts.event.empty()) << line;
    std::string stack = at == std::string::npos ? GetUsualStack(parts.event) : line.substr(at + 2);
    EXPECT_EQ(kStacks.count(stack), 1u) << line;
    parts.stack = kStacks.at(stack);
    return parts;
  }
  static std::string MakeTime(double ms) {
    char text[40];
    snprintf(text, sizeof text, "%.10f", 101 + ms / 1000);
    return text;
  }
  static std::string MakeHash(const std::string &name) {
    return std::string(8 - name.size(), '0') + name;
  }
  static std::string MakeEvent(const std::string &line) {
    Parts parts = Split(line);
    std::string text = MakeTime(parts.ms) + "," + parts.event + "," + MakeHash(parts.thread) + ",";
    enum event_shape shape = FindShape(parts.event);
    bool has_owner = shape_has_owner(shape);
    std::string object = has_owner || parts.about.empty() ? "A1" : parts.about;
    if (shape_has_object(shape)) text += MakeHash(object) + ",";
    if (has_owner) text += MakeHash(parts.about) + ",";
    return text + parts.stack + "\n";
  }
  static std::string MakeSample(const std::string &line, int number) {
    Parts parts = Split(line);
    std::string time = MakeTime(parts.ms), id = std::to_string(number);
    return time + ",Tick," + id + ",1000,4\n" + time + ",Stack," + id + "," + parts.stack + "\n" +
           time + ",Sample," + MakeHash(parts.thread) + ",Runnable,0," + id + "\n";
  }
  static enum event_shape FindShape(const std::string &event) {
    for (const struct event_info &info : event_infos) {
      if (event == info.name) return info.shape;
    }
    ADD_FAILURE() << event << " is no event";
    return SHAPE_T;
  }
  static std::string DescribeMs(ticks_t time) {
    std::ostringstream text;
    text << static_cast<double>(time * 1000) / kSecond;
    return text.str();
  }
  static std::string NamePlace(uint64_t key) {
    static const std::map<uint64_t, std::string> names = {{0, "-"},
                                                          {place(0x10, 88), "price:88"},
                                                          {place(0x10, 90), "price:90"},
                                                          {place(0x11, 20), "run:20"},
                                                          {place(0x12, 42), "reserve:42"}};
    auto name = names.find(key & ~CONTENTION_GUESSED);
    return (key & CONTENTION_GUESSED ? "?" : "") +
           (name == names.end() ? "place " + std::to_string(key) : name->second);
  }
};

// A script and its results. Threads 2, 3 and 4 use A1 as a monitor, a lock or a semaphore.
struct ContentionCase {
  const char *name;
  const char *script;
  const char *times;             // DescribeTimes
  const char *places = nullptr;  // DescribePlaces; not compared if NULL
  const char *options = "";      // added to those of the recording
};

class ContentionCases : public ContentionTest, public testing::WithParamInterface<ContentionCase> {
 protected:
  void Run() {
    small_.files.Replace(DUMP_INFO, "engine=weave",
                         std::string("engine=weave") + GetParam().options);
    small_.files.Write(DUMP_EVENTS, "");
    ReadScript(GetParam().script);
    EXPECT_EQ(DescribeTimes(), GetParam().times);
    EXPECT_EQ(SumTimes(contention_.held), SumPairs());
    EXPECT_EQ(SumTimes(contention_.lock_holders), SumPairs());
    if (GetParam().places == nullptr) return;
    EXPECT_EQ(DescribePlaces(), GetParam().places);
  }

 private:
  ticks_t SumPairs() {
    ticks_t sum = 0;
    for (size_t i = 0; i < contention_.num_pairs; i++) sum += contention_.pairs[i].total;
    return sum;
  }
};

inline std::string NameCase(const testing::TestParamInfo<ContentionCase> &info) {
  return info.param.name;
}
