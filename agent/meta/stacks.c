/* Stacks. A stack is identified by its frames. Its text is made once and copied into each line. */
#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/base/os_thread.h"
#include "agent/event/line.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "agent/record/stack.h"

/* The bound of the memory for shared stacks. When it is reached, each new stack is made for its own
   records only and freed with the last of them, which is slower. */
#define MAX_SHARED_BYTES ((size_t)32 << 20)

struct stacks {
  struct intern *known; /* shared stacks; grows under the lock */
  pthread_mutex_t lock; /* of the fields up to `num` */
  size_t bytes;         /* of the shared stacks; atomic */
  size_t num;           /* of them; atomic */
  int max_depth;
};

/* A stack, followed by its frames and its text in the same block of memory. Also used as a key for
   a lookup; then the frames are elsewhere and there is no text. */
struct entry {
  struct stack stack;
  uint32_t generation; /* in which all its methods were last known to be defined; atomic */
  const jvmtiFrameInfo *frames;
};

INTERN_SAME static bool is_same_stack(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  uint32_t n = x->stack.num_frames, i = 0;
  if (y->stack.num_frames != n) return false;
  while (i < n && x->frames[i].method == y->frames[i].method &&
         x->frames[i].location == y->frames[i].location) {
    i++;
  }
  return i == n;
}

struct stacks *stacks_new(void) {
  struct stacks *s = memory_new_zeroed(1, sizeof *s);
  if (s == NULL) return NULL;
  pthread_mutex_init(&s->lock, NULL);
  s->known = intern_new(is_same_stack);
  if (s->known != NULL) return s;
  free(s);
  return NULL;
}

void stacks_set_depth(struct stacks *s, int max_depth) { s->max_depth = max_depth; }
int stacks_depth(const struct stacks *s) { return s->max_depth; }

static uint64_t hash_frames(const jvmtiFrameInfo *frames, int num_frames) {
  uint64_t hash = (uint64_t)num_frames;
  for (int i = 0; i < num_frames; i++) {
    hash = hash_word(hash ^ (uintptr_t)frames[i].method) + (uint64_t)frames[i].location;
  }
  return hash_word(hash);
}

/* --- cut stacks ------------------------------------------------------------------------------ */

/* The last frame of a cut stack. The files show it as method 0 at location 0. */
static const jvmtiFrameInfo cut_mark = {NULL, 0};

static bool is_cut_mark(const jvmtiFrameInfo *frame) { return frame->method == NULL; }

static bool is_cut_stack(const jvmtiFrameInfo *frames, uint32_t num_frames) {
  return num_frames > 0 && is_cut_mark(&frames[num_frames - 1]);
}

/* Adds the mark if the stack is deeper than the option `depth`. The JVM gave `taken` frames, of
   which `kept` are left after Orca's own were removed. Returns the new number of frames. */
static int mark_if_cut(const struct stacks *s, jvmtiFrameInfo *frames, int taken, int kept) {
  if (kept <= s->max_depth && taken < meta_frames_wanted(s->max_depth)) return kept;
  if (kept > s->max_depth) kept = s->max_depth;
  frames[kept] = cut_mark;
  return kept + 1;
}

/* --- text ------------------------------------------------------------------------------------ */

static void write_frames(struct builder *b, struct meta *m, jvmtiEnv *ti, JNIEnv *jni,
                         const jvmtiFrameInfo *frames, int num_frames) {
  struct frame *out = os_thread_buffer(OS_THREAD_TEXT, (size_t)num_frames * sizeof *out + 1);
  if (out == NULL) {
    b->failed = true;
    return;
  }
  for (int i = 0; i < num_frames; i++) {
    out[i].method = is_cut_mark(&frames[i]) ? 0 : method_id(m, ti, jni, frames[i].method);
    out[i].location = (uint32_t)frames[i].location; /* -1 in a native method: FFFFFFFF */
    if (out[i].method == 0 && !is_cut_mark(&frames[i])) b->failed = true; /* no memory */
  }
  stack_write(b, out, (size_t)num_frames);
}

/* Copies `key` with its frames and the text. NULL without memory. */
static struct entry *make_entry(const struct entry *key, const struct builder *text) {
  size_t frames_size = key->stack.num_frames * sizeof *key->frames;
  char *memory = text->failed ? NULL : memory_new(sizeof(struct entry) + frames_size + text->len);
  if (memory == NULL) return NULL;
  struct entry *e = (struct entry *)memory;
  char *frames = memory + sizeof *e, *copy = frames + frames_size;
  if (frames_size > 0) memcpy(frames, key->frames, frames_size); /* NULL if there are none */
  memcpy(copy, text->data, text->len);
  *e = *key;
  e->frames = (const jvmtiFrameInfo *)frames;
  e->stack.text = copy;
  e->stack.text_len = text->len;
  return e;
}

static size_t get_entry_size(const struct entry *e) {
  return sizeof *e + e->stack.num_frames * sizeof *e->frames + e->stack.text_len;
}

static bool is_current(const struct meta *m, const struct entry *e) {
  return __atomic_load_n(&e->generation, __ATOMIC_ACQUIRE) == meta_generation(m);
}

