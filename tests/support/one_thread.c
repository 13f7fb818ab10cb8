/* Ends a test that starts a thread but is not in tests/threads.bzl: --config=tsan would leave it
   out. The dynamic linker prefers a function of the program to that of libc, also for calls from
   other shared libraries. Calls inside libc, such as that of thrd_create, are not seen. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attr,
                                                          void *(*run)(void *), void *argument) {
  (void)thread, (void)attr, (void)run, (void)argument;
  const char *test = getenv("TEST_TARGET");
  fprintf(stderr, "%s starts a thread: add it to tests/threads.bzl\n",
          test == NULL ? "this test" : test);
  exit(1);
}
