// Runs line_fuzz on the lines of recordings, on a line of each kind, on each prefix of it, and on
// changes of each of its bytes.
#include <cstdint>
#include <sstream>
#include <string>

#include "tests/fuzz/recordings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

const char *const kLines[] = {
    "480182.0012345670,ObjectWait,0A1B2C3D,15DB9742,2;00000007;FFFFFFFF;00000012;0000001C",
    "480182.0012345670,MonitorContendedEnter,0A1B2C3D,15DB9742,00000000,0",
    "480182.0012345670,ThreadSleep,0A1B2C3D,1;00000007;FFFFFFFF",
    "480182.0012345670,ThreadStarted,0A1B2C3D,pool-1 \\u002C\xf0\x9f\x98\x80",
    "480182.0012345670,ThreadEnded,0A1B2C3D",
    "480182.0012345670,15DB9742,LPingPong;,PingPong.java",
    "480182.0012345670,19831020,main,()V,15DB9742,2;00000000;00000046;00000008;00000047",
    "480182.0012345670,0A1B2C3D,15DB9742",
    "480182.0012345670,Tick,17,81000,12",
    "480182.0012345670,Stack,5,1;00000007;FFFFFFFF",
    "480182.0012345670,Sample,0A1B2C3D,TimedParked,-1,5",
    "480182.0012345670,Cpu,0A1B2C3D,4000000,5,Unsampled",
    "480182.0012345670,Process,4000000,-1",
    "480182.0012345670,Task,4711,Jit,4000000,-1,C2 CompilerThre",
    "480182.0012345670,Sched,0A1B2C3D,70000",
    "480182.0012345670,Pause,Gc,81000",
    "480182.0012345670,LockAcquired,15DB9742,81000",
    "480182.0012345670,SemaphoreAcquired,15DB9742,+7",
    "480182.0012345670,LockAcquire,00000000,30,60000000,3000000,0",
    "480182.0012345670,TaskQueued,15DB9742,7,60000000,3000000,1;00000007;FFFFFFFF",
    "command=java -cp a\\u000Ab,c",
    "\xed\xa0\xbd\xed\xb8\x80\xc0\x80,\\\n",
};

void Feed(const std::string &input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
}

TEST(LineFuzz, AcceptsNoInput) { Feed(""); }

TEST(LineFuzz, AcceptsSeeds) {
  for (const std::string line : kLines) Feed(line);
  for (const std::string &recording : MakeValidInputs()) {
    std::istringstream in(recording);
    for (std::string line; std::getline(in, line);) Feed(line);
  }
}

TEST(LineFuzz, AcceptsEveryPrefix) {
  for (const std::string line : kLines) {
    for (size_t len = 0; len <= line.size(); len++) Feed(line.substr(0, len));
  }
}

TEST(LineFuzz, AcceptsChangedBytes) {
  for (const std::string line : kLines) {
    for (size_t at = 0; at < line.size(); at++) {
      for (char other : {'0', '9', ',', ';', '=', '\\', '\n', '\0', '\xff', '\xed'}) {
        std::string input = line;
        input[at] = other;
        Feed(input);
      }
    }
  }
}

}  // namespace
