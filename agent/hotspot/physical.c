#include "agent/hotspot/physical.h"

#include <string.h>

#include "agent/hotspot/frame_layout.h"

#if defined(__x86_64__) || defined(__aarch64__)

#define WORD sizeof(uintptr_t)
#define MAX_FRAMES 4096   /* stops a walk in a cycle */
#define MAX_HOPS 4096     /* steps in a segment map */
#define FREE_SEGMENT 0xFF /* of a segment map */

/* Code that reads the memory of HotSpot, or the whole stack. */
#define NOT_SANITIZED __attribute__((no_sanitize("address", "thread", "undefined")))
#define READS_ALL NOT_SANITIZED __attribute__((always_inline))

struct walk {
  const struct hotspot *h;
  uintptr_t low, high;    /* the part of the stack that is in use */
  uintptr_t continuation; /* the return address below the frames of a virtual thread; 0: none */
  uintptr_t pc, sp, fp;   /* the registers of the current frame */
  unsigned num_methods;   /* frames of methods so far */
  uintptr_t method_at;    /* where the address of the last of these methods is */
  uintptr_t id_at;        /* address of the number of the last compilation; 0: a stub */
  bool is_interpreted;    /* the last frame is */
};

/* --- memory ---------------------------------------------------------------------------------- */

READS_ALL static inline uintptr_t peek(uintptr_t at) { return *(const uintptr_t *)at; }
READS_ALL static inline int32_t peek_int(uintptr_t at) { return *(const int32_t *)at; }
READS_ALL static inline uint16_t peek_short(uintptr_t at) { return *(const uint16_t *)at; }
READS_ALL static inline uint8_t peek_byte(uintptr_t at) { return *(const uint8_t *)at; }

READS_ALL static inline uintptr_t peek_field(const struct hotspot *h, uintptr_t base,
                                             enum hotspot_field field) {
  return peek(base + h->at[field]);
}

/* Reads the word of the stack that is `words` from `base`. */
READS_ALL static inline bool read_stack(const struct walk *w, uintptr_t base, int words,
                                        uintptr_t *out) {
  uintptr_t at = base + (uintptr_t)(intptr_t)words * WORD;
  if (at % WORD != 0 || at < w->low || at >= w->high) return false;
  *out = peek(at);
  return true;
}

/* --- frames ---------------------------------------------------------------------------------- */

/* The word of a class that contains its jmethodIDs is an array: its length, then the ids. */
READS_ALL static inline uintptr_t find_id(const struct hotspot *h, uintptr_t constant) {
  uintptr_t pool = peek_field(h, constant, HOTSPOT_CONST_POOL);
  uintptr_t klass = peek_field(h, pool, HOTSPOT_POOL_HOLDER);
  uintptr_t ids = peek_field(h, klass, HOTSPOT_KLASS_IDS);
  uintptr_t number = peek_short(constant + h->at[HOTSPOT_CONST_IDNUM]);
  return ids == 0 || number >= peek(ids) ? 0 : peek(ids + (number + 1) * WORD);
}

/* A method without a jmethodID has not been in a known stack. */
READS_ALL static inline bool step_interpreted(struct walk *w, struct physical_key *key) {
  uintptr_t method, bcp, constant, id;
  if (!read_stack(w, w->fp, FRAME_METHOD, &method) || !read_stack(w, w->fp, w->h->bcp, &bcp))
    return false;
  if (method == 0 || method % WORD != 0) return false;
  constant = peek_field(w->h, method, HOTSPOT_METHOD_CONST);
  id = find_id(w->h, constant);
  if (id == 0 || (bcp != 0 && bcp - constant > FRAME_MAX_BCP)) return false;
  physical_add(key, id);
  physical_add(key, bcp - constant);
  w->num_methods++;
  w->method_at = w->fp + (uintptr_t)(intptr_t)FRAME_METHOD * WORD;
  w->is_interpreted = true;
  return read_stack(w, w->fp, FRAME_RETURN_PC, &w->pc) &&
         read_stack(w, w->fp, FRAME_SENDER_SP, &w->sp) &&
         read_stack(w, w->fp, FRAME_SAVED_FP, &w->fp);
}

