#include "sampler/unwinder.h"

#include <string.h>

#include "agent/hotspot/jvm_memory.h"

#define WORD sizeof(uintptr_t)
#define MAX_STEPS 4096 /* physical frames of one stack; stops a walk in a cycle */
#define MAX_SCAN 512   /* words that scan_for_return checks */

/* Values of JavaThread::_thread_state, from globalDefinitions.hpp. */
#define STATE_IN_NATIVE 4
#define STATE_IN_JAVA 8

/* Offsets in an interpreter frame, in words from its frame pointer, from frame_x86.hpp. */
#define SAVED_FP 0
#define RETURN_PC 1
#define SENDER_SP (-1)
#define METHOD (-3)
#define BCP (-8)
#define CALL_WRAPPER (-6) /* in the frame of call_stub */

/* The position of the walk: the registers of the current physical frame. */
struct walk {
  struct unwinder *u;
  const struct capture *c;
  struct unwound *out;
  uintptr_t pc, sp, fp;
  enum pc_kind kind; /* the meaning of `pc` */
};

/* --- the copied stack ----------------------------------------------------------------------- */

static uintptr_t stack_begin(const struct capture *c) { return c->sp & ~(uintptr_t)7; }

static bool read_stack_word(const struct capture *c, uintptr_t at, uintptr_t *out) {
  uintptr_t offset = at - stack_begin(c);
  if (at % WORD != 0 || at < stack_begin(c) || offset + WORD > c->stack_len) return false;
  memcpy(out, c->stack + offset, WORD);
  return true;
}

static bool read_frame_word(const struct walk *w, uintptr_t base, int words, uintptr_t *out) {
  return read_stack_word(w->c, base + (uintptr_t)(intptr_t)words * WORD, out);
}

/* --- code ----------------------------------------------------------------------------------- */

static bool find_blob(struct unwinder *u, uintptr_t pc, struct blob *out) {
  if (code_map_get_blob(u->codes, pc, out)) return true;
  size_t at = (pc ^ pc >> 8) % BLOB_CACHE;
  if (pc == 0) return false;
  if (u->stubs[at].pc == pc) {
    *out = u->stubs[at].blob;
    return true;
  }
  if (!hotspot_find_blob(u->hotspot, pc, out)) return false;
  if (out->kind != BLOB_OTHER) {
    code_map_set_blob(u->codes, pc, out);
  } else {
    u->stubs[at].pc = pc;
    u->stubs[at].blob = *out;
  }
  return true;
}

/* Returns true if a call instruction ends at `pc`: E8 rel32, or FF /2 with a register or a memory
   operand. */
static bool is_after_call(uintptr_t pc) {
  uint8_t b[7];
  if (!jvm_memory_read(pc - sizeof b, b, sizeof b)) return false;
  return b[2] == 0xE8 || (b[5] == 0xFF && (b[6] & 0xF8) == 0xD0) ||
         (b[1] == 0xFF && b[2] == 0x15) || (b[4] == 0xFF && (b[5] & 0x38) == 0x10) ||
         (b[1] == 0xFF && (b[2] & 0xF8) == 0x90);
}

/* Reads method and bytecode pointer of the interpreter frame at `fp`; false if there is none. */
static bool read_interpreted(const struct walk *w, uintptr_t fp, struct method_words *out,
                             uintptr_t *out_bcp) {
  uintptr_t method;
  return read_frame_word(w, fp, METHOD, &method) && read_frame_word(w, fp, BCP, out_bcp) &&
         hotspot_read_method(w->u->hotspot, method, out) && method_ids_has(w->u->ids, out->id);
}

/* Returns true if `pc` is the return address of a call that a Java method made; `fp` is the
   method's frame pointer. Checks words of the stack that may or may not be return addresses. */
static bool is_return_address(const struct walk *w, uintptr_t pc, uintptr_t fp) {
  const struct hotspot *h = w->u->hotspot;
  struct method_words method;
  uintptr_t bcp;
  jvmtiFrameInfo frame;
  if (!hotspot_is_code(h, pc)) return false;
  if (pc == h->call_stub_return || (pc == h->continuation_return && pc != 0)) return true;
  if (hotspot_is_interpreter(h, pc)) return read_interpreted(w, fp, &method, &bcp);
  if (code_map_find_frames(w->u->codes, pc, PC_RETURN, &frame, 1) > 0) return true;
  return code_map_has(w->u->codes, pc) && is_after_call(pc);
}

