#pragma once
/* Ends this process in the middle of its work on files: for programs that are linked with DOOMED
   (tests/cc.bzl). The calls that count are those of open, rename, unlink, link, write and
   ftruncate. One thread. */

#ifdef __cplusplus
extern "C" {
#endif

#define DOOMED_STATUS 77 /* exit status of the process */

/* doomed_begin starts to count. Before the call with this number, from 1, the process ends as if it
   were killed; 0: never. `watch` is called before each call; NULL: nothing is. */
void doomed_begin(unsigned long number, void (*watch)(void));

/* doomed_end stops to count and returns the number of calls. */
unsigned long doomed_end(void);

#ifdef __cplusplus
}
#endif
