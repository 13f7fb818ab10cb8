// What the way from a thread to the files costs without a JVM:  native [--rounds N] [--part N]
// [--depth N]
//
//   queue    nanoseconds of a push, by 1, 2 and 4 threads at once
//   writer   CPU time of plain write(2) of the same bytes, in pieces of the same size, to that of
//   the
//            writer: 1.00 is as fast as write(2)
//   whole    events a second from threads into files, by wall clock
// Each figure is the median of the rounds, and their spread in brackets. The files are in $TMPDIR.
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

uint64_t CpuNs(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return static_cast<uint64_t>(t.tv_sec) * NS_PER_S + static_cast<uint64_t>(t.tv_nsec);
}

// Calls act(0) … act(n - 1), each in its thread; returns the CPU time of all of them.
template <typename Act>
uint64_t InThreads(unsigned n, const Act &act) {
  std::atomic<uint64_t> cpu_ns{0};
  std::atomic<unsigned> ready{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < n; i++) {
    threads.emplace_back([&, i] {
      for (ready++; ready < n;) std::this_thread::yield();
      act(i);
      cpu_ns += CpuNs(CLOCK_THREAD_CPUTIME_ID);
    });
  }
  for (std::thread &t : threads) t.join();
  return cpu_ns;
}

// --- the queue ----------------------------------------------------------------------------------

void Empty(struct queue *q) {
  static std::vector<struct record> taken(8192);
  uint64_t complete;
  for (unsigned lane = 0; lane < queue_num_lanes(q); lane++) {
    while (queue_take(q, lane, taken.data(), taken.size(), &complete) > 0) continue;
  }
}

// Nanoseconds of CPU time a push, in batches that find room: a full lane is not what is measured.
double PushNs(Pipe *pipe, unsigned threads, unsigned pushes) {
  constexpr unsigned kBatch = 2000;
  std::atomic<uint64_t> cpu_ns{0};
  unsigned done = 0;
  for (; done < pushes; done += kBatch * threads) {
    InThreads(threads, [&](unsigned i) {
      struct record r = {};
      uint64_t start = CpuNs(CLOCK_THREAD_CPUTIME_ID);
      for (unsigned n = 0; n < kBatch; n++) queue_push(pipe->Queue(), pipe->LaneOf(i), &r);
      cpu_ns += CpuNs(CLOCK_THREAD_CPUTIME_ID) - start;
    });
    Empty(pipe->Queue());
  }
  return static_cast<double>(cpu_ns) / done;
}

// --- the writer ---------------------------------------------------------------------------------

struct Written {
  uint64_t bytes, wall_ns, cpu_ns;
};

// Events from threads into files: how long that took, and how much CPU time the writer.
Written Write(Pipe *pipe, const std::string &prefix, unsigned threads, unsigned events) {
  pipe->Begin(prefix, threads, "wait");
  uint64_t process = CpuNs(CLOCK_PROCESS_CPUTIME_ID), self = CpuNs(CLOCK_THREAD_CPUTIME_ID);
  uint64_t start = clock_monotonic_ns();
  uint64_t producers = InThreads(threads, [&](unsigned i) {
    for (unsigned n = i; n < events; n += threads) pipe->Put(i, Pipe::kMonitor);
  });
  uint64_t written = pipe->End();
  Written w;
  w.wall_ns = clock_monotonic_ns() - start;
  w.cpu_ns = CpuNs(CLOCK_PROCESS_CPUTIME_ID) - process - producers -
             (CpuNs(CLOCK_THREAD_CPUTIME_ID) - self);
  w.bytes = std::filesystem::file_size(prefix + ".orca");
  if (written != events + 2 * threads) {
    fprintf(stderr, "bench: of %u events %llu are in the file\n", events,
            static_cast<unsigned long long>(written - 2 * threads));
    exit(1);
  }
  return w;
}

// The same bytes by plain write(2): CPU time.
uint64_t PlainNs(const std::string &path, uint64_t bytes) {
  static const std::vector<char> piece(kPiece, 'x');
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  uint64_t start = CpuNs(CLOCK_THREAD_CPUTIME_ID);
  for (uint64_t done = 0; done < bytes; done += kPiece) {
    if (fd < 0 || write(fd, piece.data(), kPiece) != static_cast<ssize_t>(kPiece)) {
      fprintf(stderr, "bench: cannot write %s: %s\n", path.c_str(), strerror(errno));
      exit(1);
    }
  }
  uint64_t ns = CpuNs(CLOCK_THREAD_CPUTIME_ID) - start;
  close(fd);
  return ns;
}

// --- rows ---------------------------------------------------------------------------------------

void Row(const char *what, const std::string &figure, const char *unit) {
  printf("%-24s %-24s %s\n", what, figure.c_str(), unit);
  fflush(stdout);
}

void MeasureQueue(Pipe *pipe, const Options &o) {
  for (unsigned threads : {1, 2, 4}) {
    Spread ns;
    for (int i = 0; i < o.rounds; i++) ns.Add(PushNs(pipe, threads, kPushes / o.part));
    Row(("queue, threads: " + std::to_string(threads)).c_str(), ns.Text(1), "ns CPU a push");
  }
}

void MeasureWriter(Pipe *pipe, const Options &o, const std::string &folder) {
  const std::string prefix = folder + "/native", plain = folder + "/plain";
  Spread ratio, writer_ns, rate;
  for (int i = 0; i < o.rounds; i++) {
    Written w = Write(pipe, prefix, 2, kEvents / o.part);
    for (const auto &file : std::filesystem::directory_iterator(folder)) remove(file.path());
    uint64_t plain_ns = PlainNs(plain, w.bytes);
    std::filesystem::remove(plain);
    ratio.Add(static_cast<double>(plain_ns) / static_cast<double>(w.cpu_ns));
    writer_ns.Add(static_cast<double>(w.cpu_ns) / (kEvents / o.part));
    rate.Add(kEvents / o.part * 1e3 / static_cast<double>(w.wall_ns));
  }
  Row("writer", ratio.Text(2), "of the speed of write(2)");
  Row("writer", writer_ns.Text(0), "ns CPU an event");
  Row("whole, threads: 2", rate.Text(2), "million events a second, none lost");
}

Options Parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i += 2) {
    int n = i + 1 < argc ? atoi(argv[i + 1]) : 0;
    bool known = false;
    if (strcmp(argv[i], "--rounds") == 0) known = (o.rounds = n) > 0;
    if (strcmp(argv[i], "--depth") == 0) known = (o.depth = n) > 0;
    if (strcmp(argv[i], "--part") == 0) known = (o.part = static_cast<unsigned>(n)) > 0 && n > 0;
    if (known) continue;
    fprintf(stderr, "bench: native takes --rounds N, --depth N and --part N, numbers from 1\n");
    exit(2);
  }
  return o;
}

}  // namespace

int main(int argc, char **argv) {
  Options o = Parse(argc, argv);
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
