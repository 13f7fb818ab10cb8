#pragma once
/* The classes, methods, objects and stacks that events name. Each has a number and is defined in
   the files once per recording. struct meta contains the tables of all four. It is set up once and
   never freed, because a thread of the program may be using it at any time. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/meta/walker.h"
#include "agent/record/figures.h"
#include "agent/record/living_classes.h"
#include "agent/record/object_set.h"
#include "agent/record/outbox.h"
#include "agent/record/table_size.h"

BEGIN_C

struct stack;

#define MAX_HIDDEN 128 /* a power of two, twice the number of Orca's own Java methods */

struct meta {
  uint32_t recording;  /* counts the recordings of this process, from 1; atomic. A class, method,
                          object or stack of an earlier recording is defined again at its next use */
  uint32_t generation; /* counts the recordings and the drops of unloaded classes; atomic. A stack
                          of an earlier generation is checked at its next use */
  struct classes *classes;
  struct methods *methods;
  struct object_set *objects;
  struct stacks *stacks;
  struct walker walker;
  struct outbox class_box, method_box, object_box; /* for .classtable, .methods, .objects */
  jmethodID hidden[MAX_HIDDEN]; /* hash table of Orca's own methods, which are removed from stacks;
                                   NULL: free slot. Atomic */
  bool wants_near;              /* there is a threshold, so stacks get their near part; atomic */
  struct recording_figures *figures;
  size_t kept_methods;      /* that the last meta_drop_unloaded kept; sweeper only */
  uint32_t defined_classes; /* definitions before it; sweeper only */
};

/* meta_init makes the tables. `figures` must live as long as `m`. False without memory. */
bool meta_init(struct meta *m, struct recording_figures *figures);

/* meta_begin begins the next recording: nothing counts as defined any more, but all numbers stay
   the same. `max_depth`: frames kept of a stack. Call it only while recording is off. */
void meta_begin(struct meta *m, int max_depth);

/* meta_frames_wanted returns how many frames to request from the JVM if `depth` are kept. One more
   shows whether the stack is deeper; the rest replaces Orca's own frames, which are removed. */
static inline int meta_frames_wanted(int depth) { return depth + 4; }

/* meta_recording returns the number of the current recording; 0: none yet. Any thread. */
static inline uint32_t meta_recording(const struct meta *m) {
  return __atomic_load_n(&m->recording, __ATOMIC_ACQUIRE);
}

/* meta_generation returns the number of the current generation; 0: none yet. Any thread. */
static inline uint32_t meta_generation(const struct meta *m) {
  return __atomic_load_n(&m->generation, __ATOMIC_ACQUIRE);
}

/* meta_has_grown returns whether so many classes or methods are new since meta_drop_unloaded that
   another one is worth its time, which is proportional to the number of loaded classes. The
   sweeper. */
bool meta_has_grown(const struct meta *m);

/* meta_find_living returns the classes that are loaded now; the caller frees them. NULL if the JVM
   does not tell, or without memory. meta_drop_unloaded then forgets the methods of all other
   classes: their numbers are never used again. Live phase; the sweeper. */
struct living_classes *meta_find_living(struct meta *m, jvmtiEnv *ti, JNIEnv *jni);
void meta_drop_unloaded(struct meta *m, const struct living_classes *l);

struct table_size classes_size(const struct classes *c);
struct table_size methods_size(const struct methods *m);
struct table_size stacks_size(const struct stacks *s);

/* meta_is_own returns whether the method is of such a class. */
bool meta_is_own(const struct meta *m, jmethodID method);

/* meta_hide_class removes the methods of this class, which is Orca's own, from all stacks. */
void meta_hide_class(struct meta *m, jvmtiEnv *ti, jclass klass);

/* class_id returns the ClassID of a class. It defines the class at its first use in a recording.
   Returns 0 for NULL, or if there is no memory for the definition; the next call tries again. The
   caller is attached to the JVM, in the live phase, and holds no lock. */
uint32_t class_id(struct meta *m, jvmtiEnv *ti, jclass klass);

/* object_hash returns the identity hash of an object. It defines the object and its class at their
   first use. 0 for NULL, and if the JVM gives no hash. Callers as for class_id. */
uint32_t object_hash(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jobject object);

/* object_class returns the ClassID of the class of an object, which is not NULL. 0 without memory;
   callers as for class_id. If the object represents a class, it defines that class, too: its
   ClassID is the hash of the object, so a reader can name it. */
uint32_t object_class(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jobject object);

/* object_define defines an object of which the caller has only the hash and the ClassID. Does
   nothing for ClassID 0. */
void object_define(struct meta *m, uint32_t hash, uint32_t class_id);

/* method_id returns the MethodID of a method. It defines the method and its class at their first
   use. If the class has been unloaded, it defines a stand-in. 0 without memory; the next call tries
   again. Callers as for class_id. */
uint32_t method_id(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jmethodID method);

/* Which frames of the current thread a stack contains. */
enum stack_place {
  STACK_HERE,     /* all, without those of Orca */
  STACK_AT_START, /* those below the top frame, which is a hook at the entry of its caller. The
                     location of the caller becomes 0 */
  STACK_AT_CALL   /* those below the top frame, which is a hook that its caller called anywhere */
};

/* meta_note_check notes that what was known about physical frames was compared with what the JVM
   walked. After a difference, stacks are not found by physical frames any more. Any thread. */
void meta_note_check(struct meta *m, bool is_same);

/* stack_here interns the stack of the current thread. NULL (no stack) if the JVM gives none, or
   without memory. The result may go into `uses` records; each of them calls stack_release once.
   Callers as for class_id. */
struct stack *stack_here(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, bool is_virtual,
                         enum stack_place place, int uses);

/* The near stacks that a thread of the operating system has found last. Most calls of a thread are
   made at few places. All zero is empty. */
#define NEAR_MEMOS 2
struct near_memory {
  struct near_memo {
    struct stack *stack;         /* NULL: unused */
    const struct shapes *shapes; /* of the agent; a test has several */
    enum stack_place place;
    int depth;
    struct physical_trail trail;
  } memos[NEAR_MEMOS];
  unsigned next;
  uint32_t random; /* of walker_checks */
};

/* stack_near returns the near part of the stack of the current thread: down to the innermost method
   of the program, and the mark of a cut stack. If the first 64 methods are of the JDK, it ends
   there. It is a shared stack. NULL if the walker is off, there is no room among the shared stacks,
   or no memory. In most calls it reads a few physical frames, and nothing of the JVM. Callers as
   for class_id. */
struct stack *stack_near(struct meta *m, struct near_memory *n, jvmtiEnv *ti, JNIEnv *jni,
                         enum stack_place place);

/* stack_may_have returns whether the method is on the stack below its top frame. Also true if that
   is unknown: the stack is NULL, or cut. Any thread. */
bool stack_may_have(const struct stack *s, jmethodID method);

/* stack_method returns the method of the top frame; NULL if there is none. Any thread. */
jmethodID stack_method(const struct stack *s);

/* stack_of interns frames that the caller got from the JVM, of which it requested
   meta_frames_wanted. It removes Orca's own frames from the array. If more than the option `depth`
   are left, it cuts off the outermost ones and adds a mark. The files show the mark as a frame of
   method 0 at location 0. Result, `uses` and callers as for stack_here. */
struct stack *stack_of(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jvmtiFrameInfo *frames,
                       int num_frames, int uses);

END_C
