#pragma once
/* What the events speak of (classes, methods, objects, stacks), each known by a number and defined
   once: the one struct that holds the tables. Set up once, never freed: a thread of the program may
   be inside at any time. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/meta/walker.h"
#include "agent/record/outbox.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stack;

#define MAX_HIDDEN 128 /* a power of two, twice as many as there are */

struct meta {
  uint32_t recording; /* counts the recordings of this process, from 1; atomic. What was defined in
                         an earlier one is defined again when it is next met */
  struct classes *classes;
  struct methods *methods;
  struct objects *objects;
  struct stacks *stacks;
  struct walker walker;
  struct outbox class_box, method_box, object_box; /* for .classtable, .methods, .objects */
  jmethodID hidden[MAX_HIDDEN]; /* of ours, which no stack shall show: where their hash says, or
                                   behind; NULL: none. Atomic */
  uint64_t methods_unloaded;    /* asked for when their class was gone already; atomic */
  uint64_t stacks_unshared;     /* made when the table of stacks was full; atomic */
  uint64_t stacks_cut;          /* different stacks that are deeper than what is kept; atomic */
};

/* meta_init makes the tables, for no recording yet; false without memory. */
bool meta_init(struct meta *m);

/* meta_begin begins the next recording: its files are new, so nothing counts as defined, though all
   numbers stay. `max_depth`: frames kept of a stack. Nothing is recorded while it runs. */
void meta_begin(struct meta *m, int max_depth);

/* meta_forget_objects: each object is defined anew when it is next named. Any thread. */
void meta_forget_objects(struct meta *m);

/* meta_frames_wanted: how many frames to ask the JVM for where `depth` are kept: one more, to know
   whether there are more, and some of ours, which are taken out. */
static inline int meta_frames_wanted(int depth) { return depth + 4; }

static inline uint32_t meta_recording(const struct meta *m) {
  return __atomic_load_n(&m->recording, __ATOMIC_ACQUIRE);
}

/* meta_hide_class: the methods of this class are ours, and no stack shall show them. */
void meta_hide_class(struct meta *m, jvmtiEnv *ti, jclass klass);

/* class_id gives a class's ClassID and defines the class at first sight; 0 without memory for its
   line: then it is tried again at next sight, as with all definitions. A thread attached to the
   JVM, in the live phase, with no lock held. */
uint32_t class_id(struct meta *m, jvmtiEnv *ti, jclass klass);

/* object_hash gives an object's hash, and defines it with its class at first sight, so that an
   event may name it. 0 for NULL. Same threads as class_id. */
uint32_t object_hash(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jobject object);

/* object_define does the latter for an object that is known by its hash and ClassID alone. */
void object_define(struct meta *m, uint32_t hash, uint32_t class_id);

/* method_id gives a method's MethodID and defines the method at first sight. Where the JVM no
   longer knows it (its class was unloaded) a stand-in is defined. 0 without memory. Same threads as
   class_id. */
uint32_t method_id(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jmethodID method);

/* stack_here interns the stack of the current thread; NULL (no stack) when the JVM gives none.
   `uses` records will bring it to the writer: see stack_release. Same threads as class_id. */
enum stack_place {
  STACK_HERE,     /* less the frames of ours */
  STACK_AT_START, /* of what has called the hook of ours on top: at its entry, and it is recorded as
                     being at its start */
  STACK_AT_CALL   /* the same, somewhere in it */
};
struct stack *stack_here(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, bool is_virtual,
                         enum stack_place place, int uses);

/* stack_may_have: is the method on the stack below its top? True also where the stack is cut before
   that can be told, or is NULL. */
bool stack_may_have(const struct stack *s, jmethodID method);

/* stack_method is the method on top of a stack, NULL for none. */
jmethodID stack_method(const struct stack *s);

/* stack_of interns frames that were taken elsewhere, less those of ours, which it takes out. The
   caller asks the JVM for meta_frames_wanted of them. Of more than the option `depth` says the
   outermost are cut off; a mark stands in their place, in the files a frame of method 0 at location
   0. */
struct stack *stack_of(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jvmtiFrameInfo *frames,
                       int num_frames, int uses);

#ifdef __cplusplus
}
#endif
