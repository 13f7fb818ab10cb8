#pragma once
/* Functions that the files of this folder call in each other. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/meta/meta.h"

BEGIN_C

/* The tables of struct meta; each has a file of its own. NULL without memory. */
struct classes *classes_new(void);
struct methods *methods_new(void);
struct stacks *stacks_new(void);

/* stacks_set_depth sets the number of frames kept of a stack. Only while recording is off. */
void stacks_set_depth(struct stacks *s, int max_depth);

/* stacks_depth returns the number of frames kept of a stack. */
int stacks_depth(const struct stacks *s);

/* stack_share returns the shared stack with these frames, of which a last one that is all zero is
   the mark of a cut stack. NULL if there is no room for it among the shared ones, or no memory.
   Callers as for stack_of. */
struct stack *stack_share(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, const jvmtiFrameInfo *frames,
                          int num_frames);

/* stack_is_current returns whether a shared stack may be used in this recording, and makes sure
   that its methods are defined. Callers as for stack_of. */
bool stack_is_current(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, struct stack *s);

/* stack_remove_own removes the frames of Orca's own methods. Returns the number of frames that are
   left. stack_skipped returns how many of the top frames are not part of a stack. */
int stack_remove_own(const struct meta *m, jvmtiFrameInfo *frames, int num_frames);
jint stack_skipped(enum stack_place place);

/* stack_set_near sets the near part of a shared stack, which consists of these frames. The array
   has room for one more. Callers as for stack_of. */
void stack_set_near(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, struct stack *s,
                    jvmtiFrameInfo *frames, int num_frames);

/* class_define publishes the definition of a class under the ClassID `*id`. If `*id` is 0, it first
   stores a new ClassID there: `hash`, if no earlier class may have it. False without memory. Any
   thread that holds no lock except classes.tagging. */
bool class_define(struct meta *m, uint32_t *id, uint32_t hash, const char *signature,
                  const char *source);

/* class_is_of_classes returns whether a ClassID is that of java.lang.Class. Any thread. */
bool class_is_of_classes(const struct classes *c, uint32_t id);

/* classes_count_defined returns the number of definitions of classes in this process. Any thread.
 */
uint32_t classes_count_defined(const struct classes *c);

/* classes_find_living fills in the ids of all loaded classes that have one, and the time. False
   without memory, or if the JVM does not tell. Live phase; the sweeper. */
bool classes_find_living(struct classes *c, jvmtiEnv *ti, JNIEnv *jni, struct living_classes *out);

/* methods_find_living sets `last_method` and `stand_in`. Call it before classes_find_living, so
   that each method up to `last_method` is of a class that is among the ids if it lives. The
   sweeper. */
void methods_find_living(struct meta *m, struct living_classes *out);

/* methods_drop_unloaded removes the methods of classes that do not live. Returns whether there were
   any. The sweeper. */
bool methods_drop_unloaded(struct meta *m, const struct living_classes *l);

/* methods_count returns the number of methods. Any thread. */
size_t methods_count(const struct methods *m);

END_C
