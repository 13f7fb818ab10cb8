/* Stacks. Each is known by its frames; its text is made once and copied into every line after. */
#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/base/os_thread.h"
#include "agent/event/line.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "agent/record/stack.h"

/* The memory for shared stacks. At the bound a new stack is made for its own record and goes with
   it: slower, and still right. */
#define MAX_BYTES ((size_t)32 << 20)

struct stacks {
  struct intern *known;
  pthread_mutex_t lock; /* of `known` and `bytes` */
  size_t bytes;
  int max_depth;
};

/* A stack and, behind it in one piece of memory, its frames and its text; or a key to look one up,
   whose frames are elsewhere. */
struct entry {
  struct stack stack;
  uint32_t recording; /* in which its methods were last seen to be defined; atomic */
  const jvmtiFrameInfo *frames;
};

INTERN_SAME static bool same_stack(const void *a, const void *b) {
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
  s->known = intern_new(same_stack);
  if (s->known != NULL) return s;
  free(s);
  return NULL;
}

void stacks_set_depth(struct stacks *s, int max_depth) { s->max_depth = max_depth; }

static uint64_t hash_frames(const jvmtiFrameInfo *frames, int num_frames) {
  uint64_t hash = (uint64_t)num_frames;
  for (int i = 0; i < num_frames; i++) {
    hash = hash_word(hash ^ (uintptr_t)frames[i].method) + (uint64_t)frames[i].location;
  }
  return hash_word(hash);
}

/* --- stacks that are cut -----------------------------------------------------------------------
 */

/* In place of the frames that are cut off stands a mark, which files have as method 0 at location
   0. */
static const jvmtiFrameInfo cut_mark = {NULL, 0};

static bool is_cut_mark(const jvmtiFrameInfo *frame) { return frame->method == NULL; }

static bool is_cut(const jvmtiFrameInfo *frames, uint32_t num_frames) {
  return num_frames > 0 && is_cut_mark(&frames[num_frames - 1]);
}

/* Marks a stack of which `taken` frames were taken and `kept` of these are shown; returns how many
   entries it has now. */
static int mark_cut(const struct stacks *s, jvmtiFrameInfo *frames, int taken, int kept) {
  if (kept <= s->max_depth && taken < meta_frames_wanted(s->max_depth)) return kept;
  if (kept > s->max_depth) kept = s->max_depth;
  frames[kept] = cut_mark;
  return kept + 1;
}

/* --- text --------------------------------------------------------------------------------------
 */

static void write_text(struct builder *b, struct meta *m, jvmtiEnv *ti, JNIEnv *jni,
                       const jvmtiFrameInfo *frames, int num_frames) {
  struct frame *out = os_thread_buffer(OS_THREAD_TEXT, (size_t)num_frames * sizeof *out + 1);
  if (out == NULL) {
    b->failed = true;
    return;
  }
  for (int i = 0; i < num_frames; i++) {
    out[i].method = is_cut_mark(&frames[i]) ? 0 : method_id(m, ti, jni, frames[i].method);
    out[i].location = (uint32_t)frames[i].location; /* -1 in a native method: FFFFFFFF */
    if (out[i].method == 0 && !is_cut_mark(&frames[i])) b->failed = true; /* no memory for it */
  }
  stack_write(b, out, (size_t)num_frames);
}

static struct entry *entry_new(const struct entry *key, const struct builder *text) {
  size_t frames_size = key->stack.num_frames * sizeof *key->frames;
  char *memory = text->failed ? NULL : memory_new(sizeof(struct entry) + frames_size + text->len);
  if (memory == NULL) return NULL;
  struct entry *e = (struct entry *)memory;
  char *frames = memory + sizeof *e, *copy = frames + frames_size;
  if (frames_size > 0) memcpy(frames, key->frames, frames_size); /* of none the JVM gives NULL */
  memcpy(copy, text->data, text->len);
  *e = *key;
  e->frames = (const jvmtiFrameInfo *)frames;
  e->stack.text = copy;
  e->stack.text_len = text->len;
  return e;
}