/* Returns the CodeBlob whose memory contains `pc`; 0: there is none. */
READS_ALL static inline uintptr_t find_blob(const struct hotspot *h, uintptr_t pc) {
  const struct code_heap *heap = h->heaps, *end = h->heaps + h->num_heaps;
  while (heap < end && pc - heap->low >= heap->end - heap->low) heap++;
  if (heap == end || pc >= peek_field(h, heap->space, HOTSPOT_SPACE_HIGH)) return 0;
  uintptr_t segment = (pc - heap->low) >> heap->log2;
  for (int i = 0; i < MAX_HOPS; i++) {
    uint8_t back = peek_byte(heap->segments + segment);
    if (back == FREE_SEGMENT || back > segment) return 0;
    segment -= back;
    if (back != 0) continue;
    uintptr_t block = heap->low + (segment << heap->log2);
    bool is_used = peek_byte(block + h->at[HOTSPOT_BLOCK_USED]) != 0;
    return is_used ? block + h->at[HOTSPOT_BLOCK_SIZE] : 0;
  }
  return 0;
}

/* Returns whether the blob is the code of a method, "nmethod" or "native nmethod". No stub has a
   name that begins so. */
READS_ALL static inline bool is_nmethod(const struct hotspot *h, uintptr_t blob) {
  const char *name = (const char *)peek_field(h, blob, HOTSPOT_BLOB_NAME);
  if (name == NULL || name[0] != 'n') return false;
  return name[1] == 'm' ? name[2] == 'e' : memcmp(name, "nat", 3) == 0;
}

/* The frame of compiled code, or of a stub. In the stubs at the end of a method's code there is no
   return address but that of the handler of deoptimization. That handler replaces the real return
   address, so the place in the method is not known. */
READS_ALL static inline bool step_code(struct walk *w, struct physical_key *key) {
  const struct hotspot *h = w->h;
  uintptr_t blob = find_blob(h, w->pc);
  if (blob == 0) return false;
  int32_t words = peek_int(blob + h->at[HOTSPOT_BLOB_FRAME_SIZE]);
  if (words < 2 || (uintptr_t)words > (w->high - w->sp) / WORD) return false;
  physical_add(key, w->pc);
  w->is_interpreted = false;
  w->id_at = 0;
  if (is_nmethod(h, blob)) {
    if (w->pc >= blob + (uint32_t)peek_int(blob + h->at[HOTSPOT_NMETHOD_STUBS])) return false;
    w->id_at = blob + h->at[HOTSPOT_NMETHOD_COMPILE_ID];
    physical_add(key, (uint32_t)peek_int(w->id_at));
    w->num_methods++;
    w->method_at = blob + h->at[HOTSPOT_NMETHOD_METHOD];
  }
  w->sp += (uintptr_t)words * WORD;
  return read_stack(w, w->sp, -1, &w->pc) && read_stack(w, w->sp, -2, &w->fp);
}

/* Moves to the newest frame that `anchor` names. `*out_is_end`: there is none. */
READS_ALL static inline bool step_anchor(struct walk *w, uintptr_t anchor, bool *out_is_end) {
  const struct hotspot *h = w->h;
  w->sp = peek_field(h, anchor, HOTSPOT_ANCHOR_SP);
  w->pc = peek_field(h, anchor, HOTSPOT_ANCHOR_PC);
  w->fp = peek_field(h, anchor, HOTSPOT_ANCHOR_FP);
  *out_is_end = w->sp == 0;
  return *out_is_end || w->pc != 0 || read_stack(w, w->sp, -1, &w->pc);
}

/* Moves from the first frame of Java code that the JVM called to the frame in which Java code had
   called the JVM before. */
READS_ALL static inline bool step_entry(struct walk *w, struct physical_key *key,
                                        bool *out_is_end) {
  const struct hotspot *h = w->h;
  uintptr_t wrapper, first, last;
  physical_add(key, w->pc);
  if (!read_stack(w, w->fp, FRAME_CALL_WRAPPER, &wrapper)) return false;
  uintptr_t anchor = wrapper + h->at[HOTSPOT_WRAPPER_ANCHOR];
  return read_stack(w, anchor + h->at[HOTSPOT_ANCHOR_SP], 0, &first) &&
         read_stack(w, anchor + h->at[HOTSPOT_ANCHOR_FP], 0, &last) &&
         step_anchor(w, anchor, out_is_end);
}

