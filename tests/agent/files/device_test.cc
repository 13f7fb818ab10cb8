#include "agent/files/device.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/support/eventually.h"

namespace {

// What the wrapped statx does.
std::atomic<bool> is_stuck{false}, is_unknown{false};

// The last folder. A thread that was late may still ask when the test waits for the next one.
std::mutex mutex;
std::string asked;

void SetAsked(const char *folder) {
  std::lock_guard<std::mutex> lock(mutex);
  asked = folder;
}

std::string ReadAsked() {
  std::lock_guard<std::mutex> lock(mutex);
  return asked;
}

void WaitWhileStuck() {
  while (is_stuck) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

extern "C" long __real_syscall(long number, ...);
extern "C" long __wrap_syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (long &argument : a) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_statx) {
    SetAsked(reinterpret_cast<const char *>(a[1]));
    WaitWhileStuck();
    errno = ENOSYS;
    if (is_unknown) return -1;
  }
  return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

namespace {

TEST(Device, AnswersForTheFolderOfAPath) {
  const struct {
    const char *path, *folder;
  } cases[] = {{"/tmp/dump", "/tmp"}, {"/dump", "/"}, {"dump", "."}, {"a/b/dump", "a/b"}};
  for (const auto &c : cases) {
    EXPECT_TRUE(device_answers(c.path, kPatienceNs)) << c.path;
    EXPECT_EQ(ReadAsked(), c.folder);
  }
}

TEST(Device, AnErrorIsAnAnswer) { EXPECT_TRUE(device_answers("/missing/dump", kPatienceNs)); }

TEST(Device, AnOldKernelIsAskedInAnotherWay) {
  is_unknown = true;
  EXPECT_TRUE(device_answers("/tmp/dump", kPatienceNs));
  is_unknown = false;
}

TEST(Device, IsWaitedForOnlySoLong) {
  is_stuck = true;
  uint64_t start = clock_monotonic_ns();
  EXPECT_FALSE(device_answers("/tmp/dump", 50 * NS_PER_MS));
  EXPECT_GE(clock_monotonic_ns() - start, 50 * NS_PER_MS);
  EXPECT_FALSE(device_answers("/tmp/dump", 0));
  is_stuck = false;
  EXPECT_TRUE(device_answers("/tmp/dump", kPatienceNs));  // the two threads end, too
}

}  // namespace
