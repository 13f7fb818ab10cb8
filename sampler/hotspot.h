#pragma once
/* What HotSpot's own structures tell, read at the places that libjvm.so exports for debuggers
   (hotspot_field.def). All reads go through jvm_memory.h: if a structure changes while it
   is read, the result is wrong, but reading cannot crash. Callers check results. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum hotspot_field {
#define FIELD(id, type, field) HOTSPOT_##id,
#define FIELD_OPTIONAL(id, type, field) HOTSPOT_##id,
#define STATIC(id, type, field) HOTSPOT_##id,
#define STATIC_OPTIONAL(id, type, field) HOTSPOT_##id,
#define SIZE(id, type) HOTSPOT_##id,
#define ALSO(id, type, field)
#include "sampler/hotspot_field.def"
  NUM_HOTSPOT_FIELDS
};

#define MAX_CODE_HEAPS 8

/* A part of the code cache; it grows, but never moves. */
struct code_heap {
  uintptr_t low, end, segments;
  unsigned log2; /* of the size of a segment */
};

struct hotspot {
  uint64_t at[NUM_HOTSPOT_FIELDS]; /* offset, address or size */
  bool has[NUM_HOTSPOT_FIELDS];
  bool is_frame_complete_short; /* BLOB_FRAME_COMPLETE has 16 bits, not 32 */
  struct code_heap heaps[MAX_CODE_HEAPS];
  unsigned num_heaps;
  uintptr_t code_low, code_high;
  uintptr_t interpreter_low, interpreter_high;
  uintptr_t call_stub_return, continuation_return; /* 0: none */
  jfieldID eetop; /* of java.lang.Thread: the address of its JavaThread */
};

/* hotspot_open finds all of it in the library that the JVM `ti` belongs to. On false `*why` is what
   is missing, for a person; static text. Live phase. */
bool hotspot_open(struct hotspot *h, jvmtiEnv *ti, JNIEnv *jni, const char **why);

/* hotspot_refresh reads again what the JVM may set later: where virtual threads return to. */
void hotspot_refresh(struct hotspot *h);

/* hotspot_read does so from tables that are given, for tests. */
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
bool hotspot_read(struct hotspot *h, const struct hotspot_struct *structs,
                  const struct hotspot_type *types, const char **why);

/* --- threads --- */

/* hotspot_thread gives the address of the JavaThread of a platform thread that lives; 0 where it
   has none (not started, ended). */
uintptr_t hotspot_thread(const struct hotspot *h, JNIEnv *jni, jthread thread);

/* hotspot_tid gives the kernel's number of a JavaThread's thread; 0 where there is none. */
int32_t hotspot_tid(const struct hotspot *h, uintptr_t java_thread);

/* hotspot_stack_end gives the end (the highest address) of the thread's stack, hotspot_stack_size
   its size in bytes; 0: not known. */
uintptr_t hotspot_stack_end(const struct hotspot *h, uintptr_t java_thread);
uintptr_t hotspot_stack_size(const struct hotspot *h, uintptr_t java_thread);

/* --- code --- */

enum blob_kind { BLOB_OTHER, BLOB_COMPILED, BLOB_NATIVE };

/* A piece of code that the JVM made. */
struct blob {
  enum blob_kind kind;
  uintptr_t code_begin, end;
  int32_t frame_bytes;    /* with return address; 0 or less: it varies */
  int32_t frame_complete; /* offset from code_begin where the frame is made; -1: not known */
  uintptr_t method;       /* the Method of a COMPILED or NATIVE one */
  int32_t orig_pc;        /* offset in the frame of a COMPILED one of where deoptimization keeps the
                             return address; 0: none */
};

/* hotspot_find_blob finds the blob in use that `pc` lies in; false where there is none. */
bool hotspot_find_blob(const struct hotspot *h, uintptr_t pc, struct blob *out);

static inline bool hotspot_is_code(const struct hotspot *h, uintptr_t pc) {
  return pc - h->code_low < h->code_high - h->code_low;
}
static inline bool hotspot_is_interpreter(const struct hotspot *h, uintptr_t pc) {
  return pc - h->interpreter_low < h->interpreter_high - h->interpreter_low;
}

/* --- methods --- */

/* hotspot_method reads a Method: its jmethodID, which is NULL where the JVM has made none, where
   its bytecode is and how long that is. False where it is no Method. The jmethodID is a word of
   memory: check it against those that are known (agent/meta/method_ids.h) before the JVM gets it.
 */
struct method_words {
  jmethodID id;
  uintptr_t code;
  uint32_t code_size; /* 0: a native or abstract method */
};
bool hotspot_method(const struct hotspot *h, uintptr_t method, struct method_words *out);

#ifdef __cplusplus
}
#endif