/* Moves to the caller if the word at address `at` is a return address. */
static bool return_at(struct walk *w, uintptr_t at, uintptr_t fp) {
  uintptr_t pc;
  if (!read_stack_word(w->c, at, &pc) || !is_return_address(w, pc, fp)) return false;
  w->pc = pc;
  w->sp = at + WORD;
  w->fp = fp;
  return true;
}

/* Does the same if the caller's frame pointer was pushed directly below the return address. */
static bool return_above_fp(struct walk *w, uintptr_t at) {
  uintptr_t fp;
  return read_stack_word(w->c, at - WORD, &fp) && return_at(w, at, fp);
}

/* Returns true if the caller's frame at `sp` also ends with an address in code. Stale words of
   earlier calls can look like one return address, but rarely like two in the right distance. */
static bool is_frame_plausible(const struct walk *w, uintptr_t pc, uintptr_t sp) {
  struct blob blob;
  uintptr_t next;
  if (!code_map_has(w->u->codes, pc)) return true; /* not compiled code: return_at checks it */
  if (!find_blob(w->u, pc, &blob) || blob.kind != BLOB_COMPILED) return false;
  return read_stack_word(w->c, sp + (uintptr_t)blob.frame_bytes - WORD, &next) &&
         hotspot_is_code(w->u->hotspot, next);
}

/* Moves to the caller at the first word that is a plausible return address. Used if the frame size
   is unknown. */
static bool scan_for_return(struct walk *w) {
  uintptr_t at = (w->sp + WORD - 1) & ~(uintptr_t)(WORD - 1);
  for (int i = 0; i < MAX_SCAN; i++, at += WORD) {
    uintptr_t fp = 0, word;
    if (!read_stack_word(w->c, at, &word)) return false;
    if (!hotspot_is_code(w->u->hotspot, word)) continue;
    if (!is_frame_plausible(w, word, at + WORD)) continue;
    read_stack_word(w->c, at - WORD, &fp);
    if (return_at(w, at, fp)) return true;
  }
  return false;
}

/* --- frames --------------------------------------------------------------------------------- */

static bool add_compiled_frames(struct walk *w) {
  struct unwound *out = w->out;
  jvmtiFrameInfo one;
  if (out->num == out->max) {
    out->is_cut = code_map_find_frames(w->u->codes, w->pc, w->kind, &one, 1) > 0;
    return out->is_cut;
  }
  int n = code_map_find_frames(w->u->codes, w->pc, w->kind, out->frames + out->num,
                               out->max - out->num);
  out->num += n;
  return n > 0;
}

static bool step_interpreted(struct walk *w) {
  struct method_words method;
  uintptr_t bcp, pc, fp, sp;
  if (!read_interpreted(w, w->fp, &method, &bcp)) return false;
  if (w->kind == PC_NEXT && w->c->bcp - method.code < method.code_size) bcp = w->c->bcp;
  jlocation location = bcp - method.code < method.code_size ? (jlocation)(bcp - method.code) : 0;
  if (method.code_size == 0) location = -1;
  if (w->out->num == w->out->max) {
    w->out->is_cut = true;
  } else {
    w->out->frames[w->out->num++] = (jvmtiFrameInfo){method.id, location};
  }
  if (!read_frame_word(w, w->fp, RETURN_PC, &pc) || !read_frame_word(w, w->fp, SAVED_FP, &fp) ||
      !read_frame_word(w, w->fp, SENDER_SP, &sp)) {
    return false;
  }
  bool is_above = sp > w->fp; /* SENDER_SP is the value before an adapter moved the stack pointer */
  w->sp = is_above ? sp : w->fp + 2 * WORD;
  w->fp = fp;
  w->pc = pc;
  return true;
}

/* Returns true if only the last instructions of a compiled method remain: pop rbp; poll for a
   safepoint; ret. The frame is then released, and the return address is at address `*out_at`. */
