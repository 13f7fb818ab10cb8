#pragma once
/* Reads HotSpot's own structures. libjvm.so exports the offsets of their fields for debuggers
   (hotspot_field.def). All reads go through jvm_memory.h: if a structure changes while it is read,
   the result is wrong, but reading cannot crash. Callers must check results. Functions may run on
   any thread unless noted. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

enum hotspot_field {
#define FIELD(id, type, field) HOTSPOT_##id,
#define FIELD_OPTIONAL(id, type, field) HOTSPOT_##id,
#define STATIC(id, type, field) HOTSPOT_##id,
#define STATIC_OPTIONAL(id, type, field) HOTSPOT_##id,
#define SIZE(id, type) HOTSPOT_##id,
#define CONSTANT(id, name) HOTSPOT_##id,
#define CONSTANT_OPTIONAL(id, name) HOTSPOT_##id,
#define ALSO(id, type, field)
#include "agent/hotspot/hotspot_field.def"
  NUM_HOTSPOT_FIELDS
};

#define MAX_CODE_HEAPS 8

/* A part of the code cache. It can grow, but never moves. */
struct code_heap {
  uintptr_t low, end; /* the addresses reserved for it */
  uintptr_t segments; /* address of the segment map, one byte per segment */
  uintptr_t space; /* address of its VirtualSpace, whose `_high` is the end of the memory in use */
  unsigned log2;   /* the size of a segment is 1 << log2 bytes */
};

struct hotspot {
  uint64_t at[NUM_HOTSPOT_FIELDS]; /* offset, address, size or value; see hotspot_field.def */
  bool has[NUM_HOTSPOT_FIELDS];
  bool is_frame_complete_short; /* BLOB_FRAME_COMPLETE has 16 bits instead of 32 */
  int bcp; /* place of the bytecode pointer in a frame of the interpreter, in words from the frame
              pointer */
  struct code_heap heaps[MAX_CODE_HEAPS];
  unsigned num_heaps;
  uintptr_t code_low, code_high;
  uintptr_t interpreter_low, interpreter_high;
  /* The return addresses into the frame of call_stub, and into the outermost frame of a virtual
     thread on its carrier; 0: unknown. */
  uintptr_t call_stub_return, continuation_return;
  jfieldID eetop; /* the field java.lang.Thread.eetop, the address of the JavaThread */
};

/* hotspot_open fills `h` from the library that contains the JVM of `ti`. On failure it returns
   false and sets `*why` to the reason, a static text for the user. Live phase. */
bool hotspot_open(struct hotspot *h, jvmtiEnv *ti, JNIEnv *jni, const char **why);

/* hotspot_refresh reads `continuation_return` again if it is 0, since the JVM may set it later. */
void hotspot_refresh(struct hotspot *h);

/* hotspot_read fills `h` from the tables, except `eetop`. On failure it returns false and sets
   `*why`, like hotspot_open. The last row of each table has NULL as its name. */
struct hotspot_struct { /* VMStructEntry of vmStructs.hpp */
  const char *type, *field, *type_of_field;
  int32_t is_static;
  uint64_t offset;
  void *address;
};
struct hotspot_type { /* VMTypeEntry */
  const char *name, *super;
  int32_t is_oop, is_integer, is_unsigned;
  uint64_t size;
};
struct hotspot_constant { /* VMIntConstantEntry */
  const char *name;
  int32_t value;
};
struct hotspot_tables {
  const struct hotspot_struct *structs;
  const struct hotspot_type *types;
  const struct hotspot_constant *constants;
};
bool hotspot_read(struct hotspot *h, const struct hotspot_tables *tables, const char **why);

/* --- threads --- */

/* hotspot_read_thread returns the address of a platform thread's JavaThread; 0 if it has none,
   since it has not started or has ended. */
uintptr_t hotspot_read_thread(const struct hotspot *h, JNIEnv *jni, jthread thread);

/* hotspot_read_tid returns the kernel's tid of a JavaThread; 0 if unknown. */
int32_t hotspot_read_tid(const struct hotspot *h, uintptr_t java_thread);

/* hotspot_read_stack_end returns the end (the highest address) of the thread's stack.
   hotspot_read_stack_size returns its size in bytes. Both return 0 if unknown. */
uintptr_t hotspot_read_stack_end(const struct hotspot *h, uintptr_t java_thread);
uintptr_t hotspot_read_stack_size(const struct hotspot *h, uintptr_t java_thread);

/* hotspot_is_current returns whether this is the JavaThread of the current thread, which runs
   native code: a test of whether the offsets are right. */
bool hotspot_is_current(const struct hotspot *h, uintptr_t java_thread);

/* hotspot_is_blocked returns whether the thread waits inside the JVM, for example for a monitor or
   for another thread that initializes a class. False if the JVM does not tell. */
bool hotspot_is_blocked(const struct hotspot *h, uintptr_t java_thread);

/* --- code --- */

enum blob_kind { BLOB_OTHER, BLOB_COMPILED, BLOB_NATIVE };

/* A CodeBlob: a piece of machine code that the JVM generated. */
struct blob {
  enum blob_kind kind;
  uintptr_t code_begin, end;
  int32_t frame_bytes;    /* size of the frame, with the return address; 0: not constant */
  int32_t frame_complete; /* the frame is complete at code_begin + frame_complete; -1: unknown */
  uintptr_t method;       /* address of the Method; 0 for BLOB_OTHER */
  int32_t orig_pc;        /* offset in the frame where deoptimization saves the return address;
                             0: none */
};

/* hotspot_find_blob finds the blob whose code contains `pc`; false if there is none. */
bool hotspot_find_blob(const struct hotspot *h, uintptr_t pc, struct blob *out);

/* These functions return true if `pc` is in the code cache, or in the code of the interpreter. */
static inline bool hotspot_is_code(const struct hotspot *h, uintptr_t pc) {
  return pc - h->code_low < h->code_high - h->code_low;
}
static inline bool hotspot_is_interpreter(const struct hotspot *h, uintptr_t pc) {
  return pc - h->interpreter_low < h->interpreter_high - h->interpreter_low;
}

/* --- methods --- */

/* hotspot_read_method reads the Method at address `method`; false if there is no valid Method. The
   jmethodID is an unchecked word of memory. Before passing it to the JVM, look it up in the set of
   known jmethodIDs (agent/meta/method_ids.h). */
struct method_words {
  jmethodID id;       /* NULL: the JVM has not made one */
  uintptr_t code;     /* address of the bytecode */
  uint32_t code_size; /* 0: a native or abstract method */
};
bool hotspot_read_method(const struct hotspot *h, uintptr_t method, struct method_words *out);

END_C
