#include "agent/hotspot/hotspot.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/hotspot/frame_layout.h"
#include "agent/hotspot/jvm_memory.h"
#include "agent/jvm/jvm.h"

/* --- fields --------------------------------------------------------------------------------- */

enum source { IN_STRUCT, IN_STATIC, IN_TYPES, IN_CONSTANTS };

static const struct row {
  enum hotspot_field id;
  enum source source;
  bool is_optional;
  const char *type, *field; /* `type` is the name of a constant */
} rows[] = {
#define FIELD(id, type, field) {HOTSPOT_##id, IN_STRUCT, false, type, field},
#define FIELD_OPTIONAL(id, type, field) {HOTSPOT_##id, IN_STRUCT, true, type, field},
#define ALSO(id, type, field) {HOTSPOT_##id, IN_STRUCT, false, type, field},
#define STATIC(id, type, field) {HOTSPOT_##id, IN_STATIC, false, type, field},
#define STATIC_OPTIONAL(id, type, field) {HOTSPOT_##id, IN_STATIC, true, type, field},
#define SIZE(id, type) {HOTSPOT_##id, IN_TYPES, false, type, NULL},
#define CONSTANT(id, name) {HOTSPOT_##id, IN_CONSTANTS, false, name, NULL},
#define CONSTANT_OPTIONAL(id, name) {HOTSPOT_##id, IN_CONSTANTS, true, name, NULL},
#include "agent/hotspot/hotspot_field.def"
};
#define NUM_ROWS (sizeof rows / sizeof *rows)

static void store_offset(struct hotspot *h, const struct hotspot_struct *s) {
  for (const struct row *row = rows; row < rows + NUM_ROWS; row++) {
    bool is_match = s->field != NULL && row->source == (s->is_static ? IN_STATIC : IN_STRUCT) &&
                    strcmp(row->type, s->type) == 0 && strcmp(row->field, s->field) == 0;
    if (!is_match) continue;
    h->has[row->id] = true;
    h->at[row->id] = s->is_static ? (uintptr_t)s->address : s->offset;
    if (row->id == HOTSPOT_BLOB_FRAME_COMPLETE) {
      h->is_frame_complete_short = strcmp(s->type_of_field, "int16_t") == 0;
    }
  }
}

/* Stores the size of a type, or the value of a constant. */
static void store_number(struct hotspot *h, enum source source, const char *name, uint64_t number) {
  for (const struct row *row = rows; row < rows + NUM_ROWS; row++) {
    if (row->source != source || strcmp(row->type, name) != 0) continue;
    h->has[row->id] = true;
    h->at[row->id] = number;
  }
}

static uintptr_t read_field(const struct hotspot *h, uintptr_t base, enum hotspot_field field) {
  return jvm_memory_word(base + h->at[field]);
}

/* Returns the value of a static field; 0 if the JVM does not have the field. */
static uintptr_t read_static(const struct hotspot *h, enum hotspot_field field) {
  return h->has[field] ? jvm_memory_word(h->at[field]) : 0;
}

static void read_heap(struct hotspot *h, uintptr_t heap) {
  uintptr_t space = heap + h->at[HOTSPOT_HEAP_MEMORY];
  h->heaps[h->num_heaps++] = (struct code_heap){
      .low = read_field(h, space, HOTSPOT_SPACE_LOW),
      .end = read_field(h, space, HOTSPOT_SPACE_END),
      .space = space,
      .segments = read_field(h, heap + h->at[HOTSPOT_HEAP_SEGMENTS], HOTSPOT_SPACE_LOW),
      .log2 = (unsigned)jvm_memory_int(heap + h->at[HOTSPOT_HEAP_LOG2]) & 31};
}