static bool is_in_epilogue(const struct walk *w, uintptr_t *out_at) {
  uint8_t b[8] = {0};
  if (!jvm_memory_read(w->pc, b, sizeof b)) return false;
  bool pops = b[0] == 0x5D, returns = b[0] == 0xC3;
  bool polls = b[0] == 0x49 && b[1] == 0x3B && (b[2] == 0xA7 || b[2] == 0x67); /* cmp rsp,[r15+…] */
  bool jumps = b[0] == 0x0F && b[1] == 0x87 && b[6] == 0xC3;                   /* ja …; ret */
  *out_at = w->sp + (pops ? WORD : 0);
  return pops || returns || polls || jumps;
}

/* Moves to the caller of a complete frame. */
static bool step_out(struct walk *w, const struct blob *b) {
  uintptr_t at = w->sp + (uintptr_t)b->frame_bytes - WORD;
  if (b->frame_bytes < (int32_t)WORD) return false;
  uintptr_t pc, fp = 0;
  if (!read_stack_word(w->c, at, &pc) || !hotspot_is_code(w->u->hotspot, pc)) return false;
  read_stack_word(w->c, at - WORD, &fp);
  w->pc = pc;
  w->sp = at + WORD;
  w->fp = fp;
  return true;
}

/* Moves to the caller of the innermost frame, which the prologue may not have completed, or which
   the epilogue may have partly released. */
static bool step_leaf(struct walk *w, const struct blob *b) {
  uintptr_t at, return_address = w->sp + (uintptr_t)b->frame_bytes - WORD;
  bool has_frame = b->frame_bytes >= (int32_t)WORD;
  bool in_prologue = b->frame_complete < 0 || w->pc < b->code_begin + (uintptr_t)b->frame_complete;
  if (is_in_epilogue(w, &at)) {
    if (at == w->sp ? return_at(w, at, w->fp) : return_above_fp(w, at)) return true;
  }
  if (in_prologue && (return_at(w, w->sp, w->fp) || return_above_fp(w, w->sp + WORD))) return true;
  if (!in_prologue && step_out(w, b)) return true;
  return (has_frame && return_above_fp(w, return_address)) || scan_for_return(w);
}

/* Restores the return address of a frame that is marked for deoptimization. Deoptimization replaces
   the return address by the address of its handler, and saves the original in the frame. */
static bool restore_deoptimized_pc(struct walk *w, const struct blob *b) {
  uintptr_t pc;
  if (b->kind != BLOB_COMPILED || b->orig_pc <= 0) return false;
  if (!read_stack_word(w->c, w->sp + (uintptr_t)b->orig_pc, &pc)) return false;
  if (pc < b->code_begin || pc >= b->end) return false;
  w->pc = pc;
  return true;
}

static bool step_compiled(struct walk *w, const struct blob *b) {
  if (!add_compiled_frames(w) && !(restore_deoptimized_pc(w, b) && add_compiled_frames(w)))
    return false;
  return w->kind == PC_NEXT ? step_leaf(w, b) : step_out(w, b);
}

/* Moves to the caller of a stub. A stub has a frame of known size, a frame that rbp points to, or
   no frame. */
static bool step_stub(struct walk *w, const struct blob *b) {
  if (w->kind == PC_NEXT && return_at(w, w->sp, w->fp)) return true;
  if (b->frame_bytes >= (int32_t)WORD && w->kind != PC_NEXT) return step_out(w, b);
  uintptr_t at = w->sp + (uintptr_t)b->frame_bytes - WORD;
  if (b->frame_bytes >= (int32_t)WORD && return_above_fp(w, at)) return true;
  if (w->fp >= w->sp && return_above_fp(w, w->fp + WORD)) return true;
  return scan_for_return(w);
}

/* Moves from the first frame of Java code that the JVM called to the frame in which Java code had
   called the JVM before. The call wrapper has saved the JavaFrameAnchor of that frame. */
