#include "sampler/walk.h"

#include <string.h>

#include "agent/base/hook_mark.h"
#include "agent/hotspot/frame_layout.h"

#define MAX_STEPS 4096 /* physical frames of one stack; stops a walk in a cycle */
#define MAX_SCAN 512   /* words that walk_scan checks */

/* --- the copied stack ----------------------------------------------------------------------- */

static uintptr_t stack_begin(const struct capture *c) { return c->sp & ~(uintptr_t)7; }

bool walk_read(const struct walk *w, uintptr_t at, uintptr_t *out) {
  const struct capture *c = w->c;
  uintptr_t offset = at - stack_begin(c);
  if (at % WORD != 0 || at < stack_begin(c) || offset + WORD > c->stack_len) return false;
  memcpy(out, c->stack + offset, WORD);
  return true;
}

/* Reads a word that may be an address of code. */
static bool read_address(const struct walk *w, uintptr_t at, uintptr_t *out) {
  if (!walk_read(w, at, out)) return false;
  *out &= w->u->cpu->address_mask;
  return true;
}

static bool read_frame_word(const struct walk *w, uintptr_t base, int words, uintptr_t *out) {
  return walk_read(w, base + (uintptr_t)(intptr_t)words * WORD, out);
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

/* Reads method and bytecode pointer of the interpreter frame at `fp`; false if there is none. */
static bool read_interpreted(const struct walk *w, uintptr_t fp, struct method_words *out,
                             uintptr_t *out_bcp) {
  const struct hotspot *h = w->u->hotspot;
  uintptr_t method;
  return read_frame_word(w, fp, FRAME_METHOD, &method) && read_frame_word(w, fp, h->bcp, out_bcp) &&
         hotspot_read_method(h, method, out) && method_ids_has(w->u->ids, out->id);
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
  return code_map_has(w->u->codes, pc) && w->u->cpu->is_after_call(pc);
}

bool walk_to(struct walk *w, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
  if (!is_return_address(w, pc, fp)) return false;
  w->pc = pc;
  w->sp = sp;
  w->fp = fp;
  return true;
}

bool walk_to_word(struct walk *w, uintptr_t at, uintptr_t fp) {
  uintptr_t pc;
  return read_address(w, at, &pc) && walk_to(w, pc, at + WORD, fp);
}

bool walk_to_pair(struct walk *w, uintptr_t at) {
  uintptr_t fp;
  return walk_read(w, at - WORD, &fp) && walk_to_word(w, at, fp);
}

bool walk_is_plausible(const struct walk *w, uintptr_t pc, uintptr_t sp) {
  struct blob blob;
  uintptr_t next;
  if (!code_map_has(w->u->codes, pc)) return true; /* not compiled code: walk_to checks it */
  if (!find_blob(w->u, pc, &blob) || blob.kind != BLOB_COMPILED) return false;
  return read_address(w, sp + (uintptr_t)blob.frame_bytes - WORD, &next) &&
         hotspot_is_code(w->u->hotspot, next);
}

bool walk_scan(struct walk *w) {
  uintptr_t at = (w->sp + WORD - 1) & ~(uintptr_t)(WORD - 1);
  for (int i = 0; i < MAX_SCAN; i++, at += WORD) {
    uintptr_t fp = 0, word;
    if (!read_address(w, at, &word)) return false;
    if (!hotspot_is_code(w->u->hotspot, word)) continue;
    if (!walk_is_plausible(w, word, at + WORD)) continue;
    walk_read(w, at - WORD, &fp);
    if (walk_to_word(w, at, fp)) return true;
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
  if (!read_frame_word(w, w->fp, FRAME_RETURN_PC, &pc) ||
      !read_frame_word(w, w->fp, FRAME_SAVED_FP, &fp) ||
      !read_frame_word(w, w->fp, FRAME_SENDER_SP, &sp)) {
    return false;
  }
  bool is_above = sp > w->fp; /* SENDER_SP is the value before an adapter moved the stack pointer */
  w->sp = is_above ? sp : w->fp + 2 * WORD;
  w->fp = fp;
  w->pc = pc;
  return true;
}

bool walk_out_of(struct walk *w, const struct blob *b) {
  uintptr_t at = w->sp + (uintptr_t)b->frame_bytes - WORD;
  if (b->frame_bytes < (int32_t)WORD) return false;
  uintptr_t pc, fp = 0;
  if (!walk_read(w, at, &pc) || !hotspot_is_code(w->u->hotspot, pc)) return false;
  walk_read(w, at - WORD, &fp);
  w->pc = pc;
  w->sp = at + WORD;
  w->fp = fp;
  return true;
}

/* Restores the return address of a frame that is marked for deoptimization. Deoptimization replaces
   the return address by the address of its handler, and saves the original in the frame. */
static bool restore_deoptimized_pc(struct walk *w, const struct blob *b) {
  uintptr_t pc;
  if (b->kind != BLOB_COMPILED || b->orig_pc <= 0) return false;
  if (!walk_read(w, w->sp + (uintptr_t)b->orig_pc, &pc)) return false;
  if (pc < b->code_begin || pc >= b->end) return false;
  w->pc = pc;
  return true;
}

/* Ends the walk if the last frame is that of Continuation.enterSpecial, which called the virtual
   thread, and removes this frame. A frame of enterSpecial alone is one of the carrier. */
static bool leave_virtual_thread(struct walk *w) {
  struct unwound *out = w->out;
  if (w->u->continuation_entry == NULL || out->num < 2 ||
      out->frames[out->num - 1].method != w->u->continuation_entry)
    return false;
  out->num--;
  return out->is_mounted = true;
}

static bool step_compiled(struct walk *w, const struct blob *b, bool *out_is_end) {
  if (!add_compiled_frames(w) && !(restore_deoptimized_pc(w, b) && add_compiled_frames(w)))
    return false;
  if (leave_virtual_thread(w)) return *out_is_end = true;
  return w->kind == PC_NEXT ? w->u->cpu->leave_compiled(w, b) : walk_out_of(w, b);
}

/* Moves to the caller of a stub. */
static bool step_stub(struct walk *w, const struct blob *b) {
  bool is_complete = w->kind != PC_NEXT && b->frame_bytes >= (int32_t)WORD;
  return is_complete ? walk_out_of(w, b) : w->u->cpu->leave_stub(w, b);
}

/* Moves from the first frame of Java code that the JVM called to the frame in which Java code had
   called the JVM before. The call wrapper has saved the JavaFrameAnchor of that frame. */
static bool step_entry(struct walk *w, bool *out_is_end) {
  const struct hotspot *h = w->u->hotspot;
  uintptr_t wrapper, below = w->sp, pc;
  if (!read_frame_word(w, w->fp, FRAME_CALL_WRAPPER, &wrapper)) return false;
  uintptr_t anchor = wrapper + h->at[HOTSPOT_WRAPPER_ANCHOR];
  if (!walk_read(w, anchor + h->at[HOTSPOT_ANCHOR_SP], &w->sp)) return false;
  *out_is_end = w->sp == 0;
  if (*out_is_end) return true;
  if (w->sp <= below || !walk_read(w, anchor + h->at[HOTSPOT_ANCHOR_PC], &pc) ||
      !walk_read(w, anchor + h->at[HOTSPOT_ANCHOR_FP], &w->fp)) {
    return false;
  }
  w->pc = pc;
  return pc != 0 || walk_read(w, w->sp - WORD, &w->pc);
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
    is_known = step_compiled(w, &blob, out_is_end);
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

/* --- hooks ---------------------------------------------------------------------------------- */

bool capture_has_mark(const struct capture *c) {
  uintptr_t begin = stack_begin(c), end = begin + c->stack_len;
  if (c->anchor_sp < end) end = c->anchor_sp; /* 0: the thread runs Java code, and no hook */
  for (uintptr_t at = begin; at + 2 * WORD <= end && at >= begin; at += WORD) {
    uintptr_t words[2];
    memcpy(words, c->stack + (at - begin), sizeof words);
    if (words[0] == HOOK_MARK && words[1] == at) return true;
  }
  return false;
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
    return w->u->cpu->leave_unknown(w);
  }
  if (hotspot_is_code(h, w->pc)) return true;
  w->out->place =
      w->c->state == (int32_t)h->at[HOTSPOT_STATE_IN_NATIVE] ? CPU_PLACE_NATIVE : CPU_PLACE_VM;
  w->kind = PC_RETURN_LEAF;
  if (w->c->anchor_sp != 0) {
    w->sp = w->c->anchor_sp;
    w->fp = w->c->anchor_fp;
    w->pc = w->c->anchor_pc;
    if (w->pc != 0 || walk_read(w, w->sp - WORD, &w->pc)) return true;
  }
  /* The thread may run a C function that Java code calls without setting the anchor. */
  return w->c->state == (int32_t)h->at[HOTSPOT_STATE_IN_JAVA] && w->u->cpu->leave_unknown(w);
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
