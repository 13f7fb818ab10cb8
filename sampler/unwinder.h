#pragma once
/* From a capture to the Java frames that the thread was in. Words of the copied stack are
   untrusted: a word is used only if it leads to a valid frame. Decodes compiled code (by
   JVMTI's inline records and the frame sizes of HotSpot's code blobs), the interpreter, stubs,
   native methods and the JVM's own code; x86-64. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/event/event.h"
#include "agent/meta/method_ids.h"
#include "sampler/captures.h"
#include "sampler/code_map.h"
#include "sampler/hotspot.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BLOB_CACHE 256

struct unwinder {
  const struct hotspot *hotspot;
  struct code_map *codes;
  struct method_ids *ids;
  struct { /* cache of blobs that are not nmethods; their addresses do not change */
    uintptr_t pc;
    struct blob blob;
  } stubs[BLOB_CACHE];
};

struct unwound {
  jvmtiFrameInfo *frames; /* innermost first; the caller's */
  int max, num;
  enum cpu_place place; /* JAVA, NATIVE or VM; LOST: no frame, or only the inner ones are known */
  bool is_cut;          /* there are more frames than `max` */
  bool is_mounted;      /* the frames are those of a virtual thread */
};

/* unwind fills `out`, whose `frames` and `max` are set. The decoder's thread. */
void unwind(struct unwinder *u, const struct capture *c, struct unwound *out);

#ifdef __cplusplus
}
#endif
