#include "agent/classfile/clock_loop.h"

#include <string.h>

#include "agent/classfile/opcodes.h"

/* Between a call that reads the clock and the jump that depends on it, there are only so many
   instructions. */
#define MOST_BETWEEN 16

static bool is_call(uint8_t opcode) {
  return opcode == OPCODE_invokestatic || opcode == OPCODE_invokevirtual ||
         opcode == OPCODE_invokespecial || opcode == OPCODE_invokeinterface;
}

/* The target of a jump with one target; -1: it is no such jump. */
static int64_t find_target(struct span code, uint32_t pc) {
  enum opcode_kind kind = opcode_kind_at(code, pc);
  bool is_jump = kind == OP_IF || kind == OP_GOTO || kind == OP_GOTO_W;
  int64_t target = is_jump ? (int64_t)pc + jump_offset(code, pc, 0) : -1;
  return target < (int64_t)code.len ? target : -1;
}

/* --- the clock ------------------------------------------------------------------------------- */

static struct span get_class(struct span code, uint32_t pc, const struct pool *p) {
  return pool_member_class(p, peek_u2(code.data + pc + 1));
}

static bool is_of_java_time(struct span code, uint32_t pc, const struct pool *p) {
  return span_starts(get_class(code, pc, p), "java/time/");
}

static bool reads_clock(struct span code, uint32_t pc, const struct pool *p) {
  if (!is_call((uint8_t)code.data[pc])) return false;
  struct span name = pool_method_name(p, peek_u2(code.data + pc + 1));
  if (span_is(get_class(code, pc, p), "java/lang/System")) {
    return span_is(name, "nanoTime") || span_is(name, "currentTimeMillis");
  }
  return is_of_java_time(code, pc, p) &&
         (span_is(name, "now") || span_is(name, "millis") || span_is(name, "instant"));
}

/* The local variable of an instruction, of which there is a form with an operand and four without;
   -1: it is another instruction. */
static int find_local(struct span code, uint32_t pc, uint8_t with_operand, uint8_t first) {
  uint8_t opcode = (uint8_t)code.data[pc];
  if (opcode == with_operand) return (uint8_t)code.data[pc + 1];
  return opcode >= first && opcode < first + 4 ? opcode - first : -1;
}

/* Returns the jump that depends on the time that a call at `pc` reads, or the return of a
   comparison; 0: there is none. A time that was stored must be loaded again. Times of java.time are
   compared by their own methods. */
static uint32_t find_decision(struct span code, uint32_t pc, const struct pool *p) {
  bool is_compared = false;
  int stored = -1;
  uint32_t at = pc + opcode_length(code, pc);
  for (int i = 0; i < MOST_BETWEEN && at < code.len; i++) {
    uint32_t length = opcode_length(code, at);
    uint8_t opcode = (uint8_t)code.data[at];
    if (length == 0) return 0;
    if (opcode_kind_at(code, at) == OP_IF || opcode == OPCODE_ireturn) return is_compared ? at : 0;
    if (opcode_ends_flow(code, at) || jump_count(code, at) > 0) return 0;
    bool compares = is_call(opcode) && is_of_java_time(code, at, p);
    if (is_call(opcode) && !compares) return 0;
    int store = find_local(code, at, OPCODE_lstore, OPCODE_lstore_0);
    int load = find_local(code, at, OPCODE_lload, OPCODE_lload_0);
    if (store >= 0) stored = store;
    if (load >= 0 && load == stored) stored = -1;
    is_compared |= (opcode == OPCODE_lcmp && stored < 0) || compares;
    at += length;
  }
  return 0;
}

/* --- helpers --------------------------------------------------------------------------------- */

