#pragma once
/* Functions that the files of this folder call in each other. */
#include <stdbool.h>
#include <stdint.h>

struct meta;

/* The tables of struct meta; each has a file of its own. NULL without memory. */
struct classes *classes_new(void);
struct methods *methods_new(void);
struct stacks *stacks_new(void);

/* stacks_set_depth sets the number of frames kept of a stack. Only while recording is off. */
void stacks_set_depth(struct stacks *s, int max_depth);

/* class_define publishes the definition of a class under the ClassID `*id`. If `*id` is 0, it first
   stores the first free ClassID from `hash` on there. False without memory. Any thread that holds
   no lock except classes.tagging. */
bool class_define(struct meta *m, uint32_t *id, uint32_t hash, const char *signature,
                  const char *source);