static void read_heaps(struct hotspot *h) {
  uintptr_t heaps = read_static(h, HOTSPOT_CODE_HEAPS);
  int32_t n = heaps == 0 ? 0 : jvm_memory_int(heaps + h->at[HOTSPOT_ARRAY_LEN]);
  uintptr_t data = read_field(h, heaps, HOTSPOT_ARRAY_DATA);
  for (int32_t i = 0; i < n && i < MAX_CODE_HEAPS; i++) {
    read_heap(h, jvm_memory_word(data + (uintptr_t)i * sizeof(uintptr_t)));
  }
  h->code_low = read_static(h, HOTSPOT_CODE_LOW);
  h->code_high = read_static(h, HOTSPOT_CODE_HIGH);
}

static void read_only_heap(struct hotspot *h) {
  read_heap(h, read_static(h, HOTSPOT_CODE_HEAP));
  h->code_low = h->heaps[0].low;
  h->code_high = h->heaps[0].end;
}

/* Reads the addresses that do not change while the JVM runs; false if one is missing. */
static bool read_constants(struct hotspot *h) {
  uintptr_t queue = read_static(h, HOTSPOT_INTERPRETER);
  h->interpreter_low = read_field(h, queue, HOTSPOT_QUEUE_BUFFER);
  h->interpreter_high =
      h->interpreter_low + (uint32_t)jvm_memory_int(queue + h->at[HOTSPOT_QUEUE_LIMIT]);
  h->call_stub_return = read_static(h, HOTSPOT_CALL_STUB_RETURN);
  h->continuation_return = read_static(h, HOTSPOT_CONTINUATION_RETURN);
  /* The frames and the code cache changed in the same version. */
  h->bcp = h->has[HOTSPOT_CODE_HEAP] ? FRAME_BCP_WITHOUT_MIRROR : FRAME_BCP;
  if (h->has[HOTSPOT_CODE_HEAP]) {
    read_only_heap(h);
  } else {
    read_heaps(h);
  }
  return h->code_low < h->code_high && h->num_heaps > 0 &&
         h->interpreter_low < h->interpreter_high && h->call_stub_return != 0;
}

/* Returns true if the JVM has a field of each of these groups, which differ between versions. */
static bool has_alternatives(const struct hotspot *h) {
  bool has_heaps =
      h->has[HOTSPOT_CODE_HEAPS] && h->has[HOTSPOT_CODE_LOW] && h->has[HOTSPOT_CODE_HIGH];
  return (h->has[HOTSPOT_BLOB_CODE_BEGIN] || h->has[HOTSPOT_BLOB_CODE_OFFSET]) &&
         (h->has[HOTSPOT_CODE_HEAP] || has_heaps);
}

bool hotspot_read(struct hotspot *h, const struct hotspot_tables *tables, const char **why) {
  *h = (struct hotspot){0};
  const struct hotspot_struct *s = tables->structs;
  const struct hotspot_type *t = tables->types;
  const struct hotspot_constant *c = tables->constants;
  for (; s->type != NULL; s++) store_offset(h, s);
  for (; t->name != NULL; t++) store_number(h, IN_TYPES, t->name, t->size);
  for (; c->name != NULL; c++) store_number(h, IN_CONSTANTS, c->name, (uint64_t)c->value);
  for (const struct row *row = rows; row < rows + NUM_ROWS; row++) {
    if (h->has[row->id] || row->is_optional) continue;
    *why = "libjvm.so does not export the offsets of all required fields";
    return false;
  }
  *why = "the JVM's structures cannot be read";
  return has_alternatives(h) && read_constants(h);
}

void hotspot_refresh(struct hotspot *h) {
  if (h->continuation_return == 0) {
    h->continuation_return = read_static(h, HOTSPOT_CONTINUATION_RETURN);
  }
}

/* Opens the library that contains the functions of `ti`. The process may contain other libraries
   that export the same tables. */
static void *open_library(jvmtiEnv *ti) {
  Dl_info info;
  const void *function;
  memcpy(&function, &(*ti)->GetPhase, sizeof function);
  if (dladdr(function, &info) == 0 || info.dli_fname == NULL) return NULL;
  return dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
}

/* Returns true if the JVM's symbol `name` says that the rows of a table have `size` bytes. */
static bool has_stride(void *library, const char *name, size_t size) {
  const uint64_t *stride = dlsym(library, name);
  return stride != NULL && *stride == size;
}

