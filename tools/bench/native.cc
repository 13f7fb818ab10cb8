// Measures the agent's queue and writer without a JVM:
//     native [--rounds N] [--part N] [--depth N]
//
//   queue    CPU time of a push in nanoseconds, with 1, 2 and 4 threads at once
//   writer   CPU time of write(2) for the same bytes in pieces of the same size, divided by the CPU
//            time of the writer thread: 1.00 is as fast as write(2); also CPU time of each event
//   whole    events each second from the threads into the files, by wall-clock time
//
// Each figure is the median of the rounds, with the minimum and the maximum in brackets. --part N
// measures one N-th of the usual number of events. The files are in $TMPDIR.
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "agent/base/clock.h"
#include "tools/bench/pipe.h"
#include "tools/bench/spread.h"

namespace {

constexpr unsigned kPushes = 2'000'000, kEvents = 1'000'000;
constexpr size_t kPiece = 256 * 1024;  // FLUSH_BYTES of writer.c

struct Options {
  int rounds = 9, depth = 10;
  unsigned part = 1;
};

uint64_t ReadCpuNs(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return static_cast<uint64_t>(t.tv_sec) * NS_PER_S + static_cast<uint64_t>(t.tv_nsec);
}

// Calls act(0) to act(n - 1), each in its own thread. Returns the sum of the CPU times of these
// threads in nanoseconds.
template <typename Act>
uint64_t RunInThreads(unsigned n, const Act &act) {
  std::atomic<uint64_t> cpu_ns{0};
  std::atomic<unsigned> ready{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < n; i++) {
    threads.emplace_back([&, i] {
      for (ready++; ready < n;) std::this_thread::yield();
      act(i);
      cpu_ns += ReadCpuNs(CLOCK_THREAD_CPUTIME_ID);
    });
  }
  for (std::thread &t : threads) t.join();
  return cpu_ns;
}

// --- the queue ----------------------------------------------------------------------------------

void EmptyQueue(struct queue *q) {
  static std::vector<struct record> taken(8192);
  uint64_t complete;
  for (unsigned lane = 0; lane < queue_num_lanes(q); lane++) {
    while (queue_take(q, lane, taken.data(), taken.size(), &complete) > 0) continue;
  }
}

// Returns the CPU time of a push in nanoseconds. The queue is emptied after each batch, so that no
// push finds a full lane.
double MeasurePushNs(Pipe *pipe, unsigned threads, unsigned pushes) {
  constexpr unsigned kBatch = 2000;
  std::atomic<uint64_t> cpu_ns{0};
  unsigned done = 0;
  for (; done < pushes; done += kBatch * threads) {
    RunInThreads(threads, [&](unsigned i) {
      struct record r = {};
      uint64_t start = ReadCpuNs(CLOCK_THREAD_CPUTIME_ID);
      for (unsigned n = 0; n < kBatch; n++) queue_push(pipe->Queue(), pipe->LaneOf(i), &r);
      cpu_ns += ReadCpuNs(CLOCK_THREAD_CPUTIME_ID) - start;
    });
    EmptyQueue(pipe->Queue());
  }
  return static_cast<double>(cpu_ns) / done;
}

// --- the writer ---------------------------------------------------------------------------------

struct WriteCost {
  uint64_t bytes, wall_ns, cpu_ns;
};

// Sends events from `threads` threads into files. Returns the size of the file of events, the
// wall-clock time, and the CPU time of the writer thread: that of the process less that of the
// producers and of this thread.
WriteCost MeasureWrite(Pipe *pipe, const std::string &prefix, unsigned threads, unsigned events) {
  pipe->StartRecording(prefix, threads, "wait");
  uint64_t process = ReadCpuNs(CLOCK_PROCESS_CPUTIME_ID), self = ReadCpuNs(CLOCK_THREAD_CPUTIME_ID);
  uint64_t start = clock_monotonic_ns();
  uint64_t producers = RunInThreads(threads, [&](unsigned i) {
    for (unsigned n = i; n < events; n += threads) pipe->PutEvent(i, Pipe::kMonitor);
  });
  uint64_t written = pipe->StopRecording();
  WriteCost cost;
  cost.wall_ns = clock_monotonic_ns() - start;
  cost.cpu_ns = ReadCpuNs(CLOCK_PROCESS_CPUTIME_ID) - process - producers -
                (ReadCpuNs(CLOCK_THREAD_CPUTIME_ID) - self);
  cost.bytes = std::filesystem::file_size(prefix + ".orca");
  if (written != events + 2 * threads) {
    fprintf(stderr, "bench: the file contains %llu of %u events\n",
            static_cast<unsigned long long>(written - 2 * threads), events);
    exit(1);
  }
  return cost;
}

// Writes `bytes` bytes with write(2). Returns the CPU time in nanoseconds.
uint64_t MeasurePlainWriteNs(const std::string &path, uint64_t bytes) {
  static const std::vector<char> piece(kPiece, 'x');
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  uint64_t start = ReadCpuNs(CLOCK_THREAD_CPUTIME_ID);
  for (uint64_t done = 0; done < bytes; done += kPiece) {
    if (fd < 0 || write(fd, piece.data(), kPiece) != static_cast<ssize_t>(kPiece)) {
      fprintf(stderr, "bench: cannot write %s: %s\n", path.c_str(), strerror(errno));
      exit(1);
    }
  }
  uint64_t ns = ReadCpuNs(CLOCK_THREAD_CPUTIME_ID) - start;
  close(fd);
  return ns;
}

// --- rows ---------------------------------------------------------------------------------------

void PrintRow(const char *name, const std::string &figure, const char *unit) {
  printf("%-24s %-24s %s\n", name, figure.c_str(), unit);
  fflush(stdout);
}

void MeasureQueue(Pipe *pipe, const Options &o) {
  for (unsigned threads : {1, 2, 4}) {
    Spread ns;
    for (int i = 0; i < o.rounds; i++) ns.Add(MeasurePushNs(pipe, threads, kPushes / o.part));
    PrintRow(("queue, threads: " + std::to_string(threads)).c_str(), ns.Text(1),
             "ns of CPU time a push");
  }
}

void MeasureWriter(Pipe *pipe, const Options &o, const std::string &folder) {
  const std::string prefix = folder + "/native", plain = folder + "/plain";
  Spread ratio, writer_ns, rate;
  for (int i = 0; i < o.rounds; i++) {
    WriteCost cost = MeasureWrite(pipe, prefix, 2, kEvents / o.part);
    for (const auto &file : std::filesystem::directory_iterator(folder)) remove(file.path());
    uint64_t plain_ns = MeasurePlainWriteNs(plain, cost.bytes);
    std::filesystem::remove(plain);
    ratio.Add(static_cast<double>(plain_ns) / static_cast<double>(cost.cpu_ns));
    writer_ns.Add(static_cast<double>(cost.cpu_ns) / (kEvents / o.part));
    rate.Add(kEvents / o.part * 1e3 / static_cast<double>(cost.wall_ns));
  }
  PrintRow("writer", ratio.Text(2), "of the speed of write(2)");
  PrintRow("writer", writer_ns.Text(0), "ns of CPU time an event");
  PrintRow("whole, threads: 2", rate.Text(2), "million events a second, none dropped");
}

Options ParseOptions(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i += 2) {
    int n = i + 1 < argc ? atoi(argv[i + 1]) : 0;
    bool is_valid = false;
    if (strcmp(argv[i], "--rounds") == 0) is_valid = (o.rounds = n) > 0;
    if (strcmp(argv[i], "--depth") == 0) is_valid = (o.depth = n) > 0;
    if (strcmp(argv[i], "--part") == 0) is_valid = (o.part = static_cast<unsigned>(n)) > 0 && n > 0;
    if (is_valid) continue;
    fprintf(stderr, "bench: native takes --rounds N, --depth N and --part N, with N from 1\n");
    exit(2);
  }
  return o;
}

}  // namespace

int main(int argc, char **argv) {
  Options o = ParseOptions(argc, argv);
  std::string folder = (std::filesystem::temp_directory_path() / "orca-native.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    fprintf(stderr, "bench: cannot make a folder %s: %s\n", folder.c_str(), strerror(errno));
    return 1;
  }
  static Pipe &pipe = *new Pipe(o.depth);
  MeasureQueue(&pipe, o);
  MeasureWriter(&pipe, o, folder);
  std::filesystem::remove_all(folder);
  return 0;
}
