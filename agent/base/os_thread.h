#pragma once
/* What Orca keeps of each thread of the operating system that runs one of its hooks: the bounds of
   the stack, and buffers for frames. A hook runs on the stack of a thread of the program, perhaps
   near its end, so large buffers must not lie there. A virtual thread runs on the stack of its
   carrier. Everything is freed when the thread ends. */
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The stack that a hook needs. HotSpot's guard zones (4 pages of 4 KiB by default: red, yellow,
   reserved) lie at the end of the stack. Before a Java method runs, HotSpot makes sure that its
   shadow zone, StackShadowPages = 20 pages by default, is left before them. So a hook that Java
   calls finds almost 80 KiB. 64 KiB are more than the frames of Orca and of the JVM below it take,
   since no buffer lies on the stack. */
#define OS_THREAD_GUARD ((size_t)16 << 10)
#define OS_THREAD_HEADROOM ((size_t)64 << 10)

/* os_thread_has_room tells whether at least OS_THREAD_HEADROOM bytes of the current thread's stack
   are left before the guard zones. True where the bounds of the stack are not known, or the
   thread runs on a stack of its own making. */
bool os_thread_has_room(void);

/* Buffers that may be in use at the same time. */
enum os_thread_buffer {
  OS_THREAD_FRAMES,      /* the stack that is taken */
  OS_THREAD_MORE_FRAMES, /* a second one that is compared with it, or taken meanwhile */
  OS_THREAD_ASYNC,       /* frames of AsyncGetCallTrace */
  OS_THREAD_TEXT,        /* frames on their way to text */
  NUM_OS_THREAD_BUFFERS
};

/* os_thread_buffer returns a buffer of at least `size` bytes, whose content is undefined; NULL
   without memory. It belongs to the current thread, and is valid until the same buffer is asked
   for again or the thread ends. */
void *os_thread_buffer(enum os_thread_buffer which, size_t size);

#ifdef __cplusplus
}
#endif
