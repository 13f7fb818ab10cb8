#include "agent/base/os_thread.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <thread>

#include "agent/base/semaphore.h"
#include "gtest/gtest.h"
#include "tests/support/little_stack.h"

namespace {

TEST(OsThread, HasRoomOnAnOrdinaryStack) {
  EXPECT_TRUE(os_thread_has_room());
  std::thread([] { EXPECT_TRUE(os_thread_has_room()); }).join();
}

TEST(OsThread, HasNoRoomNearTheEndOfTheStack) {
  bool ran = false, has_room = true;
  RunNearStackEnd([&] {
    ran = true;
    has_room = os_thread_has_room();
  });
  EXPECT_TRUE(ran);
  EXPECT_FALSE(has_room);
}

TEST(OsThread, HasSeparateBuffersThatGrow) {
  char *buffers[NUM_OS_THREAD_BUFFERS];
  for (int i = 0; i < NUM_OS_THREAD_BUFFERS; i++) {
    buffers[i] = static_cast<char *>(os_thread_buffer(static_cast<enum os_thread_buffer>(i), 1000));
    ASSERT_NE(buffers[i], nullptr);
    EXPECT_EQ(std::count(buffers[i], buffers[i] + 1000, 0), 1000);
    memset(buffers[i], i, 1000);
  }
  for (int i = 0; i < NUM_OS_THREAD_BUFFERS; i++) {
    EXPECT_EQ(buffers[i][0], i);
    EXPECT_EQ(buffers[i][999], i);
    EXPECT_EQ(os_thread_buffer(static_cast<enum os_thread_buffer>(i), 999), buffers[i]);
  }
  char *large = static_cast<char *>(os_thread_buffer(OS_THREAD_FRAMES, 100000));
  ASSERT_NE(large, nullptr);
  memset(large, 1, 100000);
}

TEST(OsThread, EachThreadHasItsOwnBuffers) {  // AddressSanitizer checks that the buffers are freed
  void *own = os_thread_buffer(OS_THREAD_FRAMES, 100), *other = own;
  std::thread([&] { other = os_thread_buffer(OS_THREAD_FRAMES, 100); }).join();
  EXPECT_NE(other, nullptr);
  EXPECT_NE(own, other);
}

struct semaphore ended;

void *FillSignalMask(void *mask) {
  pthread_sigmask(SIG_SETMASK, nullptr, static_cast<sigset_t *>(mask));
  semaphore_post(&ended);
  return nullptr;
}

TEST(OsThread, StartsAThreadInWhichSignalsAreBlocked) {
  sigset_t mask, before, after;
  sigemptyset(&mask);
  semaphore_init(&ended, 0);
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  ASSERT_EQ(os_thread_start(FillSignalMask, &mask, "orca-test"), 0);
  ASSERT_TRUE(semaphore_wait(&ended, SEMAPHORE_FOREVER));
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  EXPECT_TRUE(sigismember(&mask, SIGTERM));
  EXPECT_TRUE(sigismember(&mask, SIGQUIT));
  EXPECT_EQ(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
}

}  // namespace
