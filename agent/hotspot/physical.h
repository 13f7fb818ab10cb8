#pragma once
/* The physical frames of the current thread: those of the machine, from the newest Java frame to
   the oldest. Compiled code has one physical frame for a method and all methods inlined into it.
   Equal physical frames are equal Java frames, because each one is identified by what cannot change
   or be used again:
   - compiled code: its address, the return address, and the number of its compilation
   - an interpreted method: its jmethodID and the bytecode index
   - a stub: the return address
   So the Java frames of a known stack need not be walked again. Reading the physical frames takes a
   tenth of the time that GetStackTrace takes, because no debug information is decoded.

   The steps are those of HotSpot's own frame::sender (frame_x86.cpp, frame_aarch64.cpp). Compiled
   code on the stack of a thread, and methods, are not freed while the thread itself is here, so
   they are read directly. x86-64 and arm64. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/hotspot/hotspot.h"

BEGIN_C

/* physical_can_read returns whether this build and this JVM have all that physical_read needs. On
   failure sets `*why` to the reason, a static text for the user. */
bool physical_can_read(const struct hotspot *h, const char **why);

/* A hash of physical frames. It has 128 bits, so that two different stacks never have the same. */
struct physical_key {
  uint64_t a, b;
};

#define PHYSICAL_ALL UINTPTR_MAX

/* physical_read hashes the physical frames of the current thread, whose JavaThread is at address
   `java_thread`, into `*key`: those that begin below the address `until`, or PHYSICAL_ALL. The
   caller has set `*key`; what it contains is part of the hash.
   False if the frames cannot be identified: for example code that is being deoptimized, an upcall
   of foreign code, a virtual thread. The thread runs native code or code of the JVM. Makes no call.
 */
bool physical_read(const struct hotspot *h, uintptr_t java_thread, uintptr_t until,
                   struct physical_key *key);

/* A few physical frames of compiled code, and where on the stack they were. */
#define PHYSICAL_TRAIL 4
struct physical_trail {
  unsigned num; /* 0: none */
  struct {
    uintptr_t pc;
    uintptr_t at;    /* of the return address `pc`, in bytes above the newest frame */
    uintptr_t id_at; /* address of the number of the compilation; 0: a stub, which is never freed */
    uint32_t id;
  } frames[PHYSICAL_TRAIL];
};

/* physical_read_near does the same for the newest physical frames, until `*num` of them are
   methods, or there are no more. Compiled code contains one Java frame or more, so they contain at
   least the newest `*num` Java frames. Sets `*trail` to these frames, if they were read, it has
   room for them, they are compiled code, and there are more below them. If it returns false, `*num`
   is how many methods it could read, which are fewer: the older frames of a virtual thread may be
   in the heap. */
bool physical_read_near(const struct hotspot *h, uintptr_t java_thread, unsigned *num,
                        struct physical_key *key, struct physical_trail *trail);

/* physical_read_methods stores the methods of the newest physical frames, at most `max`: that of an
   interpreted frame, and that for which compiled code was made. The latter is the oldest Java frame
   of its physical frame; the methods that are inlined into it are newer ones. Returns their number,
   up to the first frame that cannot be identified. Callers as for physical_read. */
unsigned physical_read_methods(const struct hotspot *h, uintptr_t java_thread, unsigned max,
                               jmethodID *methods);

/* physical_follows returns whether the newest physical frames of the current thread are those of
   the trail. The same return address in the same code means a frame of the same size, so the next
   return address is at the same distance. It takes a fraction of the time of physical_read_near,
   as it decodes nothing. Callers as for physical_read. */
bool physical_follows(const struct hotspot *h, uintptr_t java_thread,
                      const struct physical_trail *trail);

/* physical_is_platform returns whether the current thread runs no virtual thread. Call it only if
   the JVM has no virtual threads, or has the field THREAD_CONTINUATION. Callers as for
   physical_read. */
bool physical_is_platform(const struct hotspot *h, uintptr_t java_thread);

/* physical_above returns an address on the stack for the native method that runs now. The address
   is above all frames of the method that called the native, as long as the compilers leave that
   method alone. It is above all frames that this method will have called, whatever the compilers
   do. Some frames of its callers may be below the address, too. PHYSICAL_ALL if the thread has no
   Java frame. Callers as for physical_read. */
uintptr_t physical_above(const struct hotspot *h, uintptr_t java_thread);

/* physical_add makes a word part of a key. Each half alone keeps what it had: for a given word, two
   different halves stay different. */
static inline void physical_add(struct physical_key *key, uint64_t word) {
  key->a = (key->a ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  key->a ^= key->a >> 32;
  key->b = (key->b << 27 | key->b >> 37) + word;
  key->b = key->b * UINT64_C(0xD6E8FEB86659FD93) + UINT64_C(0xC2B2AE3D27D4EB4F);
}

END_C
