#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/tools/orca/export/exported.h"
#include "tests/tools/orca/model/cpu_lines.h"

namespace {

// A decoded message. A field of bytes can be a message, too.
struct Message {
  std::map<unsigned, std::vector<uint64_t>> integers;
  std::map<unsigned, std::vector<std::string>> bytes;

  uint64_t Integer(unsigned field) const {
    auto found = integers.find(field);
    return found == integers.end() ? 0 : found->second.back();
  }
};

uint64_t ReadVarint(const std::string &data, size_t *at) {
  uint64_t n = 0;
  for (int shift = 0; *at < data.size(); shift += 7) {
    unsigned char c = static_cast<unsigned char>(data[(*at)++]);
    n |= static_cast<uint64_t>(c & 0x7F) << shift;
    if (c < 0x80) return n;
  }
  ADD_FAILURE() << "a number has no end";
  return n;
}

Message Decode(const std::string &data) {
  Message m;
  for (size_t at = 0; at < data.size();) {
    uint64_t tag = ReadVarint(data, &at), n = ReadVarint(data, &at);
    if ((tag & 7) == 0) {
      m.integers[tag >> 3].push_back(n);
    } else {
      EXPECT_EQ(tag & 7, 2u);
      EXPECT_LE(n, data.size() - at);
      m.bytes[tag >> 3].push_back(data.substr(at, n));
      at += n;
    }
  }
  return m;
}

std::vector<uint64_t> ReadPacked(const std::string &data) {
  std::vector<uint64_t> numbers;
  for (size_t at = 0; at < data.size();) numbers.push_back(ReadVarint(data, &at));
  return numbers;
}

// The profile in its gzip file of one stored block. The cases PprofGzip test the file format.
std::string Unpack(const std::string &file) {
  EXPECT_EQ(file.substr(0, 3), "\x1F\x8B\x08");
  return file.substr(15, file.size() - 15 - 8);
}

class Profile {
 public:
  explicit Profile(Exported *e) : m_(Decode(Unpack(e->ExportAs("pprof")))) {
    for (const std::string &bytes : m_.bytes[5]) {
      Message function = Decode(bytes);
      EXPECT_TRUE(functions_.emplace(function.Integer(1), function).second);
    }
    for (const std::string &bytes : m_.bytes[4]) {
      Message location = Decode(bytes);
      EXPECT_TRUE(locations_.emplace(location.Integer(1), location).second);
    }
  }

  const Message &message() const { return m_; }
  std::string String(uint64_t number) {
    EXPECT_LT(number, m_.bytes[6].size());
    return number < m_.bytes[6].size() ? m_.bytes[6][number] : "";
  }
  std::string Type(const std::string &bytes) {
    Message type = Decode(bytes);
    return String(type.Integer(1)) + "/" + String(type.Integer(2));
  }

  // "worker-1: run:20 price:90" -> the values of the sample.
  std::map<std::string, std::vector<uint64_t>> Samples() {
    std::map<std::string, std::vector<uint64_t>> samples;
    for (const std::string &bytes : m_.bytes[2]) {
      Message sample = Decode(bytes);
      Message label = Decode(sample.bytes[3].at(0));
      EXPECT_EQ(String(label.Integer(1)), "thread");
      std::string key = String(label.Integer(2)) + ":", stack;
      for (uint64_t id : ReadPacked(sample.bytes[1].at(0))) stack = " " + Location(id) + stack;
      EXPECT_TRUE(samples.emplace(key + stack, ReadPacked(sample.bytes[2].at(0))).second) << stack;
    }
    return samples;
  }

  Message Function(const std::string &name) {
    for (auto &function : functions_) {
      if (String(function.second.Integer(2)) == name) return function.second;
    }
    ADD_FAILURE() << "no function " << name;
    return {};
  }

 private:
  std::string Location(uint64_t id) {
    Message &location = locations_.at(id);
    EXPECT_EQ(location.Integer(2), 1u);  // the mapping
    Message line = Decode(location.bytes[4].at(0));
    std::string name = String(functions_.at(line.Integer(1)).Integer(2));
    return name.substr(name.rfind('.') + 1) + ":" + std::to_string(line.Integer(2));
  }

