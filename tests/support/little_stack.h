#pragma once
// Runs a function on a thread that is near the end of its stack.
#include <pthread.h>

#include <functional>

#include "agent/base/os_thread.h"

namespace little_stack {

inline char *FindEnd() {
  pthread_attr_t attr;
  void *low = nullptr;
  size_t size = 0;
  pthread_getattr_np(pthread_self(), &attr);
  pthread_attr_getstack(&attr, &low, &size);
  pthread_attr_destroy(&attr);
  return static_cast<char *>(low);
}

// Uses up the stack except for slightly less than a hook needs, and runs `act`.
__attribute__((noinline)) inline void *RunNearEnd(void *act) {
  const size_t kLeft = OS_THREAD_GUARD + OS_THREAD_HEADROOM - 8192;
  char *here = static_cast<char *>(__builtin_frame_address(0));
  volatile char *used =
      static_cast<char *>(__builtin_alloca(static_cast<size_t>(here - FindEnd()) - kLeft));
  used[0] = 0;
  (*static_cast<const std::function<void()> *>(act))();
  used[0] = 1; /* so that the compiler keeps the memory during the call */
  return nullptr;
}

}  // namespace little_stack

// Runs `act` on a new thread, with too little stack left for a hook.
inline void RunNearStackEnd(std::function<void()> act) {
  pthread_attr_t attr;
  pthread_t thread;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, 1 << 20);
  if (pthread_create(&thread, &attr, little_stack::RunNearEnd, &act) == 0)
    pthread_join(thread, nullptr);
  pthread_attr_destroy(&attr);
}