READS_ALL static inline bool step(struct walk *w, struct physical_key *key, bool *out_is_end) {
  const struct hotspot *h = w->h;
  if (w->pc == h->call_stub_return) return step_entry(w, key, out_is_end);
  if (w->pc == w->continuation) return false; /* JVMTI's frames depend on more than these */
  return hotspot_is_interpreter(h, w->pc) ? step_interpreted(w, key) : step_code(w, key);
}

bool physical_can_read(const struct hotspot *h, const char **why) {
  *why = "libjvm.so does not export the offsets of all required fields";
  return h->has[HOTSPOT_NMETHOD_STUBS] && h->has[HOTSPOT_NMETHOD_COMPILE_ID] &&
         h->has[HOTSPOT_SPACE_HIGH];
}

/* Moves to the newest frame of the thread. */
READS_ALL static inline bool start_walk(struct walk *w, const struct hotspot *h,
                                        uintptr_t java_thread, bool *out_is_end) {
  *w = (struct walk){.h = h,
                     .low = (uintptr_t)__builtin_frame_address(0),
                     .high = peek_field(h, java_thread, HOTSPOT_THREAD_STACK_BASE)};
  if (h->has[HOTSPOT_CONTINUATION_RETURN])
    w->continuation = peek(h->at[HOTSPOT_CONTINUATION_RETURN]);
  bool is_known = step_anchor(w, java_thread + h->at[HOTSPOT_THREAD_ANCHOR], out_is_end);
  return is_known && !*out_is_end;
}

/* Moves over one frame. False if it could not be identified. */
READS_ALL static inline bool walk_on(struct walk *w, struct physical_key *key, bool *out_is_end) {
  uintptr_t before = w->sp;
  return before >= w->low && step(w, key, out_is_end) && (*out_is_end || w->sp > before);
}

NOT_SANITIZED bool physical_read(const struct hotspot *h, uintptr_t java_thread, uintptr_t until,
                                 struct physical_key *key) {
  struct walk w;
  bool is_end = false;
  if (!start_walk(&w, h, java_thread, &is_end)) return false;
  for (int i = 0; i < MAX_FRAMES && !is_end && w.sp < until; i++) {
    if (!walk_on(&w, key, &is_end)) return false;
  }
  return is_end || w.sp >= until;
}

/* --- the newest frames ----------------------------------------------------------------------- */

/* Adds the frame that the walk has just left, which had this return address. */
READS_ALL static inline void add_to_trail(struct physical_trail *trail, const struct walk *w,
                                          uintptr_t pc, uintptr_t at) {
  uint32_t id = w->id_at == 0 ? 0 : (uint32_t)peek_int(w->id_at);
  trail->frames[trail->num].pc = pc;
  trail->frames[trail->num].at = at;
  trail->frames[trail->num].id_at = w->id_at;
  trail->frames[trail->num].id = id;
  trail->num++;
}

/* Returns whether the walk has left a stub, which had this return address. A hook has none below
   it. But the older frames of a virtual thread may not be on the stack. Then the return address is
   that of a stub which brings the next ones there (StubRoutines::cont_returnBarrier). */
READS_ALL static inline bool left_stub(const struct walk *w, uintptr_t pc) {
  return w->id_at == 0 && !w->is_interpreted && pc != w->h->call_stub_return;
}

READS_ALL static inline bool read_near(struct walk *w, bool is_end, unsigned num,
                                       struct physical_key *key, struct physical_trail *trail) {
  bool has_trail = true;
  uintptr_t newest = w->sp;
  for (int i = 0; i < MAX_FRAMES && !is_end && w->num_methods < num; i++) {
    uintptr_t pc = w->pc, at = w->sp - newest;
    has_trail = has_trail && i < PHYSICAL_TRAIL && pc != w->h->call_stub_return;
    if (!walk_on(w, key, &is_end) || left_stub(w, pc)) return false;
    has_trail = has_trail && !w->is_interpreted;
    if (has_trail) add_to_trail(trail, w, pc, at);
  }
  if (!has_trail || is_end) trail->num = 0;
  return is_end || w->num_methods >= num;
}

NOT_SANITIZED bool physical_read_near(const struct hotspot *h, uintptr_t java_thread, unsigned *num,
                                      struct physical_key *key, struct physical_trail *trail) {
  struct walk w;
  bool is_end = false;
  trail->num = 0;
  bool is_started = start_walk(&w, h, java_thread, &is_end);
  if (is_started && read_near(&w, is_end, *num, key, trail)) return true;
  trail->num = 0; /* a part of the frames tells nothing */
  unsigned read = w.num_methods;
  *num = read < *num ? read : *num - 1; /* the last one may have no readable caller */
  return false;
}