/* Whether the code at `pc` returns a constant at once, as both branches of "return a < b" do. */
static bool returns_constant(struct span code, int64_t pc) {
  if (pc < 0 || pc + 1 >= (int64_t)code.len) return false;
  uint8_t opcode = (uint8_t)code.data[pc];
  if (opcode != OPCODE_iconst_0 && opcode != OPCODE_iconst_1) return false;
  uint32_t next = (uint32_t)pc + 1;
  if (opcode_length(code, next) == 0) return false;
  int64_t target = opcode_kind_at(code, next) == OP_GOTO ? find_target(code, next) : next;
  return target >= 0 && (uint8_t)code.data[target] == OPCODE_ireturn;
}

static bool decides(struct span code, uint32_t decision) {
  if (decision == 0) return false;
  if ((uint8_t)code.data[decision] == OPCODE_ireturn) return true;
  return returns_constant(code, find_target(code, decision)) ||
         returns_constant(code, decision + opcode_length(code, decision));
}

/* A method that returns a time has no jumps, or the time may be another one. */
enum clock_helper clock_helper_of(struct span code, struct span descriptor, const struct pool *p) {
  char type = descriptor.len == 0 ? 0 : descriptor.data[descriptor.len - 1];
  bool reads = false, jumps = false;
  for (uint32_t pc = 0, length; pc < code.len; pc += length) {
    length = opcode_length(code, pc);
    if (length == 0) return CLOCK_HELPER_NONE;
    jumps |= jump_count(code, pc) > 0;
    if (!reads_clock(code, pc, p)) continue;
    reads = true;
    if (type == 'Z' && decides(code, find_decision(code, pc, p))) return CLOCK_HELPER_DECIDES;
  }
  return type == 'J' && reads && !jumps ? CLOCK_HELPER_READS : CLOCK_HELPER_NONE;
}

static char to_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool contains(struct span text, const char *word) {
  size_t length = strlen(word);
  for (size_t from = 0; from + length <= text.len; from++) {
    size_t i = 0;
    while (i < length && to_lower(text.data[from + i]) == word[i]) i++;
    if (i == length) return true;
  }
  return false;
}

static bool tells_of_time(struct span name) {
  static const char *const words[] = {"time",   "clock",   "nano",      "milli",   "deadline",
                                      "expire", "elapsed", "stopwatch", "duration"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (contains(name, words[i])) return true;
  }
  return false;
}

static struct span get_simple_name(struct span class_name) {
  struct span rest = class_name, part = {NULL, 0};
  while (span_cut(&rest, '/', &part)) continue;
  return part;
}

/* The code of a method of another class is not at hand, so its names decide: "clock.isRunning()",
   "timer.elapsed()". A loop that is taken for one with a clock loses only the sentence of a gain.
 */
static enum clock_helper guess_helper(struct span class_name, struct span name,
                                      struct span descriptor) {
  bool is_platform = span_starts(class_name, "java/") || span_starts(class_name, "jdk/") ||
                     span_starts(class_name, "sun/");
  size_t length = descriptor.len;
  char type = length < 2 || descriptor.data[length - 2] != ')' ? 0 : descriptor.data[length - 1];
  bool is_time =
      !is_platform && (tells_of_time(name) || tells_of_time(get_simple_name(class_name)));
  if (!is_time) return CLOCK_HELPER_NONE;
  return type == 'Z' ? CLOCK_HELPER_DECIDES : type == 'J' ? CLOCK_HELPER_READS : CLOCK_HELPER_NONE;
}

static enum clock_helper ask_helper(struct span code, uint32_t pc, const struct pool *p,
                                    const struct clock_helpers *helpers) {
  if (helpers == NULL || !is_call((uint8_t)code.data[pc])) return CLOCK_HELPER_NONE;
  uint32_t index = peek_u2(code.data + pc + 1);
  struct span class_name = pool_member_class(p, index), name = pool_method_name(p, index);
  struct span descriptor = pool_method_descriptor(p, index);
  return span_same(class_name, helpers->class_name) ? helpers->ask(helpers->arg, name, descriptor)
                                                    : guess_helper(class_name, name, descriptor);
}

/* Returns the jump that depends on the clock, if the instruction at `pc` reads it; 0: there is
   none. */
