#pragma once
/* Maps addresses of compiled code to methods, and to the methods inlined at each address (JVMTI's
   inline records of CompiledMethodLoad). A
   place ends at its address: what runs before it and after the place before it belongs to it, as in
   HotSpot's own table of PcDescs. Any thread. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "sampler/hotspot.h"

#ifdef __cplusplus
extern "C" {
#endif

struct code_map;

/* code_map_new makes an empty map; NULL without memory. It lives as long as the process: callbacks
   may be inside. */
struct code_map *code_map_new(void);

/* code_map_load: the JVM compiled `method` to `size` bytes at `code`. `info` is the
   compile_info of CompiledMethodLoad, or NULL. Replaces code at overlapping addresses. If memory
   runs out, the code stays unknown and is counted. */
void code_map_load(struct code_map *m, jmethodID method, uintptr_t code, uint32_t size,
                   const void *info);
void code_map_unload(struct code_map *m, uintptr_t code);

/* code_map_clear forgets all code. */
void code_map_clear(struct code_map *m);

/* What an address in code is. */
enum pc_kind {
  PC_NEXT,        /* an instruction that is about to run */
  PC_RETURN,      /* where a call returns to, of which the JVM has debug information */
  PC_RETURN_LEAF, /* return address after a call for which it may have none: of a stub, a C function
                   */
};

/* code_map_frames fills in the frames at `pc`, innermost first, `max` at most, and returns how many
   there are; 0 where `pc` lies in no known code, or is no PC_RETURN of it. */
int code_map_frames(struct code_map *m, uintptr_t pc, enum pc_kind kind, jvmtiFrameInfo *out,
                    int max);

/* code_map_blob gives what code_map_set_blob said of the code that `pc` lies in; false where it has
   said nothing. What is said goes with the code. */
bool code_map_blob(struct code_map *m, uintptr_t pc, struct blob *out);
void code_map_set_blob(struct code_map *m, uintptr_t pc, const struct blob *blob);

/* code_map_has: does `pc` lie in known code? */
bool code_map_has(struct code_map *m, uintptr_t pc);

/* Memory in use, in bytes; and how many pieces of code found none. */
uint64_t code_map_bytes(const struct code_map *m);
uint64_t code_map_failed(const struct code_map *m);

#ifdef __cplusplus
}
#endif
