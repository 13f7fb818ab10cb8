#include "tests/fuzz/recordings.h"

#include <sstream>

#include "tests/tools/orca/model/cpu_lines.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr int kMaxLines = 150;  // of events and of samples; a fuzzer is slow with long inputs

std::string ReadRecordedFile(const std::string &name, enum dump_file file) {
  std::ifstream in("tests/data/" + name + dump_suffixes[file], std::ios::binary);
  EXPECT_TRUE(in.good()) << name << dump_suffixes[file];
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string TakeFirstLines(const std::string &text) {
  size_t end = 0;
  for (int i = 0; i < kMaxLines && end < text.size(); i++) {
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  }
  return text.substr(0, end);
}

// Returns the lines whose id, the second field, is in the other text.
std::string TakeMentionedLines(const std::string &lines, const std::string &other) {
  std::istringstream in(lines);
  std::string taken;
  for (std::string line; std::getline(in, line);) {
    std::string id = line.substr(line.find(',') + 1, 8);
    if (other.find(id) != std::string::npos) taken += line + '\n';
  }
  return taken;
}

void WritePart(DumpFiles *files, const std::string &name) {
  std::string events = TakeFirstLines(ReadRecordedFile(name, DUMP_EVENTS));
  std::string samples = TakeFirstLines(ReadRecordedFile(name, DUMP_SAMPLES));
  std::string methods = TakeMentionedLines(ReadRecordedFile(name, DUMP_METHODS), events + samples);
  std::string objects = TakeMentionedLines(ReadRecordedFile(name, DUMP_OBJECTS), events + samples);
  std::string classes = TakeMentionedLines(ReadRecordedFile(name, DUMP_CLASSES), methods + objects);
  files->Write(DUMP_EVENTS, events);
  files->Write(DUMP_SAMPLES, samples);
  files->Write(DUMP_METHODS, methods);
  files->Write(DUMP_OBJECTS, objects);
  files->Write(DUMP_CLASSES, classes);
  files->Write(DUMP_INFO, ReadRecordedFile(name, DUMP_INFO));
  files->Write(DUMP_COUNTS, ReadRecordedFile(name, DUMP_COUNTS));
}

// Adds what a recording with a threshold has besides the sums of AddShortCalls: sums without an
// object, those of tasks and of starts of threads, numbers to be added, and the threads that it
// left out.
void AddOtherCounts(DumpFiles *files) {
  files->Replace(DUMP_INFO, "threshold.pairs=1710", "threshold.pairs=1818");
  files->Append(DUMP_INFO, "threshold.threads=12\n");
  files->Append(DUMP_COUNTS,
                "109.6000000000,MonitorContendedEnter,00000000,30,60000000,3000000,0\n"
                "109.6000000001,LockAcquire,00000000,30,60000000,3000000,0\n"
                "109.6000000002,ObjectWait,00000000,8,60000000,9000000,0\n"
                "109.6000000003,TaskQueued,00000000,40,90000000,9000000,0\n"
                "109.6000000004,ExecutorSubmit,00000000,40,0,0,0\n"
                "109.6000000005,ThreadStart,00000000,12,0,0,0\n"
                "109.6000000006,SemaphoreAcquired,000000A3,+2\n"
                "109.6000000007,LockAcquired,000000A2,+5\n");
}

}  // namespace

std::string JoinFiles(const DumpFiles &files) {
  std::string input;
  for (int file = 0; file < NUM_DUMP_FILES; file++) {
    input += files.Text(static_cast<enum dump_file>(file)) + '\xFF';
  }
  return input;
}

std::vector<std::string> MakeValidInputs() {
  DumpFiles files;
  std::vector<std::string> inputs;
  WriteGoodDump(&files);
  inputs.push_back(JoinFiles(files));
  WriteSmallDump(&files);
  files.Write(DUMP_COUNTS, "101.0000000000,SemaphoreAcquired,000000A3,2\n");
  AddShortCalls(&files);
  inputs.push_back(JoinFiles(files));
  AddOtherCounts(&files);
  inputs.push_back(JoinFiles(files));
  AddCpuLines(&files);
  inputs.push_back(JoinFiles(files));
  for (const char *name : {"locks-0.1-jdk17", "deadlock-0.1-jdk25"}) {
    WritePart(&files, name);
    inputs.push_back(JoinFiles(files));
  }
  return inputs;
}
