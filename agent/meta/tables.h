#pragma once
/* What the files of this folder know of each other. */
#include <stdbool.h>
#include <stdint.h>

struct meta;

/* The tables of struct meta, each one file. NULL without memory. */
struct classes *classes_new(void);
struct methods *methods_new(void);
struct objects *objects_new(void);
struct stacks *stacks_new(void);

/* For meta_begin. */
void objects_forget(struct objects *o);
void stacks_set_depth(struct stacks *s, int max_depth);

/* class_define publishes the line of a class: under the number `*id`, or if that is 0 under the
   first that is free from `hash` on, which it stores there. False without memory. Any thread, no
   lock held. */
bool class_define(struct meta *m, uint32_t *id, uint32_t hash, const char *signature,
                  const char *source);