  Message m_;
  std::map<uint64_t, Message> functions_, locations_;
};

using Values = std::vector<uint64_t>;

TEST(Pprof, HasTheValuesOfEachThreadAndStack) {
  Exported e;
  Profile p(&e);
  auto samples = p.Samples();
  EXPECT_EQ(samples.size(), e.small.model.profile.num);
  EXPECT_EQ(samples["worker-1: run:20 price:90"], (Values{300 * kMs, 1000 * kMs, 0, 0, 0, 0}));
  EXPECT_EQ(samples["worker-1: run:20 reserve:42"], (Values{0, 1000 * kMs, 3, 2750 * kMs, 0, 0}));
  EXPECT_EQ(samples["worker-2: run:20 price:88"], (Values{0, 0, 2, 1625 * kMs, 0, 0}));
  EXPECT_EQ(samples["main: run:20 join:0"], (Values{0, 0, 0, 0, 1, 3000 * kMs}));
  EXPECT_EQ(samples["poller:"], (Values{10 * kMs, 0, 0, 0, 0, 0}));
}

TEST(Pprof, HasTypesMappingAndTimes) {
  Exported e;
  Profile p(&e);
  std::string types;
  for (const std::string &bytes : p.message().bytes.at(1)) types += p.Type(bytes) + " ";
  EXPECT_EQ(types,
            "cpu/nanoseconds wall/nanoseconds contentions/count delay/nanoseconds waits/count "
            "waited/nanoseconds ");
  EXPECT_EQ(p.String(0), "");
  EXPECT_EQ(p.String(p.message().Integer(14)), "cpu");
  EXPECT_EQ(p.message().Integer(9), 1795174656123456789u);  // 2026-11-20T11:37:36.123456789Z
  EXPECT_EQ(p.message().Integer(10), 10000 * kMs);
  EXPECT_EQ(p.Type(p.message().bytes.at(11)[0]), "cpu/nanoseconds");
  EXPECT_EQ(p.message().Integer(12), 2000 * kMs);  // 5 ticks in 10 s
  ASSERT_EQ(p.message().bytes.at(3).size(), 1u);
  Message mapping = Decode(p.message().bytes.at(3)[0]);
  for (unsigned has : {1, 7, 8, 9}) EXPECT_EQ(mapping.Integer(has), 1u) << has;
}

// 43 samples with 627 ms in total. Comments are indexes of strings.
TEST(Pprof, UsesCpuLines) {
  Exported e;
  AddCpuLines(&e.files());
  Profile p(&e);
  auto samples = p.Samples();
  EXPECT_EQ(samples["main: run:20 price:90 (native):0"].at(0), 110 * kMs);
  EXPECT_EQ(samples["poller: (not sampled):0"].at(0), 7 * kMs);
  EXPECT_EQ(p.message().Integer(12), 627 * kMs / 43);
  EXPECT_EQ(p.String(p.message().integers.at(13).at(1)), "CPU time sampled by signals");
}

// pprof prints comments before every answer, except those that begin with '#'.
TEST(Pprof, TheCommandIsACommentThatAnswersOmit) {
  Exported e;
  Profile p(&e);
  EXPECT_EQ(p.String(p.message().integers.at(13).at(2)),
            "# java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService");
}

TEST(Pprof, LeavesOutACommandThatWasNotRecorded) {
  Exported e;
  e.files().Replace(DUMP_INFO,
                    "java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService", "");
  Profile p(&e);
  EXPECT_EQ(p.message().integers.at(13).size(), 2u);
}

TEST(Pprof, AFilterChangesTheTimes) {
  Exported e;
  struct filter part = MakeFilter(101 * kSecond, 105 * kSecond);
  e.small.Read(&part);
  Profile p(&e);
  EXPECT_EQ(p.message().Integer(9), 1795174657123456789u);
  EXPECT_EQ(p.message().Integer(10), 4000 * kMs);
}

TEST(Pprof, FunctionsHaveTheirSource) {
  Exported e;
  Profile p(&e);
  Message price = p.Function("com.acme.OrderService.price");
  EXPECT_EQ(p.String(price.Integer(4)), "com/acme/OrderService.java");
  EXPECT_EQ(price.Integer(5), 88u);
}

TEST(Pprof, AnEmptyDumpHasNoSamples) {
  Exported e;
  e.Empty();
  e.files().Remove(DUMP_INFO);
  Profile p(&e);
  EXPECT_TRUE(p.Samples().empty());
  EXPECT_EQ(p.message().Integer(9), 0u);
  EXPECT_EQ(p.message().bytes.count(11), 0u);
}

// The lists of values of all samples, as bytes.
std::vector<std::string> ListsOfValues(const std::string &cpu_ns) {
  Exported e;
  e.files().Replace(DUMP_SAMPLES, "Runnable,300000000,1", "Runnable," + cpu_ns + ",1");
  std::vector<std::string> lists;
  Profile p(&e);
  for (const std::string &sample : p.message().bytes.at(2)) {
    lists.push_back(Decode(sample).bytes.at(2).at(0));
  }
  return lists;
}

TEST(PprofProtobuf, WritesVarints) {
  const std::pair<const char *, std::string> numbers[] = {
      {"0", std::string(1, '\0')}, {"127", "\x7F"}, {"128", "\x80\x01"}, {"300", "\xAC\x02"}};
  for (const auto &number : numbers) {
    // The thread has one second of wall-clock time in this stack, and no other values.
    std::string list = number.second + "\x80\x94\xEB\xDC\x03" + std::string(4, '\0');
    std::vector<std::string> lists = ListsOfValues(number.first);
    EXPECT_NE(std::count(lists.begin(), lists.end(), list), 0) << number.first;
  }
}

TEST(PprofProtobuf, WritesFields) {
  Exported e;
  std::string file = Unpack(e.ExportAs("pprof"));
  EXPECT_NE(file.find("\x32\x0Bnanoseconds"), std::string::npos);
  EXPECT_NE(file.find(std::string("\x32\0", 2)), std::string::npos) << "an empty text";
  Profile p(&e);
  Message poll = p.Function("sun.nio.ch.EPoll.wait");
  EXPECT_EQ(poll.integers.count(5), 0u) << "a line that is not known";
  EXPECT_EQ(poll.integers.count(1), 1u);
}

// The data of a gzip file, from the program gzip.
std::string RunGzip(const std::string &file) {
  std::string path = testing::TempDir() + "/profile.gz", unpacked;
  std::ofstream(path, std::ios::binary) << file;
  FILE *gzip = popen(("gzip -dc " + path).c_str(), "r");
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, gzip)) > 0;) unpacked.append(buffer, n);
  EXPECT_EQ(pclose(gzip), 0);
  unlink(path.c_str());
  return unpacked;
}

std::string ExportWithCommand(const std::string &command) {
  Exported e;
  e.files().Replace(
      DUMP_INFO, "java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService", command);
  return e.ExportAs("pprof");
}

TEST(PprofGzip, UnpacksToTheSameBytes) {
  std::string file = Exported().ExportAs("pprof");
  EXPECT_EQ(RunGzip(file), Unpack(file));
}

// The length of the command decides about that of the data.
TEST(PprofGzip, HandlesTheLengthsAroundABlock) {
  size_t rest = RunGzip(ExportWithCommand(std::string(40000, 'a'))).size() - 40000;
  for (size_t len : {0xFFFEu, 0xFFFFu, 0x10000u, 0x1FFFEu, 0x1FFFFu}) {
    std::string command(len - rest, 'a');
    std::string data = RunGzip(ExportWithCommand(command));
    EXPECT_EQ(data.size(), len);
    EXPECT_NE(data.find("# " + command), std::string::npos) << len;
    EXPECT_EQ(Decode(data).bytes[6][0], "") << len;
  }
}

}  // namespace
