#pragma once
/* Functions that the files of this folder call in each other. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/record/living_classes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct meta;

/* The tables of struct meta; each has a file of its own. NULL without memory. */
struct classes *classes_new(void);
struct methods *methods_new(void);
struct stacks *stacks_new(void);

/* stacks_set_depth sets the number of frames kept of a stack. Only while recording is off. */
void stacks_set_depth(struct stacks *s, int max_depth);

/* class_define publishes the definition of a class under the ClassID `*id`. If `*id` is 0, it first
   stores a new ClassID there: `hash`, if no earlier class may have it. False without memory. Any
   thread that holds no lock except classes.tagging. */
bool class_define(struct meta *m, uint32_t *id, uint32_t hash, const char *signature,
                  const char *source);

/* classes_count_defined returns the number of definitions of classes in this process. Any thread.
 */
uint32_t classes_count_defined(const struct classes *c);

/* classes_find_living fills in the ids of all loaded classes that have one, and the time. False
   without memory, or if the JVM does not tell. Live phase; the sweeper. */
bool classes_find_living(struct classes *c, jvmtiEnv *ti, JNIEnv *jni, struct living_classes *out);

/* methods_find_living fills in the other fields, before classes_find_living is called. */
void methods_find_living(struct meta *m, struct living_classes *out);

/* methods_drop_unloaded removes the methods of classes that do not live. Returns whether there were
   any. The sweeper. */
bool methods_drop_unloaded(struct meta *m, const struct living_classes *l);

/* methods_count returns the number of methods. Any thread. */
size_t methods_count(const struct methods *m);

#ifdef __cplusplus
}
#endif