static void count(uint64_t *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

static size_t entry_bytes(const struct entry *e) {
  return sizeof *e + e->stack.num_frames * sizeof *e->frames + e->stack.text_len;
}

/* The shared stack equal to `fresh`, which is taken over or freed. Where there is no more room,
   `fresh` itself, for `uses` records. */
static struct stack *share(struct meta *m, struct entry *fresh, int uses) {
  struct stacks *s = m->stacks;
  pthread_mutex_lock(&s->lock);
  struct entry *known = intern_get(s->known, &fresh->stack.key);
  if (known == NULL && s->bytes + entry_bytes(fresh) <= MAX_BYTES &&
      intern_add(s->known, &fresh->stack.key)) {
    s->bytes += entry_bytes(fresh);
    known = fresh;
  }
  pthread_mutex_unlock(&s->lock);
  if (known == fresh) return &known->stack;
  if (known != NULL) {
    free(fresh);
    return &known->stack;
  }
  fresh->stack.uses = (uint32_t)uses;
  count(&m->stacks_unshared);
  return &fresh->stack;
}

/* A stack from an earlier recording keeps its text, but this one's files lack its methods. */
static void define_again(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, struct entry *e) {
  uint32_t now = meta_recording(m);
  if (__atomic_load_n(&e->recording, __ATOMIC_ACQUIRE) == now) return;
  bool good = true;
  for (uint32_t i = 0; i < e->stack.num_frames; i++) {
    good &= is_cut_mark(&e->frames[i]) || method_id(m, ti, jni, e->frames[i].method) != 0;
  }
  if (good) __atomic_store_n(&e->recording, now, __ATOMIC_RELEASE);
}

/* The stack with these frames, if it is known. */
static struct stack *find(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, const struct entry *key) {
  struct entry *known = intern_get(m->stacks->known, &key->stack.key);
  if (known == NULL) return NULL;
  define_again(m, ti, jni, known);
  return &known->stack;
}

static struct stack *add(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, const struct entry *key,
                         int uses) {
  struct builder text = {0};
  int num_frames = (int)key->stack.num_frames;
  write_text(&text, m, ti, jni, key->frames, num_frames);
  struct entry *fresh = entry_new(key, &text);
  builder_free(&text);
  if (is_cut(key->frames, key->stack.num_frames)) count(&m->stacks_cut);
  return fresh == NULL ? NULL : share(m, fresh, uses);
}

static struct entry key_of(const struct meta *m, const jvmtiFrameInfo *frames, int num_frames) {
  return (struct entry){.stack.key.hash = hash_frames(frames, num_frames),
                        .stack.num_frames = (uint32_t)num_frames,
                        .recording = meta_recording(m),
                        .frames = frames};
}

/* --- frames of ours -------------------------------------------------------------------------- */

static jmethodID *hidden_slot(const struct meta *m, jmethodID method) {
  for (size_t i = hash_word((uintptr_t)method);; i++) {
    jmethodID *slot = (jmethodID *)&m->hidden[i % MAX_HIDDEN];
    jmethodID there = __atomic_load_n(slot, __ATOMIC_RELAXED);
    if (there == method || there == NULL) return slot;
  }
}

void meta_hide_class(struct meta *m, jvmtiEnv *ti, jclass klass) {
  jint n = 0;
  jmethodID *methods = NULL;
  if ((*ti)->GetClassMethods(ti, klass, &n, &methods) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < n; i++) {
    __atomic_store_n(hidden_slot(m, methods[i]), methods[i], __ATOMIC_RELAXED);
  }
  (*ti)->Deallocate(ti, (unsigned char *)methods);
}

static int take_out_hidden(const struct meta *m, jvmtiFrameInfo *frames, int num_frames) {
  int kept = 0;
  for (int i = 0; i < num_frames; i++) {
    if (*hidden_slot(m, frames[i].method) == NULL) frames[kept++] = frames[i];
  }
  return kept;
}

/* --- stacks of threads ----------------------------------------------------------------------- */

struct stack *stack_of(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jvmtiFrameInfo *frames,
                       int num_frames, int uses) {
  int kept = take_out_hidden(m, frames, num_frames);
  struct entry key = key_of(m, frames, mark_cut(m->stacks, frames, num_frames, kept));
  struct stack *known = find(m, ti, jni, &key);
  return known != NULL ? known : add(m, ti, jni, &key, uses);
}

/* None of ours stands below the hook: a look at each frame would cost what it is there to save. */
static int tidy(const struct meta *m, enum stack_place place, jvmtiFrameInfo *frames, int n) {
  int kept = place == STACK_HERE ? take_out_hidden(m, frames, n) : n;
  if (place == STACK_AT_START && n > 0) frames[0].location = 0;
  return mark_cut(m->stacks, frames, n, kept);
}

/* The fast walk gives up where it cannot tell who called a frame, as it may in code that was only
   just compiled. No whole stack is the beginning of another, so none is mistaken for one that is
   known. Any other difference, a wrong location for one, might be. */
static void judge(struct meta *m, const struct entry *sure, const struct entry *unsure) {
  struct entry begin = *sure;
  begin.stack.num_frames = unsure->stack.num_frames;
  if (begin.stack.num_frames < sure->stack.num_frames && same_stack(&begin, unsure)) {
    count(&m->walker.gave_up);
  } else {
    walker_differed(&m->walker);
  }
}

/* A stack that is new: is it what GetStackTrace says? */
static struct stack *add_surely(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, enum stack_place place,
                                const struct entry *unsure, int uses) {
  jint max = meta_frames_wanted(m->stacks->max_depth), skip = place == STACK_HERE ? 0 : 1;
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_MORE_FRAMES, (size_t)max * sizeof *frames);
  jint n = frames == NULL ? 0 : walker_surely(ti, skip, max, frames);
  if (n == 0) return NULL;
  struct entry key = key_of(m, frames, tidy(m, place, frames, n));
  if (!same_stack(&key, unsure)) judge(m, &key, unsure);
  struct stack *known = find(m, ti, jni, &key);
  return known != NULL ? known : add(m, ti, jni, &key, uses);
}

struct stack *stack_here(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, bool is_virtual,
                         enum stack_place place, int uses) {
  jint max = meta_frames_wanted(m->stacks->max_depth), skip = place == STACK_HERE ? 0 : 1;
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_FRAMES, (size_t)max * sizeof *frames);
  bool sure;
  if (frames == NULL) return NULL;
  jint n = walker_here(&m->walker, ti, jni, is_virtual, skip, max, frames, &sure);
  if (n == 0) return NULL;
  struct entry key = key_of(m, frames, tidy(m, place, frames, n));
  struct stack *known = find(m, ti, jni, &key);
  if (known != NULL) return known;
  return sure ? add(m, ti, jni, &key, uses) : add_surely(m, ti, jni, place, &key, uses);
}

jmethodID stack_method(const struct stack *s) {
  return s == NULL || s->num_frames == 0 ? NULL : ((const struct entry *)s)->frames[0].method;
}

bool stack_may_have(const struct stack *s, jmethodID method) {
  if (s == NULL) return true;
  const struct entry *e = (const struct entry *)s;
  if (is_cut(e->frames, s->num_frames)) return true;
  uint32_t i = 1;
  while (i < s->num_frames && e->frames[i].method != method) i++;
  return i < s->num_frames;
}
