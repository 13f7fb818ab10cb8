// Events through the real path at full blast:  blast --events N --files DIR   or   blast --events N
// --sink
//   [--threads N] [--depth N] [--drop]
//
// --files leaves DIR/blast.*, for `orca check`. --sink throws the lines away behind a reader, which
// checks on the way that the times ascend strictly and that each thread's events come all, once and
// in their order. With --drop (overflow=drop) some may be missing, as many as were counted. Every
// tenth of the way prints how far it is and how much memory the process has. Exit status 1 where
// the counts do not add up or something was out of order.
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

[[noreturn]] void Refuse() {
  fprintf(stderr,
          "bench: blast takes --events N (such as 1e8), --files DIR or --sink, --threads N (1 to "
          "64), --depth N (1 to 2048), --drop\n");
  exit(2);
}

double Number(const char *text, double min, double max) {
  char *end;
  double n = strtod(text, &end);
  if (end == text || *end != '\0' || !(n >= min && n <= max)) Refuse();
  return n;
}

Options Parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i++) {
    std::string option = argv[i];
    if (option == "--sink" || option == "--drop") {
      (option == "--sink" ? o.sink : o.drop) = true;
      continue;
    }
    if (++i == argc) Refuse();
    if (option == "--events") {
      o.events = static_cast<uint64_t>(Number(argv[i], 1, 1e12));
    } else if (option == "--files") {
      o.files = argv[i];
    } else if (option == "--threads") {
      o.threads = static_cast<unsigned>(Number(argv[i], 1, 64));
    } else if (option == "--depth") {
      o.depth = static_cast<int>(Number(argv[i], 1, 2048));
    } else {
      Refuse();
    }
  }
  if (o.events == 0 || o.sink == !o.files.empty()) Refuse();
  return o;
}

// MiB of memory that the process has.
double Rss() {
  uint64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// The share of one thread.
uint64_t Share(const Options &o, unsigned thread) {
  return o.events / o.threads + (thread < o.events % o.threads);
}

void Produce(Pipe *pipe, const Options &o, unsigned thread, std::atomic<uint64_t> *pushed) {
  constexpr uint64_t kStep = 1024;
  for (uint64_t n = 0, all = Share(o, thread); n < all; n++) {
    pipe->Put(thread, o.sink ? static_cast<uint32_t>(n) : Pipe::kMonitor);
    if (n % kStep == 0) *pushed += std::min(kStep, all - n);
  }
}

// A line for each tenth of the events.
void Watch(const Options &o, const std::atomic<uint64_t> &pushed) {
  uint64_t start = clock_monotonic_ns();
  printf("%8s %16s %10s %22s\n", "done", "events", "MiB", "million events/s");
  for (uint64_t tenth = 1; tenth <= 10; tenth++) {
    uint64_t goal = o.events / 10 * tenth;
    while (pushed < goal) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    double ns = static_cast<double>(clock_monotonic_ns() - start);
    printf("%6llu %% %16llu %10.1f %22.2f\n", static_cast<unsigned long long>(tenth * 10),
           static_cast<unsigned long long>(pushed.load()), Rss(),
           static_cast<double>(pushed) * 1e3 / ns);
    fflush(stdout);
  }
}

uint64_t Run(Pipe *pipe, const Options &o, const std::string &prefix, Sink *sink) {
  std::atomic<uint64_t> pushed{0};
  std::vector<std::thread> threads;
  pipe->Begin(prefix, o.threads, o.drop ? "drop" : "wait");
  if (sink != nullptr) sink->Start();
  for (unsigned i = 0; i < o.threads; i++) {
    threads.emplace_back([&, i] { Produce(pipe, o, i, &pushed); });
  }
  Watch(o, pushed);
  for (std::thread &t : threads) t.join();
  return pipe->End();
}

}  // namespace

int main(int argc, char **argv) {
  Options o = Parse(argc, argv);
  std::string folder = o.files;
  if (o.sink) {
    folder = (std::filesystem::temp_directory_path() / "orca-blast.XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) Refuse();
  }
  static Pipe &pipe = *new Pipe(o.depth);
  std::string prefix = folder + "/blast";
  auto sink = o.sink ? std::make_unique<Sink>(prefix + ".orca", o.threads, o.drop) : nullptr;
  uint64_t written = Run(&pipe, o, prefix, sink.get()), expected = o.events + 2 * o.threads;
  uint64_t arrived = o.sink ? sink->Finish() : written, faults = o.sink ? sink->Faults() : 0;
  if (o.sink) std::filesystem::remove_all(folder);
  printf(
      "pushed %llu, written %llu, lines %llu, dropped %llu, waited %llu times, out of order %llu\n",
      static_cast<unsigned long long>(expected), static_cast<unsigned long long>(written),
      static_cast<unsigned long long>(arrived), static_cast<unsigned long long>(pipe.Dropped()),
      static_cast<unsigned long long>(pipe.Waited()), static_cast<unsigned long long>(faults));
  bool all = written + pipe.Dropped() == expected && arrived == written;
  return all && faults == 0 && (o.drop || pipe.Dropped() == 0) ? 0 : 1;
}