bool hotspot_open(struct hotspot *h, jvmtiEnv *ti, JNIEnv *jni, const char **why) {
  void *library = open_library(ti);
  *why = "the JVM's library was not found";
  if (library == NULL) return false;
  const struct hotspot_struct **structs = dlsym(library, "gHotSpotVMStructs");
  const struct hotspot_type **types = dlsym(library, "gHotSpotVMTypes");
  const struct hotspot_constant **constants = dlsym(library, "gHotSpotVMIntConstants");
  *why = "libjvm.so has no table gHotSpotVMStructs, or one of an unknown form";
  bool good = structs != NULL && types != NULL && constants != NULL &&
              has_stride(library, "gHotSpotVMStructEntryArrayStride", sizeof **structs) &&
              has_stride(library, "gHotSpotVMTypeEntryArrayStride", sizeof **types) &&
              has_stride(library, "gHotSpotVMIntConstantEntryArrayStride", sizeof **constants) &&
              hotspot_read(h, &(struct hotspot_tables){*structs, *types, *constants}, why);
  dlclose(library);
  if (!good) return false;
  *why = "java.lang.Thread has no field eetop";
  jclass klass = (*jni)->FindClass(jni, "java/lang/Thread");
  if (klass != NULL) h->eetop = (*jni)->GetFieldID(jni, klass, "eetop", "J");
  jvm_clear_exception(jni);
  if (klass != NULL) (*jni)->DeleteLocalRef(jni, klass);
  return h->eetop != NULL;
}

/* --- threads -------------------------------------------------------------------------------- */

uintptr_t hotspot_read_thread(const struct hotspot *h, JNIEnv *jni, jthread thread) {
  return (uintptr_t)(*jni)->GetLongField(jni, thread, h->eetop);
}

int32_t hotspot_read_tid(const struct hotspot *h, uintptr_t java_thread) {
  uintptr_t os = java_thread == 0 ? 0 : read_field(h, java_thread, HOTSPOT_THREAD_OS);
  return os == 0 ? 0 : jvm_memory_int(os + h->at[HOTSPOT_OS_TID]);
}

uintptr_t hotspot_read_stack_end(const struct hotspot *h, uintptr_t java_thread) {
  return read_field(h, java_thread, HOTSPOT_THREAD_STACK_BASE);
}

uintptr_t hotspot_read_stack_size(const struct hotspot *h, uintptr_t java_thread) {
  return read_field(h, java_thread, HOTSPOT_THREAD_STACK_SIZE);
}

bool hotspot_is_current(const struct hotspot *h, uintptr_t java_thread) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0),
            end = hotspot_read_stack_end(h, java_thread);
  return hotspot_read_tid(h, java_thread) == (int32_t)syscall(SYS_gettid) && here < end &&
         end - here < UINT64_C(1) << 30 &&
         jvm_memory_int(java_thread + h->at[HOTSPOT_THREAD_STATE]) ==
             (int32_t)h->at[HOTSPOT_STATE_IN_NATIVE];
}

bool hotspot_is_blocked(const struct hotspot *h, uintptr_t java_thread) {
  return h->has[HOTSPOT_STATE_BLOCKED] &&
         jvm_memory_int(java_thread + h->at[HOTSPOT_THREAD_STATE]) ==
             (int32_t)h->at[HOTSPOT_STATE_BLOCKED];
}

/* --- code ----------------------------------------------------------------------------------- */

#define FREE_SEGMENT 0xFF

/* Returns the address of the block that contains `pc`; 0 if `pc` is in no used block. The segment
   map has one byte per segment: 0 for the first segment of a block, otherwise how many segments to
   go back. One step back need not reach the first segment. */
static uintptr_t find_block(const struct code_heap *heap, uintptr_t pc) {
  uintptr_t segment = (pc - heap->low) >> heap->log2;
  for (;;) {
    uint8_t back;
    if (!jvm_memory_read(heap->segments + segment, &back, 1) || back == FREE_SEGMENT) return 0;
    if (back == 0) return heap->low + (segment << heap->log2);
    if (back > segment) return 0;
    segment -= back;
  }
}

