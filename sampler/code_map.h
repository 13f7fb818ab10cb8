#pragma once
/* Maps addresses of compiled code to frames: the compiled method and the methods inlined at the
   address. The source is the inline record of JVMTI's CompiledMethodLoad, a list of places. A place
   has an address and frames. Its frames apply to the code from the previous place's address up to
   its own, as in HotSpot's table of PcDescs. All functions may run on any thread. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/hotspot/hotspot.h"
#include "agent/record/table_size.h"

BEGIN_C

struct code_map;

/* code_map_new returns an empty map; NULL if memory runs out. A map is never freed, since callbacks
   may use it as long as the process lives. */
struct code_map *code_map_new(void);

/* code_map_load adds the code of `method`: `size` bytes at address `begin`. `info` is the
   compile_info of CompiledMethodLoad, or NULL. Code at overlapping addresses is removed. If memory
   runs out, the code is not added, and the function returns false. */
bool code_map_load(struct code_map *m, jmethodID method, uintptr_t begin, uint32_t size,
                   const void *info);

/* code_map_unload removes the code that begins at address `begin`, if the map has it. */
void code_map_unload(struct code_map *m, uintptr_t begin);

/* code_map_clear removes all code. */
void code_map_clear(struct code_map *m);

/* The meaning of an address in code. */
enum pc_kind {
  PC_NEXT,        /* the next instruction to execute */
  PC_RETURN,      /* a return address; a place ends there */
  PC_RETURN_LEAF, /* the return address of a call to a stub or C function; there may be no place */
};

/* code_map_find_frames writes the frames at `pc` to `out`, innermost first, at most `max`. It
   returns their number; 0 if the map has no code at `pc`, or if `kind` is PC_RETURN and no place
   ends there. */
int code_map_find_frames(struct code_map *m, uintptr_t pc, enum pc_kind kind, jvmtiFrameInfo *out,
                         int max);

/* code_map_set_blob stores a copy of `blob` for the code that contains `pc`, if the map has that
   code. code_map_get_blob returns it, or false if none is stored. Removing the code removes its
   blob. */
bool code_map_get_blob(struct code_map *m, uintptr_t pc, struct blob *out);
void code_map_set_blob(struct code_map *m, uintptr_t pc, const struct blob *blob);

/* code_map_has returns true if the map has code at `pc`. */
bool code_map_has(struct code_map *m, uintptr_t pc);

/* code_map_size returns the number of pieces of code, and their memory. */
struct table_size code_map_size(const struct code_map *m);

END_C
