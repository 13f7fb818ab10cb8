#pragma once
/* The walk over the physical frames of a capture, for the files that implement it: unwinder.c and
   one file for each CPU. The latter knows the machine code that HotSpot generates for its CPU. A
   frame that has a caller is complete. Only the innermost frame may be incomplete, and a CPU's file
   says how to leave it. All functions run on the decoder thread. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "sampler/unwinder.h"

BEGIN_C

#define WORD sizeof(uintptr_t)

/* The position of the walk: the registers of the current physical frame. */
struct walk {
  struct unwinder *u;
  const struct capture *c;
  struct unwound *out;
  uintptr_t pc, sp, fp;
  enum pc_kind kind; /* the meaning of `pc` */
};

/* The functions that differ between CPUs. Those that leave a frame move to its caller, and return
   false if they do not find it. */
struct walk_cpu {
  uintptr_t address_mask; /* the bits of an address; the others may contain a signature */
  bool (*is_after_call)(uintptr_t pc); /* whether a call instruction ends there */
  bool (*leave_compiled)(struct walk *w, const struct blob *b);
  bool (*leave_stub)(struct walk *w, const struct blob *b); /* a stub may have no frame */
  bool (*leave_unknown)(struct walk *w); /* code of C, or of the interpreter before its frame */
};

extern const struct walk_cpu walk_x86, walk_arm64;

/* The CPU of this build; NULL: no file knows it. */
#if defined(__x86_64__)
#define WALK_CPU &walk_x86
#elif defined(__aarch64__)
#define WALK_CPU &walk_arm64
#else
#define WALK_CPU NULL
#endif

/* walk_read reads the word at address `at` of the copied stack; false if it is not in the copy. */
bool walk_read(const struct walk *w, uintptr_t at, uintptr_t *out);

/* walk_to moves to the caller if `pc` is the return address of a call that a Java method made. `sp`
   and `fp` are the caller's registers. */
bool walk_to(struct walk *w, uintptr_t pc, uintptr_t sp, uintptr_t fp);

/* walk_to_word does so if the word at address `at` is a return address. walk_to_pair does so if, in
   addition, the word below it is the caller's frame pointer. */
bool walk_to_word(struct walk *w, uintptr_t at, uintptr_t fp);
bool walk_to_pair(struct walk *w, uintptr_t at);

/* walk_out_of moves to the caller of a complete frame. */
bool walk_out_of(struct walk *w, const struct blob *b);

/* walk_is_plausible returns whether the frame of the code at `pc` can begin at `sp`: it also ends
   with an address in code. Stale words of earlier calls can look like one return address, but
   rarely like two in the right distance. */
bool walk_is_plausible(const struct walk *w, uintptr_t pc, uintptr_t sp);

/* walk_scan moves to the caller at the first word that is a plausible return address. For frames of
   unknown size. */
bool walk_scan(struct walk *w);

END_C
