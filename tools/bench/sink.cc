#include "tools/bench/sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "agent/base/text.h"

namespace {

constexpr size_t kRoom = 1 << 20;
constexpr int kPipeSize = 1 << 20;

// Of "ObjectNotify,0000000A,00000007,…" the event's name.
constexpr char kEvent[] = "ObjectNotify,";
constexpr size_t kEventLen = sizeof kEvent - 1;

uint32_t Hash(const char *digits) {
  uint32_t hash = 0;
  text_parse_hash({digits, 8}, &hash);
  return hash;
}

}  // namespace

Sink::Sink(const std::string &path, unsigned num_threads, bool lossy)
    : lossy_(lossy), next_(num_threads + 1) {
  if (mkfifo(path.c_str(), 0600) != 0 ||
      (fd_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) < 0) {
    fprintf(stderr, "bench: cannot make %s: %s\n", path.c_str(), strerror(errno));
    exit(1);
  }
  fcntl(fd_, F_SETPIPE_SZ, kPipeSize);  // smaller is slower, no more
}

void Sink::Start() {
  fcntl(fd_, F_SETFL, 0);  // the writer is there: from now on wait for its lines
  reader_ = std::thread([this] { Read(); });
}

uint64_t Sink::Finish() {
  reader_.join();
  close(fd_);
  return lines_;
}

void Sink::Read() {
  std::vector<char> room(kRoom);
  size_t held = 0;
  for (ssize_t n; (n = read(fd_, room.data() + held, kRoom - held)) > 0;) {
    held += static_cast<size_t>(n);
    size_t taken = TakeLines(room.data(), held);
    held -= taken;
    memmove(room.data(), room.data() + taken, held);
  }
  if (held > 0) faults_++;
}

size_t Sink::TakeLines(const char *data, size_t len) {
  const char *at = data, *end = data + len;
  while (const void *newline = memchr(at, '\n', static_cast<size_t>(end - at))) {
    const char *behind = static_cast<const char *>(newline) + 1;
    TakeLine(at, static_cast<size_t>(behind - at));
    at = behind;
  }
  return static_cast<size_t>(at - data);
}

// Times of equal length compare as their text does.
void Sink::TakeLine(const char *line, size_t len) {
  const char *comma = static_cast<const char *>(memchr(line, ',', len));
  size_t time_len = comma == nullptr ? 0 : static_cast<size_t>(comma - line);
  bool longer = time_len > last_time_.size();
  bool later =
      longer || (time_len == last_time_.size() && memcmp(line, last_time_.data(), time_len) > 0);
  lines_++;
  if (!later) faults_++;
  last_time_.assign(line, time_len);
  if (len < time_len + 1 + kEventLen + 2 * sizeof "00000000") return;
  if (memcmp(comma + 1, kEvent, kEventLen) == 0) TakeEvent(comma + 1 + kEventLen);
}

void Sink::TakeEvent(const char *thread_and_object) {
  uint32_t thread = Hash(thread_and_object), object = Hash(thread_and_object + sizeof "00000000");
  if (thread >= next_.size()) {
    faults_++;
    return;
  }
  if (lossy_ ? object < next_[thread] : object != next_[thread]) faults_++;
  next_[thread] = object + 1;
}
