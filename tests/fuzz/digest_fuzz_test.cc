// Runs digest_fuzz on each kind of line, on each prefix of the file, and on changes of each byte.
#include <cstdint>
#include <string>

#include "gtest/gtest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

const char kLines[] =
    "info,options=out,depth=7\n"
    "info,end.monotonic=20.0000000000\n"
    "class,1.0000000000,000000C1,Lcom/acme/Cart;,Cart.java\n"
    "method,1.0000000000,00000007,add,()V,000000C1,0\n"
    "value,threads,12\n"
    "value,end.ticks,900000000000\n"
    "value,cpu.ns,1000\n"
    "task,Gc,5,6\n"
    "sum,method,,00000007,00000007,42,1000,0\n"
    "sum,lock,read,000000C1,FFFFFF01,43,2000,3\n"
    "sum,lock,monitor,FFFFFFFF,00000007,44,2000,3\n"
    "sum,wait,ThreadSleep,00000000,00000000,44,999999999999999999,4\n"
    "cut,lock,9,8,7,6,5\n"
    "scale,1500\n"
    "unproven,io,a\n"
    "figure,deadlock,4,5,43,b,c,d\n"
    "figure,lock,4,5,43,b,e,d\n"
    "lock.sorts,e,monitor,read\n"
    "more.waits,monitor,7,9000000\n";

void Feed(const std::string &input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
}

std::string MakeDigest(const std::string &lines) {
  size_t num = 1;
  for (char c : lines) num += c == '\n';
  return "orca.digest,1\n" + lines + "end," + std::to_string(num) + "\n";
}

TEST(DigestFuzz, AcceptsSeeds) { Feed(MakeDigest(kLines)); }

TEST(DigestFuzz, AcceptsEveryPrefix) {
  const std::string file = MakeDigest(kLines);
  for (size_t len = 0; len <= file.size(); len++) Feed(file.substr(0, len));
}

TEST(DigestFuzz, AcceptsChangedBytes) {
  const std::string lines = kLines;
  for (size_t at = 0; at < lines.size(); at += 7) {
    for (char other : {'9', ',', '\0', '\xff'}) {
      std::string changed = lines;
      changed[at] = other;
      Feed(MakeDigest(changed));
    }
  }
}

}  // namespace