static enum blob_kind find_blob_kind(const struct hotspot *h, uintptr_t blob) {
  char name[16] = {0};
  uintptr_t at = read_field(h, blob, HOTSPOT_BLOB_NAME);
  if (!jvm_memory_read(at, name, sizeof name - 1)) return BLOB_OTHER;
  if (strcmp(name, "nmethod") == 0) return BLOB_COMPILED;
  return strcmp(name, "native nmethod") == 0 ? BLOB_NATIVE : BLOB_OTHER;
}

static void read_blob(const struct hotspot *h, uintptr_t blob, struct blob *out) {
  int32_t words = jvm_memory_int(blob + h->at[HOTSPOT_BLOB_FRAME_SIZE]);
  uintptr_t complete = blob + h->at[HOTSPOT_BLOB_FRAME_COMPLETE];
  uintptr_t begin = h->has[HOTSPOT_BLOB_CODE_BEGIN]
                        ? read_field(h, blob, HOTSPOT_BLOB_CODE_BEGIN)
                        : blob + (uint32_t)jvm_memory_int(blob + h->at[HOTSPOT_BLOB_CODE_OFFSET]);
  *out = (struct blob){.kind = find_blob_kind(h, blob),
                       .code_begin = begin,
                       .end = blob + (uint32_t)jvm_memory_int(blob + h->at[HOTSPOT_BLOB_SIZE]),
                       .frame_bytes = words > 0 && words < 1 << 20 ? words * 8 : 0,
                       .frame_complete = h->is_frame_complete_short
                                             ? (int16_t)jvm_memory_short(complete)
                                             : jvm_memory_int(complete)};
  if (out->kind == BLOB_OTHER) return;
  out->method = read_field(h, blob, HOTSPOT_NMETHOD_METHOD);
  out->orig_pc = jvm_memory_int(blob + h->at[HOTSPOT_NMETHOD_ORIG_PC]);
}

bool hotspot_find_blob(const struct hotspot *h, uintptr_t pc, struct blob *out) {
  const struct code_heap *heap = h->heaps, *end = h->heaps + h->num_heaps;
  uint8_t used = 0;
  while (heap < end && pc - heap->low >= heap->end - heap->low) heap++;
  if (heap == end) return false;
  uintptr_t block = find_block(heap, pc);
  if (block == 0 || !jvm_memory_read(block + h->at[HOTSPOT_BLOCK_USED], &used, 1) || used == 0) {
    return false;
  }
  read_blob(h, block + h->at[HOTSPOT_BLOCK_SIZE], out);
  return out->code_begin <= pc && pc < out->end;
}

/* --- methods -------------------------------------------------------------------------------- */

bool hotspot_read_method(const struct hotspot *h, uintptr_t method, struct method_words *out) {
  uintptr_t constant = method == 0 ? 0 : read_field(h, method, HOTSPOT_METHOD_CONST);
  uintptr_t pool = constant == 0 ? 0 : read_field(h, constant, HOTSPOT_CONST_POOL);
  uintptr_t klass = pool == 0 ? 0 : read_field(h, pool, HOTSPOT_POOL_HOLDER);
  if (klass == 0) return false;
  uintptr_t ids = read_field(h, klass, HOTSPOT_KLASS_IDS); /* an array: its length, then the ids */
  uintptr_t number = jvm_memory_short(constant + h->at[HOTSPOT_CONST_IDNUM]);
  uintptr_t id = ids != 0 && number < jvm_memory_word(ids)
                     ? jvm_memory_word(ids + (number + 1) * sizeof(uintptr_t))
                     : 0;
  *out = (struct method_words){
      .id = (jmethodID)id,
      .code = constant + h->at[HOTSPOT_CONST_SIZE],
      .code_size = jvm_memory_short(constant + h->at[HOTSPOT_CONST_CODE_SIZE])};
  return true;
}