static uint32_t find_jump(struct span code, uint32_t pc, const struct pool *p,
                          const struct clock_helpers *helpers) {
  enum clock_helper helper = ask_helper(code, pc, p, helpers);
  bool reads = helper == CLOCK_HELPER_READS || reads_clock(code, pc, p);
  uint32_t at = reads ? find_decision(code, pc, p) : 0;
  if (helper == CLOCK_HELPER_DECIDES) at = pc + opcode_length(code, pc);
  bool is_whole = at > 0 && at < code.len && opcode_length(code, at) > 0;
  return is_whole && opcode_kind_at(code, at) == OP_IF ? at : 0;
}

/* --- the loop -------------------------------------------------------------------------------- */

static bool is_in(const struct clock_loop *loop, int64_t pc) {
  return pc >= loop->from && pc <= loop->to;
}

/* Whether the code at `pc` is outside of a loop, or leaves it at once. */
static bool leaves(struct span code, const struct clock_loop *loop, int64_t pc) {
  if (!is_in(loop, pc)) return true;
  bool is_whole = opcode_length(code, (uint32_t)pc) > 0;
  if (!is_whole || opcode_kind_at(code, (uint32_t)pc) == OP_IF) return false;
  int64_t target = find_target(code, (uint32_t)pc);
  return target >= 0 ? !is_in(loop, target) : opcode_ends_flow(code, (uint32_t)pc);
}

/* Whether the code at `pc` makes and throws an exception at once. */
static bool fails(struct span code, int64_t pc) {
  bool makes = pc >= 0 && pc < (int64_t)code.len && (uint8_t)code.data[pc] == OPCODE_new;
  for (int i = 0; makes && i < MOST_BETWEEN && pc < (int64_t)code.len; i++) {
    uint32_t at = (uint32_t)pc, length = opcode_length(code, at);
    if (length == 0 || jump_count(code, at) > 0) return false;
    if (opcode_ends_flow(code, at)) return opcode_kind_at(code, at) == OP_THROW;
    pc += length;
  }
  return false;
}

/* Whether the loop ends if the program goes on at `pc`. */
static bool ends_at(struct span code, const struct clock_loop *loop, int64_t pc) {
  return leaves(code, loop, pc) && !fails(code, pc);
}

static bool ends_by_clock(struct span code, const struct pool *p,
                          const struct clock_helpers *helpers, const struct clock_loop *loop) {
  for (uint32_t pc = loop->from; pc <= loop->to;) {
    uint32_t length = opcode_length(code, pc);
    if (length == 0) return false;
    uint32_t decision = find_jump(code, pc, p, helpers);
    if (decision != 0 && decision <= loop->to &&
        (ends_at(code, loop, find_target(code, decision)) ||
         ends_at(code, loop, decision + opcode_length(code, decision)))) {
      return true;
    }
    pc += length;
  }
  return false;
}

bool clock_loop_may_be(struct span code) {
  bool has_call = false;
  for (uint32_t pc = 0, length; pc < code.len; pc += length) {
    length = opcode_length(code, pc);
    if (length == 0) return false;
    has_call |= is_call((uint8_t)code.data[pc]);
    int64_t target = find_target(code, pc);
    if (has_call && target >= 0 && target <= (int64_t)pc) return true;
  }
  return false;
}

bool clock_loop_find(struct span code, const struct pool *p, const struct clock_helpers *helpers,
                     struct clock_loop *out) {
  *out = (struct clock_loop){0, 0};
  bool is_found = false;
  for (uint32_t pc = 0, length; pc < code.len; pc += length) {
    length = opcode_length(code, pc);
    if (length == 0) return false;
    int64_t target = find_target(code, pc);
    if (target < 0 || target > (int64_t)pc) continue;
    struct clock_loop loop = {(uint32_t)target, pc};
    bool is_larger = !is_found || loop.to - loop.from > out->to - out->from;
    if (!is_larger || !ends_by_clock(code, p, helpers, &loop)) continue;
    *out = loop;
    is_found = true;
  }
  return is_found;
}
