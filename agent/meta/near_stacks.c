/* The near part of a stack. It is found by physical frames, as whole stacks are, but by as few as
   contain it.

   A method of the program is here what the reader calls so, by the name of its class. (Which calls
   are recorded inside of another one depends on the class loader: jvm_is_program_method.) */
#include <string.h>

#include "agent/base/os_thread.h"
#include "agent/event/line.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "agent/record/stack.h"

#define MOST_FRAMES 64

#define KEY_MARK UINT64_C(0x5A1D7C3E9B20F486) /* the seed for walker_find_near */
#define NO_STACK ((uintptr_t)1)               /* the word if there was no room for the stack */

#define KEY_OF_METHOD UINT64_C(0x8C2F4E7A106D93B5)
enum { IS_PLATFORM = 1, IS_PROGRAM }; /* the words of methods */

/* --- walking --------------------------------------------------------------------------------- */

struct near {
  struct stack *stack; /* NULL: there is none */
  unsigned num_needed; /* physical frames that determine it; 0: none do, as far as known */
};

/* Returns IS_PLATFORM or IS_PROGRAM; 0: the JVM does not tell. */
static uintptr_t ask_if_platform(jvmtiEnv *ti, JNIEnv *jni, jmethodID method) {
  jclass klass = NULL;
  char *signature = NULL;
  if ((*ti)->GetMethodDeclaringClass(ti, method, &klass) != JVMTI_ERROR_NONE) return 0;
  (*ti)->GetClassSignature(ti, klass, &signature, NULL);
  (*jni)->DeleteLocalRef(jni, klass);
  if (signature == NULL) return 0;
  bool is_platform = is_platform_type((struct span){signature, strlen(signature)});
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  return is_platform ? IS_PLATFORM : IS_PROGRAM;
}

/* Asks the JVM once for each method, as far as the cache has room. A method counts as one of the
   platform if the JVM does not tell. */
static bool is_platform_method(const struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jmethodID method) {
  struct physical_key key = {KEY_OF_METHOD, 0};
  if (!walker_is_on(&m->walker)) return ask_if_platform(ti, jni, method) != IS_PROGRAM;
  physical_add(&key, (uintptr_t)method);
  uintptr_t word = shapes_get(m->walker.shapes, &key);
  if (word == 0) {
    word = ask_if_platform(ti, jni, method);
    if (word != 0) shapes_put(m->walker.shapes, &key, word);
  }
  return word != IS_PROGRAM;
}

/* The frames of a stack that ends with a method of the program do not tell whether that has
   callers, so such a stack always has the mark. */
static struct near walk_near(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, enum stack_place place) {
  struct near out = {NULL, 0};
  jint skip = stack_skipped(place), most = skip + MOST_FRAMES;
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_FRAMES, ((size_t)most + 1) * sizeof *frames);
  jint at = skip, n = frames == NULL ? 0 : walker_walk(ti, 0, most, frames);
  if (n <= skip) return out;
  while (at < n && is_platform_method(m, ti, jni, frames[at].method)) at++;
  out.num_needed = at < n ? walker_count_frames(&m->walker, jni, frames, n, at) : (unsigned)n + 1;
  bool is_cut = at < n || n == most;
  int kept = (at < n ? at + 1 : n) - skip, depth = stacks_depth(m->stacks);
  frames += skip;
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
         is_platform_method(m, ti, jni, frames[at].method))
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

static struct stack *find_near(struct meta *m, struct near_memory *n, jvmtiEnv *ti, JNIEnv *jni,
                               const struct near_memo *sort) {
  struct near_memo found = *sort;
  struct physical_key seed = {KEY_MARK + (uint64_t)sort->place, (uint64_t)sort->depth};
  struct walker_near near;
  uintptr_t word = walker_find_near(&m->walker, jni, &seed, &near);
  if (word == NO_STACK || !walker_is_on(&m->walker)) return NULL;
  struct stack *known = (struct stack *)word;
  bool is_told = known != NULL && stack_is_current(m, ti, jni, known);
  if (is_told) {
    found.stack = check_found(m, n, ti, jni, sort->place, known);
  } else {
    /* A walk also gives ids to methods, so that their frames can be identified the next time. */
    struct near walked = walk_near(m, ti, jni, sort->place);
    uintptr_t put = walked.stack == NULL ? NO_STACK : (uintptr_t)walked.stack;
    is_told = walker_put_near(&m->walker, &near, walked.num_needed, put);
    found.stack = walked.stack;
  }
  found.trail = near.trail;
  bool is_memo = is_told && found.stack != NULL && found.trail.num > 0;
  if (is_memo) n->memos[n->next++ % NEAR_MEMOS] = found;
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
