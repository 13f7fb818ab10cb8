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

constexpr size_t kBufferSize = 1 << 20;
constexpr int kPipeSize = 1 << 20;

// The name of the events, as in "ObjectNotify,0000000A,00000007,...".
constexpr char kEvent[] = "ObjectNotify,";
constexpr size_t kEventLen = sizeof kEvent - 1;

uint32_t ParseHash(const char *digits) {
  uint32_t hash = 0;
  text_parse_hash({digits, 8}, &hash);
  return hash;
}

}  // namespace

Sink::Sink(const std::string &path, unsigned num_threads, bool can_lose_events)
    : can_lose_events_(can_lose_events), next_object_(num_threads + 1) {
  if (mkfifo(path.c_str(), 0600) != 0 ||
      (fd_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) < 0) {
    fprintf(stderr, "bench: cannot make %s: %s\n", path.c_str(), strerror(errno));
    exit(1);
  }
  fcntl(fd_, F_SETPIPE_SZ, kPipeSize);  // only for speed, so errors are ignored
}

void Sink::StartReading() {
  fcntl(fd_, F_SETFL, 0);  // the FIFO has a writer now, so reads may block
  reader_ = std::thread([this] { ReadLines(); });
}

uint64_t Sink::WaitForEnd() {
  reader_.join();
  close(fd_);
  return lines_;
}

void Sink::ReadLines() {
  std::vector<char> buffer(kBufferSize);
  size_t held = 0;
  for (ssize_t n; (n = read(fd_, buffer.data() + held, kBufferSize - held)) > 0;) {
    held += static_cast<size_t>(n);
    size_t used = CheckLines(buffer.data(), held);
    held -= used;
    memmove(buffer.data(), buffer.data() + used, held);
  }
  if (held > 0) faults_++;
}

// Checks the complete lines of `data`. Returns their length.
size_t Sink::CheckLines(const char *data, size_t len) {
  const char *at = data, *end = data + len;
  while (const void *newline = memchr(at, '\n', static_cast<size_t>(end - at))) {
    const char *after = static_cast<const char *>(newline) + 1;
    CheckLine(at, static_cast<size_t>(after - at));
    at = after;
  }
  return static_cast<size_t>(at - data);
}

// Times have no leading zeros, so a longer one is later, and times of equal length compare as text.
void Sink::CheckLine(const char *line, size_t len) {
  const char *comma = static_cast<const char *>(memchr(line, ',', len));
  size_t time_len = comma == nullptr ? 0 : static_cast<size_t>(comma - line);
  bool is_longer = time_len > last_time_.size();
  bool is_later =
      is_longer || (time_len == last_time_.size() && memcmp(line, last_time_.data(), time_len) > 0);
  lines_++;
  if (!is_later) faults_++;
  last_time_.assign(line, time_len);
  if (len < time_len + 1 + kEventLen + 2 * sizeof "00000000") return;
  if (memcmp(comma + 1, kEvent, kEventLen) == 0) CheckEvent(comma + 1 + kEventLen);
}

void Sink::CheckEvent(const char *thread_and_object) {
  uint32_t thread = ParseHash(thread_and_object),
           object = ParseHash(thread_and_object + sizeof "00000000");
  if (thread >= next_object_.size()) {
    faults_++;
    return;
  }
  if (can_lose_events_ ? object < next_object_[thread] : object != next_object_[thread]) faults_++;
  next_object_[thread] = object + 1;
}