NOT_SANITIZED unsigned physical_read_methods(const struct hotspot *h, uintptr_t java_thread,
                                             unsigned max, jmethodID *methods) {
  struct walk w;
  struct physical_key unused = {0, 0};
  bool is_end = false;
  if (!start_walk(&w, h, java_thread, &is_end)) return 0;
  for (int i = 0; i < MAX_FRAMES && !is_end && w.num_methods < max; i++) {
    unsigned before = w.num_methods;
    uintptr_t pc = w.pc;
    if (!walk_on(&w, &unused, &is_end)) return before;
    if (w.num_methods == before && pc != h->call_stub_return) return before;
    if (w.num_methods == before) continue;
    uintptr_t method = peek(w.method_at);
    uintptr_t id = method == 0 ? 0 : find_id(h, peek_field(h, method, HOTSPOT_METHOD_CONST));
    if (id == 0) return before;
    methods[before] = (jmethodID)id;
  }
  return w.num_methods;
}

NOT_SANITIZED bool physical_follows(const struct hotspot *h, uintptr_t java_thread,
                                    const struct physical_trail *trail) {
  struct walk w;
  bool is_end = false;
  if (trail->num == 0 || !start_walk(&w, h, java_thread, &is_end)) return false;
  for (unsigned i = 0; i < trail->num; i++) {
    uintptr_t pc = w.pc, id_at = trail->frames[i].id_at;
    if (i > 0 && !read_stack(&w, w.sp + trail->frames[i].at, -1, &pc)) return false;
    if (pc != trail->frames[i].pc) return false;
    if (id_at != 0 && (uint32_t)peek_int(id_at) != trail->frames[i].id) return false;
  }
  return true;
}

/* --- the frames of a call -------------------------------------------------------------------- */

/* The frame of the native method, and that of its caller. What a caller that is interpreted now has
   below its frame when it is compiled later begins at most one such frame higher. */
#define CALLER_SPAN 768

NOT_SANITIZED uintptr_t physical_above(const struct hotspot *h, uintptr_t java_thread) {
  uintptr_t sp = peek_field(h, java_thread + h->at[HOTSPOT_THREAD_ANCHOR], HOTSPOT_ANCHOR_SP);
  return sp == 0 ? PHYSICAL_ALL : sp + CALLER_SPAN;
}

/* A JavaThread is in a continuation while it runs a virtual thread. */
NOT_SANITIZED bool physical_is_platform(const struct hotspot *h, uintptr_t java_thread) {
  return !h->has[HOTSPOT_THREAD_CONTINUATION] ||
         peek_field(h, java_thread, HOTSPOT_THREAD_CONTINUATION) == 0;
}

#else

bool physical_can_read(const struct hotspot *h, const char **why) {
  (void)h;
  *why = "this build has no walk for this CPU";
  return false;
}

bool physical_read(const struct hotspot *h, uintptr_t java_thread, uintptr_t until,
                   struct physical_key *key) {
  (void)h;
  (void)java_thread;
  (void)until;
  (void)key;
  return false;
}

bool physical_read_near(const struct hotspot *h, uintptr_t java_thread, unsigned *num,
                        struct physical_key *key, struct physical_trail *trail) {
  (void)h;
  (void)java_thread;
  (void)key;
  (void)trail;
  *num = 0;
  return false;
}

unsigned physical_read_methods(const struct hotspot *h, uintptr_t java_thread, unsigned max,
                               jmethodID *methods) {
  (void)h;
  (void)java_thread;
  (void)max;
  (void)methods;
  return 0;
}

bool physical_follows(const struct hotspot *h, uintptr_t java_thread,
                      const struct physical_trail *trail) {
  (void)h;
  (void)java_thread;
  (void)trail;
  return false;
}

bool physical_is_platform(const struct hotspot *h, uintptr_t java_thread) {
  (void)h;
  (void)java_thread;
  return false;
}

uintptr_t physical_above(const struct hotspot *h, uintptr_t java_thread) {
  (void)h;
  (void)java_thread;
  return PHYSICAL_ALL;
}

#endif