static bool step_entry(struct walk *w, bool *out_is_end) {
  const struct hotspot *h = w->u->hotspot;
  uintptr_t wrapper, below = w->sp, pc;
  if (!read_frame_word(w, w->fp, CALL_WRAPPER, &wrapper)) return false;
  uintptr_t anchor = wrapper + h->at[HOTSPOT_WRAPPER_ANCHOR];
  if (!read_stack_word(w->c, anchor + h->at[HOTSPOT_ANCHOR_SP], &w->sp)) return false;
  *out_is_end = w->sp == 0;
  if (*out_is_end) return true;
  if (w->sp <= below || !read_stack_word(w->c, anchor + h->at[HOTSPOT_ANCHOR_PC], &pc) ||
      !read_stack_word(w->c, anchor + h->at[HOTSPOT_ANCHOR_FP], &w->fp)) {
    return false;
  }
  w->pc = pc;
  return pc != 0 || read_stack_word(w->c, w->sp - WORD, &w->pc);
}

/* Moves to the caller of the current physical frame, and adds the Java frames of the current one.
   Returns false if the caller cannot be found. */
static bool step(struct walk *w, bool *out_is_end) {
  const struct hotspot *h = w->u->hotspot;
  enum pc_kind next = PC_RETURN;
  struct blob blob;
  bool is_known;
  if (w->pc == h->call_stub_return) {
    is_known = step_entry(w, out_is_end);
    next = PC_RETURN_LEAF;
  } else if (h->continuation_return != 0 && w->pc == h->continuation_return) {
    is_known = *out_is_end = w->out->is_mounted = true;
  } else if (hotspot_is_interpreter(h, w->pc)) {
    is_known = step_interpreted(w);
  } else if (!find_blob(w->u, w->pc, &blob)) {
    is_known = false;
  } else if (blob.kind == BLOB_OTHER) {
    is_known = step_stub(w, &blob);
    next = PC_RETURN_LEAF;
  } else {
    is_known = step_compiled(w, &blob);
  }
  w->kind = next;
  return is_known;
}

static bool walk_out(struct walk *w) {
  bool is_end = false;
  for (int i = 0; i < MAX_STEPS && !is_end && !w->out->is_cut; i++) {
    uintptr_t sp = w->sp;
    if (!step(w, &is_end) || (!is_end && w->sp < sp)) return false;
  }
  return true;
}

/* --- the innermost frame -------------------------------------------------------------------- */

/* Finds the innermost Java frame, and sets the place of the sample. If the thread runs native code
   or the JVM's own code, the walk starts at the frame of its JavaFrameAnchor. */
static bool find_start(struct walk *w) {
  const struct hotspot *h = w->u->hotspot;
  if (hotspot_is_interpreter(h, w->pc)) {
    struct method_words method;
    uintptr_t bcp;
    if (read_interpreted(w, w->fp, &method, &bcp)) return true;
    w->kind = PC_RETURN; /* the current method has no frame yet: starts in the caller */
    return scan_for_return(w);
  }
  if (hotspot_is_code(h, w->pc)) return true;
  w->out->place = w->c->state == STATE_IN_NATIVE ? CPU_PLACE_NATIVE : CPU_PLACE_VM;
  w->kind = PC_RETURN_LEAF;
  if (w->c->anchor_sp != 0) {
    w->sp = w->c->anchor_sp;
    w->fp = w->c->anchor_fp;
    w->pc = w->c->anchor_pc;
    if (w->pc != 0 || read_stack_word(w->c, w->sp - WORD, &w->pc)) return true;
  }
  /* The thread may run a C function that Java code calls without setting the anchor. */
  return w->c->state == STATE_IN_JAVA && scan_for_return(w);
}

void unwind(struct unwinder *u, const struct capture *c, struct unwound *out) {
  struct walk w = {
      .u = u, .c = c, .out = out, .pc = c->pc, .sp = c->sp, .fp = c->fp, .kind = PC_NEXT};
  out->num = 0;
  out->place = CPU_PLACE_JAVA;
  out->is_cut = out->is_mounted = false;
  if (find_start(&w) && walk_out(&w)) return;
  bool is_complete =
      out->num == 0 && out->place != CPU_PLACE_JAVA; /* the thread has no Java frame */
  if (!is_complete) out->place = CPU_PLACE_LOST;
}
