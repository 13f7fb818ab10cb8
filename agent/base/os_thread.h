#pragma once
/* Data for each thread of the operating system that runs Orca's hooks: the bounds of its stack, and
   buffers for frames. A hook runs on the stack of a thread of the program, perhaps near its end. So
   large buffers must not be on the stack. A virtual thread runs on the stack of its
   carrier. The data is freed when the thread ends. Also starts threads that only Orca knows. */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* The stack that a hook needs, in bytes. HotSpot's guard zones (red, yellow, reserved: by default 4
   pages of 4 KiB) are at the end of the stack. Before a Java method runs, HotSpot checks that the
   shadow zone (StackShadowPages, by default 20 pages) is free before the guard zones. So a hook
   that Java calls has almost 80 KiB. 64 KiB are more than the frames of Orca and of the JVM
   functions that it calls need. */
#define OS_THREAD_GUARD ((size_t)16 << 10)
#define OS_THREAD_HEADROOM ((size_t)64 << 10)

/* os_thread_has_room returns whether at least OS_THREAD_HEADROOM bytes of the current thread's
   stack are free before the guard zones. It returns true when the bounds of the stack are unknown,
   or when the thread runs on another stack than the one that pthread knows. */
bool os_thread_has_room(void);

/* os_thread_has_ample_room returns whether twice as much is free: so much that a hook at the exit
   of the same method will have room, too. */
bool os_thread_has_ample_room(void);

/* A thread has one buffer of each kind. */
enum os_thread_buffer {
  OS_THREAD_FRAMES,      /* the frames of a stack */
  OS_THREAD_MORE_FRAMES, /* a second stack, while the first one is in use */
  OS_THREAD_NEAR,        /* struct near_memory, which stays from call to call */
  OS_THREAD_OBJECTS,     /* objects of its last calls, which stay too */
  OS_THREAD_TEXT,        /* MethodIDs and locations, before they become text */
  NUM_OS_THREAD_BUFFERS
};

/* os_thread_buffer returns the current thread's buffer of this kind, with at least `size` bytes:
   all zero if no call asked for so many before, else what was in it. The buffer is valid until the
   next call for the same kind, or until the thread ends. Returns NULL without memory. */
void *os_thread_buffer(enum os_thread_buffer which, size_t size);

/* os_thread_start starts a detached thread that is not known to the JVM, with a small stack.
   Signals are blocked in it, so that no handler of the JVM runs there. `name` has at most 15 bytes.
   Returns 0, or the errno of pthread_create. */
int os_thread_start(void *(*run)(void *), void *arg, const char *name);

END_C
