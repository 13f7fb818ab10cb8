// Sends events through the agent's queue and writer as fast as possible:
//     blast --events N --files DIR [--threads N] [--depth N] [--drop]
//     blast --events N --sink [--threads N] [--depth N] [--drop]
//
// --files writes the dump DIR/blast.*, for `orca check`. --sink reads the lines back, checks them
// and discards them: times ascend strictly, and each thread's events arrive once and in order. With
// --drop (overflow=drop) events may be missing, and their number must equal the dropped counter.
//
// Prints the progress, the memory of the process and the rate after each tenth of the events. The
// exit status is 1 if the counts do not add up or a line was out of order.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "agent/base/clock.h"
#include "tools/bench/pipe.h"
#include "tools/bench/sink.h"

namespace {

struct Options {
  uint64_t events = 0;
  std::string files;
  bool sink = false, drop = false;
  unsigned threads = 4;
  int depth = 1;
};

[[noreturn]] void PrintUsageAndExit() {
  fprintf(stderr,
          "bench: blast takes --events N (such as 1e8), --files DIR or --sink, --threads N (1 to "
          "64), --depth N (1 to 2048), --drop\n");
  exit(2);
}

double ParseNumber(const char *text, double min, double max) {
  char *end;
  double n = strtod(text, &end);
  if (end == text || *end != '\0' || !(n >= min && n <= max)) PrintUsageAndExit();
  return n;
}

Options ParseOptions(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i++) {
    std::string option = argv[i];
    if (option == "--sink" || option == "--drop") {
      (option == "--sink" ? o.sink : o.drop) = true;
      continue;
    }
    if (++i == argc) PrintUsageAndExit();
    if (option == "--events") {
      o.events = static_cast<uint64_t>(ParseNumber(argv[i], 1, 1e12));
    } else if (option == "--files") {
      o.files = argv[i];
    } else if (option == "--threads") {
      o.threads = static_cast<unsigned>(ParseNumber(argv[i], 1, 64));
    } else if (option == "--depth") {
      o.depth = static_cast<int>(ParseNumber(argv[i], 1, 2048));
    } else {
      PrintUsageAndExit();
    }
  }
  if (o.events == 0 || o.sink == !o.files.empty()) PrintUsageAndExit();
  return o;
}

// Returns the resident memory of the process in MiB.
double ReadResidentMib() {
  uint64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Returns the number of events that the thread (from 0) has to send.
uint64_t CountEventsOfThread(const Options &o, unsigned thread) {
  return o.events / o.threads + (thread < o.events % o.threads);
}

// Sends the events of one thread. Counts them in `pushed` in steps of 1024.
void SendEvents(Pipe *pipe, const Options &o, unsigned thread, std::atomic<uint64_t> *pushed) {
  constexpr uint64_t kStep = 1024;
  for (uint64_t n = 0, all = CountEventsOfThread(o, thread); n < all; n++) {
    pipe->PutEvent(thread, o.sink ? static_cast<uint32_t>(n) : Pipe::kMonitor);
    if (n % kStep == 0) *pushed += std::min(kStep, all - n);
  }
}

// Prints a line after each tenth of the events.
void PrintProgress(const Options &o, const std::atomic<uint64_t> &pushed) {
  uint64_t start = clock_monotonic_ns();
  printf("%8s %16s %10s %22s\n", "done", "events", "MiB", "million events/s");
  for (uint64_t tenth = 1; tenth <= 10; tenth++) {
    uint64_t goal = o.events / 10 * tenth;
    while (pushed < goal) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    double ns = static_cast<double>(clock_monotonic_ns() - start);
    printf("%6llu %% %16llu %10.1f %22.2f\n", static_cast<unsigned long long>(tenth * 10),
           static_cast<unsigned long long>(pushed.load()), ReadResidentMib(),
           static_cast<double>(pushed) * 1e3 / ns);
    fflush(stdout);
  }
}

// Records all events. Returns the number of events that the writer counted.
uint64_t RecordEvents(Pipe *pipe, const Options &o, const std::string &prefix, Sink *sink) {
  std::atomic<uint64_t> pushed{0};
  std::vector<std::thread> threads;
  pipe->StartRecording(prefix, o.threads, o.drop ? "drop" : "wait");
  if (sink != nullptr) sink->StartReading();
  for (unsigned i = 0; i < o.threads; i++) {
    threads.emplace_back([&, i] { SendEvents(pipe, o, i, &pushed); });
  }
  PrintProgress(o, pushed);
  for (std::thread &t : threads) t.join();
  return pipe->StopRecording();
}

}  // namespace

int main(int argc, char **argv) {
  Options o = ParseOptions(argc, argv);
  std::string folder = o.files;
  if (o.sink) {
    folder = (std::filesystem::temp_directory_path() / "orca-blast.XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) PrintUsageAndExit();
  }
  static Pipe &pipe = *new Pipe(o.depth);
  std::string prefix = folder + "/blast";
  auto sink = o.sink ? std::make_unique<Sink>(prefix + ".orca", o.threads, o.drop) : nullptr;
  uint64_t written = RecordEvents(&pipe, o, prefix, sink.get()),
           expected = o.events + 2 * o.threads;
  uint64_t arrived = o.sink ? sink->WaitForEnd() : written, faults = o.sink ? sink->NumFaults() : 0;
  if (o.sink) std::filesystem::remove_all(folder);
  printf(
      "pushed %llu, written %llu, lines %llu, dropped %llu, waited %llu times, out of order %llu\n",
      static_cast<unsigned long long>(expected), static_cast<unsigned long long>(written),
      static_cast<unsigned long long>(arrived), static_cast<unsigned long long>(pipe.NumDropped()),
      static_cast<unsigned long long>(pipe.NumWaits()), static_cast<unsigned long long>(faults));
  bool is_complete = written + pipe.NumDropped() == expected && arrived == written;
  return is_complete && faults == 0 && (o.drop || pipe.NumDropped() == 0) ? 0 : 1;
}
