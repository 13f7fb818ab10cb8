// Runs each command line of views_fuzz on valid dumps, on prefixes of one, on changes of its bytes,
// and on files that are not a dump.
#include <cstdint>
#include <random>
#include <string>

#include "tests/fuzz/command_lines.h"
#include "tests/fuzz/recordings.h"
#include "tests/tools/orca/model/cpu_lines.h"
#include "tests/tools/orca/model/small_dump.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

// Runs all command lines, or each `step`th one from `first` on. Discards their output.
void Feed(const std::string &recording, size_t first = 0, size_t step = 1) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for (size_t line = first; line < kNumCommandLines; line += step) {
    std::string input = static_cast<char>(line) + recording;
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
  }
  fflush(stdout);
  testing::internal::GetCapturedStdout();
  testing::internal::GetCapturedStderr();
}

std::string MakeSmallInput() {
  DumpFiles files;
  WriteSmallDump(&files);
  return JoinFiles(files);
}

TEST(ViewsFuzz, AcceptsNoInput) {
  LLVMFuzzerTestOneInput(nullptr, 0);
  Feed("");
}

TEST(ViewsFuzz, AcceptsSeeds) {
  for (const std::string &recording : MakeValidInputs()) Feed(recording);
}

TEST(ViewsFuzz, AcceptsCpuLines) {
  DumpFiles files;
  WriteSmallDump(&files);
  AddCpuLines(&files);
  Feed(JoinFiles(files));
  for (const char *fields :
       {"00000002,9223372036854775807,1,Java", "00000003,9223372036854775807,0,Unsampled",
        "00000004,9223372036854775807,99,Vm", "00000001,9223372036854775807,2,Lost"}) {
    AddCpu(&files, fields, 3);
    Feed(JoinFiles(files));
  }
}

// Odd and even command lines take turns, which saves half of the time.
TEST(ViewsFuzz, AcceptsPrefixes) {
  std::string valid = MakeSmallInput();
  for (size_t len = 0; len <= valid.size(); len += 97) Feed(valid.substr(0, len), len % 2, 2);
}

TEST(ViewsFuzz, AcceptsChangedBytes) {
  const std::string valid = MakeSmallInput();
  const char others[] = {'0', 'F', ',', ';', '\n', '\0', '\xFE'};
  for (size_t at = 0; at < valid.size(); at += 53) {
    std::string input = valid;
    input[at] = others[at % sizeof others];
    Feed(input, at % 2, 2);
  }
}

// All files are a PNG image, then one of them is.
TEST(ViewsFuzz, AcceptsOtherFormats) {
  std::mt19937 random(1);
  std::string picture("\x89PNG\r\n\x1A\n", 8);
  for (int i = 0; i < 5000; i++) picture += static_cast<char>(random() % 255);
  Feed(picture + '\xFF' + picture + '\xFF' + picture + '\xFF' + picture + '\xFF' + picture);
  DumpFiles files;
  for (int file = 0; file < NUM_DUMP_FILES; file++) {
    WriteSmallDump(&files);
    files.Write(static_cast<enum dump_file>(file), picture);
    Feed(JoinFiles(files));
  }
}

// The largest numbers that the format allows, and times out of order.
TEST(ViewsFuzz, AcceptsHugeNumbers) {
  DumpFiles files;
  WriteSmallDump(&files);
  files.Write(DUMP_COUNTS,
              "1.0000000000,SemaphoreAcquired,000000A3,9223372036854775807\n"
              "1.0000000000,LockAcquired,000000A1,9223372036854775807\n");
  files.Append(DUMP_SAMPLES,
               "0.0000000000,Tick,9223372036854775807,9223372036854775807,9223372036854775807\n"
               "0.0000000000,Sample,00000002,Runnable,9223372036854775807,9223372036854775807\n"
               "1844674406.0000000000,Sample,00000002,Runnable,9223372036854775807,1\n");
  files.Append(DUMP_EVENTS,
               "0.0000000000,ThreadSleep,00000002,0\n"
               "1844674406.0000000000,ThreadSlept,00000002,0\n"
               "18446744073.0000000000,ThreadSlept,00000002,0\n");
  Feed(JoinFiles(files));
  files.Append(DUMP_INFO, "start.monotonic=1844674406.9999999999\nend.monotonic=0.0000000000\n");
  Feed(JoinFiles(files));
}

}  // namespace