/* Takes `fresh` over. Returns the equal shared stack, which may be `fresh` itself. At the bound
   returns `fresh` as an unshared stack for `uses` records. */
static struct stack *share_entry(struct meta *m, struct entry *fresh, int uses) {
  struct stacks *s = m->stacks;
  pthread_mutex_lock(&s->lock);
  struct entry *known = intern_get(s->known, &fresh->stack.key);
  if (known == NULL && s->bytes + get_entry_size(fresh) <= MAX_SHARED_BYTES &&
      intern_add(s->known, &fresh->stack.key)) {
    __atomic_store_n(&s->bytes, s->bytes + get_entry_size(fresh), __ATOMIC_RELAXED);
    __atomic_store_n(&s->num, s->num + 1, __ATOMIC_RELAXED);
    known = fresh;
  }
  pthread_mutex_unlock(&s->lock);
  if (known == fresh) return &known->stack;
  if (known != NULL && is_current(m, known)) {
    free(fresh);
    return &known->stack;
  }
  fresh->stack.uses = (uint32_t)uses;
  if (known == NULL) figure_add(&m->figures->stacks_unshared, 1);
  return &fresh->stack;
}

/* Makes sure that the methods of a stack of an earlier generation are defined in this recording.
   False if the text of the stack has the number of a method that was forgotten, because its class
   was unloaded. */
static bool renew_entry(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, struct entry *e) {
  uint32_t now = meta_generation(m);
  bool good = true;
  struct span text = stack_frames((struct span){e->stack.text, e->stack.text_len});
  struct frame written;
  for (uint32_t i = 0; i < e->stack.num_frames && stack_next(&text, &written); i++) {
    if (is_cut_mark(&e->frames[i])) continue;
    uint32_t id = method_id(m, ti, jni, e->frames[i].method);
    if (id != 0 && id != written.method) return false;
    good &= id != 0; /* else there was no memory: the next use tries again */
  }
  if (good) __atomic_store_n(&e->generation, now, __ATOMIC_RELEASE);
  return true;
}

bool stack_is_current(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, struct stack *s) {
  struct entry *e = (struct entry *)s;
  return is_current(m, e) || renew_entry(m, ti, jni, e);
}

/* Returns the shared stack with these frames, NULL if there is none. Defines its methods in this
   recording. */
static struct stack *find_stack(struct meta *m, jvmtiEnv *ti, JNIEnv *jni,
                                const struct entry *key) {
  struct entry *known = intern_get(m->stacks->known, &key->stack.key);
  return known != NULL && stack_is_current(m, ti, jni, &known->stack) ? &known->stack : NULL;
}

static struct stack *add_stack(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, const struct entry *key,
                               int uses) {
  struct builder text = {0};
  int num_frames = (int)key->stack.num_frames;
  write_frames(&text, m, ti, jni, key->frames, num_frames);
  struct entry *fresh = make_entry(key, &text);
  builder_free(&text);
  return fresh == NULL ? NULL : share_entry(m, fresh, uses);
}

static struct entry make_lookup_key(const struct meta *m, const jvmtiFrameInfo *frames,
                                    int num_frames) {
  return (struct entry){.stack.key.hash = hash_frames(frames, num_frames),
                        .stack.num_frames = (uint32_t)num_frames,
                        .generation = meta_generation(m),
                        .frames = frames};
}

struct stack *stack_share(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, const jvmtiFrameInfo *frames,
                          int num_frames) {
  struct entry key = make_lookup_key(m, frames, num_frames);
  struct stack *known = find_stack(m, ti, jni, &key);
  if (known == NULL) known = add_stack(m, ti, jni, &key, /* uses */ 1);
  if (known == NULL || known->uses == 0) return known;
  stack_release(known);
  return NULL;
}

/* --- Orca's own frames ----------------------------------------------------------------------- */

/* Returns the slot that contains the method, or else the free slot where it belongs. */
static jmethodID *find_hidden_slot(const struct meta *m, jmethodID method) {
  for (size_t i = hash_word((uintptr_t)method);; i++) {
    jmethodID *slot = (jmethodID *)&m->hidden[i % MAX_HIDDEN];
    jmethodID found = __atomic_load_n(slot, __ATOMIC_RELAXED);
    if (found == method || found == NULL) return slot;
  }
}

void meta_hide_class(struct meta *m, jvmtiEnv *ti, jclass klass) {
  jint n = 0;
  jmethodID *methods = NULL;
  if ((*ti)->GetClassMethods(ti, klass, &n, &methods) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < n; i++) {
    __atomic_store_n(find_hidden_slot(m, methods[i]), methods[i], __ATOMIC_RELAXED);
  }
  (*ti)->Deallocate(ti, (unsigned char *)methods);
}

bool meta_is_own(const struct meta *m, jmethodID method) {
  return *find_hidden_slot(m, method) != NULL;
}

int stack_remove_own(const struct meta *m, jvmtiFrameInfo *frames, int num_frames) {
  int kept = 0;
  for (int i = 0; i < num_frames; i++) {
    if (!meta_is_own(m, frames[i].method)) frames[kept++] = frames[i];
  }
  return kept;
}

