#include "agent/base/os_thread.h"

#include <pthread.h>
#include <string.h>

#include <functional>
#include <thread>

#include "gtest/gtest.h"

namespace {

void *Run(void *act) {
  (*static_cast<std::function<void()> *>(act))();
  return nullptr;
}

// Runs `act` in a thread with a stack of this size.
void WithStack(size_t size, std::function<void()> act) {
  pthread_attr_t attr;
  pthread_t thread;
  pthread_attr_init(&attr);
  ASSERT_EQ(pthread_attr_setstacksize(&attr, size), 0);
  ASSERT_EQ(pthread_create(&thread, &attr, Run, &act), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attr);
}

TEST(OsThread, AnOrdinaryStackHasRoom) {
  EXPECT_TRUE(os_thread_has_room());
  std::thread([] { EXPECT_TRUE(os_thread_has_room()); }).join();
}

TEST(OsThread, ASmallStackHasNone) {
  bool has_room = true;
  WithStack(OS_THREAD_HEADROOM, [&] { has_room = os_thread_has_room(); });
  EXPECT_FALSE(has_room);
}

__attribute__((noinline)) bool HasRoomBelow(size_t used) {
  volatile char *room = static_cast<char *>(__builtin_alloca(used));
  room[0] = 0;
  return os_thread_has_room();
}

TEST(OsThread, TheRoomIsWhatIsLeftNow) {
  const size_t kSize = 1 << 20;
  bool before = false, deep = true, after = false;
  WithStack(kSize, [&] {
    before = os_thread_has_room();
    deep = HasRoomBelow(kSize - OS_THREAD_HEADROOM);
    after = os_thread_has_room();
  });
  EXPECT_TRUE(before);
  EXPECT_FALSE(deep);
  EXPECT_TRUE(after);
}

TEST(OsThread, BuffersOfOneThreadAreDifferentAndGrow) {
  char *buffers[NUM_OS_THREAD_BUFFERS];
  for (int i = 0; i < NUM_OS_THREAD_BUFFERS; i++) {
    buffers[i] = static_cast<char *>(os_thread_buffer(static_cast<enum os_thread_buffer>(i), 1000));
    ASSERT_NE(buffers[i], nullptr);
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

TEST(OsThread, EachThreadHasItsOwnAndTheyEndWithIt) {  // AddressSanitizer tells of a leak
  void *here = os_thread_buffer(OS_THREAD_FRAMES, 100), *there = here;
  std::thread([&] { there = os_thread_buffer(OS_THREAD_FRAMES, 100); }).join();
  EXPECT_NE(there, nullptr);
  EXPECT_NE(here, there);
}

}  // namespace
