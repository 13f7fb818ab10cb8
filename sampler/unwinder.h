#pragma once
/* Decodes a capture into Java frames. Words of the copied stack are untrusted: a word is used only
   if it leads to a valid frame. Handles compiled code (with JVMTI's inline records and the frame
   sizes of HotSpot's code blobs), the interpreter, stubs, native methods and the JVM's own code.
   walk_x86.c and walk_arm64.c know the CPUs. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/event/event.h"
#include "agent/hotspot/hotspot.h"
#include "agent/meta/method_ids.h"
#include "sampler/captures.h"
#include "sampler/code_map.h"

BEGIN_C

#define BLOB_CACHE 256

struct walk_cpu; /* walk.h */

struct unwinder {
  const struct walk_cpu *cpu;
  const struct hotspot *hotspot;
  struct code_map *codes;
  struct method_ids *ids;
  jmethodID continuation_entry; /* Continuation.enterSpecial; NULL: not known */
  struct { /* cache of blobs of kind BLOB_OTHER, which stay where they are; pc 0: unused entry */
    uintptr_t pc;
    struct blob blob;
  } stubs[BLOB_CACHE];
};

struct unwound {
  jvmtiFrameInfo *frames; /* buffer of the caller, with room for `max`; innermost frame first */
  int max, num;
  enum cpu_place place; /* JAVA, NATIVE or VM; LOST: outer frames, or all frames, are missing */
  bool is_cut;          /* there are more frames than `max` */
  bool is_mounted;      /* the frames belong to the virtual thread that the carrier runs */
};

/* capture_has_mark returns whether the thread ran a hook of the agent: a hook_mark is on the stack
   above its newest Java frame. */
bool capture_has_mark(const struct capture *c);

/* unwind decodes `c` into `out`; the caller sets `out->frames` and `out->max`. Decoder thread. */
void unwind(struct unwinder *u, const struct capture *c, struct unwound *out);

END_C