/* --- stacks of threads ----------------------------------------------------------------------- */

static struct stack *intern_stack(struct meta *m, jvmtiEnv *ti, JNIEnv *jni,
                                  const struct entry *key, int uses) {
  struct stack *known = find_stack(m, ti, jni, key);
  if (known != NULL) return known;
  if (is_cut_stack(key->frames, key->stack.num_frames)) figure_add(&m->figures->stacks_cut, 1);
  return add_stack(m, ti, jni, key, uses);
}

struct stack *stack_of(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jvmtiFrameInfo *frames,
                       int num_frames, int uses) {
  int kept = stack_remove_own(m, frames, num_frames);
  struct entry key = make_lookup_key(m, frames, mark_if_cut(m->stacks, frames, num_frames, kept));
  return intern_stack(m, ti, jni, &key, uses);
}

/* Prepares the frames of stack_here for a lookup; returns their number. Below a hook there are no
   frames of Orca's own, so it saves the time to look for them. */
static int prepare_frames(const struct meta *m, enum stack_place place, jvmtiFrameInfo *frames,
                          int n) {
  int kept = place == STACK_HERE ? stack_remove_own(m, frames, n) : n;
  if (place == STACK_AT_START && n > 0) frames[0].location = 0;
  return mark_if_cut(m->stacks, frames, n, kept);
}

jint stack_skipped(enum stack_place place) { return place == STACK_HERE ? 0 : 1; }

/* Walks the stack of the current thread. */
static struct stack *walk_here(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, enum stack_place place,
                               int uses) {
  jint max = meta_frames_wanted(m->stacks->max_depth);
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_FRAMES, (size_t)max * sizeof *frames);
  jint n = frames == NULL ? 0 : walker_walk(ti, stack_skipped(place), max, frames);
  if (n == 0) return NULL;
  struct entry key = make_lookup_key(m, frames, prepare_frames(m, place, frames, n));
  struct stack *s = intern_stack(m, ti, jni, &key, uses);
  bool lacks_near =
      s != NULL && s->uses == 0 && __atomic_load_n(&s->near, __ATOMIC_RELAXED) == NULL;
  if (lacks_near && __atomic_load_n(&m->wants_near, __ATOMIC_RELAXED))
    stack_set_near(m, ti, jni, s, frames, (int)s->num_frames);
  return s;
}

/* Returns the stack that the JVM walked when the thread had the same physical frames; NULL: it has
   not walked them, or a method of the stack was forgotten since. */
static struct stack *find_cached(struct meta *m, jvmtiEnv *ti, JNIEnv *jni,
                                 const struct physical_key *key) {
  struct stack *known = (struct stack *)shapes_get(m->walker.shapes, key);
  return known != NULL && stack_is_current(m, ti, jni, known) ? known : NULL;
}

void meta_note_check(struct meta *m, bool is_same) {
  figure_add(&m->figures->stacks_checked, 1);
  if (is_same) return;
  figure_add(&m->figures->stacks_differed, 1);
  walker_differed(&m->walker);
}

/* Compares a stack that was found with the one that the JVM walks, and returns the latter. */
static struct stack *check_stack(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, enum stack_place place,
                                 const struct stack *found, int uses) {
  struct stack *walked = walk_here(m, ti, jni, place, uses);
  meta_note_check(m, walked == NULL || walked == found);
  return walked;
}

struct stack *stack_here(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, bool is_virtual,
                         enum stack_place place, int uses) {
  static __thread uint32_t random;
  struct physical_key key = {(uint64_t)place, (uint64_t)m->stacks->max_depth};
  bool has_key = !is_virtual && walker_key(&m->walker, jni, PHYSICAL_ALL, &key);
  struct stack *found = has_key ? find_cached(m, ti, jni, &key) : NULL;
  if (found != NULL && !walker_checks(&m->walker, &random)) return found;
  if (found != NULL) return check_stack(m, ti, jni, place, found, uses);
  struct stack *walked = walk_here(m, ti, jni, place, uses);
  if (has_key && walked != NULL && walked->uses == 0)
    shapes_put(m->walker.shapes, &key, (uintptr_t)walked);
  return walked;
}

jmethodID stack_method(const struct stack *s) {
  return s == NULL || s->num_frames == 0 ? NULL : ((const struct entry *)s)->frames[0].method;
}

bool stack_may_have(const struct stack *s, jmethodID method) {
  if (s == NULL) return true;
  const struct entry *e = (const struct entry *)s;
  if (is_cut_stack(e->frames, s->num_frames)) return true;
  uint32_t i = 1;
  while (i < s->num_frames && e->frames[i].method != method) i++;
  return i < s->num_frames;
}

struct table_size stacks_size(const struct stacks *s) {
  return (struct table_size){
      __atomic_load_n(&s->num, __ATOMIC_RELAXED),
      sizeof *s + __atomic_load_n(&s->bytes, __ATOMIC_RELAXED) + intern_bytes(s->known)};
}
