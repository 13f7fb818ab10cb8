#pragma once
/* Orders what one thread did with memory before it handed the memory over, before what the thread
   that received it does. concurrencykit orders its own fields, but not always the caller's memory.
   ck_hs_put_unique stores a pointer without a fence. ck_stack orders the stores of the thread that
   pushes, but not its loads. On x86-64 the hardware needs neither fence.

   ThreadSanitizer does not see the assembly of concurrencykit. So these macros also tell it which
   thread synchronizes with which; `address` identifies what is handed over. */
#include <ck_md.h>

/* The header files of another CPU would leave out the fences. */
#if defined(__aarch64__) && !defined(CK_MD_RMO)
#error "these are not concurrencykit's headers for arm64: ck_md.h lacks CK_MD_RMO"
#endif

#ifdef ORCA_TSAN
void __tsan_acquire(void *);
void __tsan_release(void *);
#define HAND_OVER(address) __tsan_release(address)
#define RECEIVE(address) __tsan_acquire(address)
#else
#define HAND_OVER(address) ((void)(address), __atomic_thread_fence(__ATOMIC_RELEASE))
#define RECEIVE(address) ((void)(address), __atomic_thread_fence(__ATOMIC_ACQUIRE))
#endif
