/* The near part of a stack. It is found by physical frames, as whole stacks are, but by as few as
   contain it. How many these are is known after the first walk, so the cache has three sorts of
   words: a stack, that there is none, or the number of Java frames that are needed to tell which
   one it is.

   A method of the program is here what the reader calls so, by the name of its class. (Which calls
   are recorded inside of another one depends on the class loader: jvm_is_program_method.) */
#include <string.h>

#include "agent/base/os_thread.h"
#include "agent/event/platform.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "agent/record/stack.h"

#define FIRST_FRAMES 3 /* a hook, a method of the JDK, one of the program */
#define MOST_FRAMES 64

/* Part of each key here, so that it differs from the keys of whole stacks and of callers. */
#define KEY_MARK UINT64_C(0x5A1D7C3E9B20F486)

/* --- words of the cache ---------------------------------------------------------------------- */

#define NO_STACK ((uintptr_t)1) /* there was no room for the stack */

static uintptr_t make_stack(struct stack *s) { return s == NULL ? NO_STACK : (uintptr_t)s; }
static uintptr_t make_number(unsigned num) { return (uintptr_t)num << 1 | 1; }
static bool is_number(uintptr_t word) { return (word & 1) != 0 && word != NO_STACK; }
static unsigned get_number(uintptr_t word) { return (unsigned)(word >> 1); }

/* --- walking --------------------------------------------------------------------------------- */

struct near {
  struct stack *stack; /* NULL: there is none */
  unsigned num_needed; /* Java frames that determine it; 0: the JVM gave none */
};

static bool is_platform_method(jvmtiEnv *ti, JNIEnv *jni, jmethodID method) {
  jclass klass = NULL;
  char *signature = NULL;
  if ((*ti)->GetMethodDeclaringClass(ti, method, &klass) != JVMTI_ERROR_NONE) return true;
  (*ti)->GetClassSignature(ti, klass, &signature, NULL);
  bool is_platform =
      signature == NULL || is_platform_type((struct span){signature, strlen(signature)});
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*jni)->DeleteLocalRef(jni, klass);
  return is_platform;
}

/* The frames of a stack that ends with a method of the program do not tell whether that has
   callers, so such a stack always has the mark. */
static struct near walk_near(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, enum stack_place place) {
  struct near out = {NULL, 0};
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_FRAMES, (MOST_FRAMES + 1) * sizeof *frames);
  jint skip = stack_skipped(place), at = 0;
  jint n = frames == NULL ? 0 : walker_walk(ti, skip, MOST_FRAMES, frames);
  if (n == 0) return out;
  while (at < n && is_platform_method(ti, jni, frames[at].method)) at++;
  out.num_needed = (unsigned)(skip + at + 1);
  bool is_cut = at < n || n == MOST_FRAMES;
  int kept = at < n ? at + 1 : n, depth = stacks_depth(m->stacks);
  if (place == STACK_AT_START) frames[0].location = 0;
  if (place == STACK_HERE) kept = stack_remove_own(m, frames, kept);
  if (kept > depth) is_cut = true;
  if (kept > depth) kept = depth;
  if (is_cut) frames[kept] = (jvmtiFrameInfo){0};
  out.stack = stack_share(m, ti, jni, frames, kept + is_cut);
  return out;
}

void stack_set_near(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, struct stack *s,
                    jvmtiFrameInfo *frames, int num_frames) {
  struct stack *near = NULL;
  int at = 0;
  while (at < num_frames && frames[at].method != NULL &&
         is_platform_method(ti, jni, frames[at].method))
    at++;
  if (at < num_frames && frames[at].method != NULL) {
    jvmtiFrameInfo below = frames[at + 1];
    frames[at + 1] = (jvmtiFrameInfo){0};
    near = stack_share(m, ti, jni, frames, at + 2);
    frames[at + 1] = below;
  }
  __atomic_store_n(&s->near, near == NULL ? s : near, __ATOMIC_RELEASE);
}

