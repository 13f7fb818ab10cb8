#pragma once
/* What the files of this folder know of each other. */
#include <stdint.h>

struct meta;

/* The tables of struct meta, each one file. NULL without memory. */
struct classes *classes_new(void);
struct methods *methods_new(void);
struct objects *objects_new(void);
struct stacks *stacks_new(int max_depth);

/* class_define gives a class without a tag a number, from `hash` on the first that is free, and
   publishes its line. Any thread, no lock held. */
uint32_t class_define(struct meta *m, uint32_t hash, const char *signature, const char *source);