/* --- the memory of a thread ------------------------------------------------------------------ */

/* Returns the stack of the same sort that the thread has now, NULL if it does not remember it. */
static struct stack *recall(const struct near_memory *n, const struct meta *m, JNIEnv *jni,
                            const struct near_memo *sort) {
  for (int i = 0; i < NEAR_MEMOS; i++) {
    const struct near_memo *memo = &n->memos[i];
    bool is_sort = memo->stack != NULL && memo->shapes == sort->shapes &&
                   memo->place == sort->place && memo->depth == sort->depth;
    if (is_sort && walker_follows(&m->walker, jni, &memo->trail)) return memo->stack;
  }
  return NULL;
}

/* --- finding --------------------------------------------------------------------------------- */

/* Returns the near part, which was found; or now and then the one that is walked for a comparison.
 */
static struct stack *check_found(struct meta *m, struct near_memory *n, jvmtiEnv *ti, JNIEnv *jni,
                                 enum stack_place place, struct stack *found) {
  if (!walker_checks(&m->walker, &n->random)) return found;
  struct stack *walked = walk_near(m, ti, jni, place).stack;
  meta_note_check(m, walked == NULL || walked == found);
  return walked;
}

/* Looks among the stacks that are known for the newest `*num` Java frames, or walks the stack.
   Returns false if these do not determine the near part; `*num` is then how many are needed. */
static bool look_near(struct meta *m, struct near_memory *n, jvmtiEnv *ti, JNIEnv *jni,
                      unsigned *num, struct near_memo *out) {
  struct shapes *shapes = m->walker.shapes;
  struct physical_key key = {KEY_MARK + (uint64_t)out->place, (uint64_t)out->depth};
  physical_add(&key, *num);
  if (!walker_near_key(&m->walker, jni, *num, &key, &out->trail)) {
    /* A walk also gives ids to methods, so that their frames can be identified the next time. */
    if (walker_is_on(&m->walker)) out->stack = walk_near(m, ti, jni, out->place).stack;
    return true;
  }
  uintptr_t word = shapes_get(shapes, &key);
  if (word == NO_STACK) return true;
  if (is_number(word)) {
    *num = get_number(word);
    return false;
  }
  struct stack *known = (struct stack *)word;
  if (known != NULL && stack_is_current(m, ti, jni, known)) {
    out->stack = check_found(m, n, ti, jni, out->place, known);
    return true;
  }
  struct near walked = walk_near(m, ti, jni, out->place);
  if (walked.num_needed == 0) return true;
  bool is_enough = walked.num_needed <= *num;
  *num = walked.num_needed;
  shapes_put(shapes, &key, is_enough ? make_stack(walked.stack) : make_number(*num));
  if (is_enough) out->stack = walked.stack;
  return is_enough;
}

static struct stack *find_near(struct meta *m, struct near_memory *n, jvmtiEnv *ti, JNIEnv *jni,
                               const struct near_memo *sort) {
  struct near_memo found = *sort;
  unsigned num = FIRST_FRAMES;
  while (!look_near(m, n, ti, jni, &num, &found)) {
  }
  if (found.stack != NULL && found.trail.num > 0) n->memos[n->next++ % NEAR_MEMOS] = found;
  return found.stack;
}

struct stack *stack_near(struct meta *m, struct near_memory *n, jvmtiEnv *ti, JNIEnv *jni,
                         enum stack_place place) {
  struct near_memo sort;
  sort.stack = NULL;
  sort.shapes = m->walker.shapes;
  sort.place = place;
  sort.depth = stacks_depth(m->stacks);
  sort.trail.num = 0; /* the rest stays as it is, since this is done for each short call */
  struct stack *known = recall(n, m, jni, &sort);
  if (known != NULL && stack_is_current(m, ti, jni, known))
    return check_found(m, n, ti, jni, place, known);
  return find_near(m, n, ti, jni, &sort);
}
