#pragma once
/* A place in the source: a method and a line of it. Many stacks and locations share a place, and
   it is what a person can go to. */
#include <stdbool.h>
#include <stdint.h>

#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0: no place. */
typedef uint64_t place_t;

static inline place_t place(uint32_t method, uint32_t line) {
  return (uint64_t)method << 32 | line;
}
static inline uint32_t place_method(place_t p) { return (uint32_t)(p >> 32); }

/* The line; 0 where it is not known. */
static inline uint32_t place_line(place_t p) { return (uint32_t)p; }

/* place_of_frame is where a frame stands. */
place_t place_of_frame(const struct dump *d, struct frame frame);

/* place_is_platform tells whether a method belongs to the JDK: java., javax., jdk., sun. or
   com.sun.; false too where nothing is known of it. */
bool place_is_platform(const struct dump *d, uint32_t method);

/* place_of_stack is the innermost frame of the program itself, as a lock in HashTable.put or a wait
   in Object.wait says little. Where all frames are the JDK's it is the first one outside of
   java.lang.Object and Thread, else the top one. A pseudo frame under the stack does not count. */
place_t place_of_stack(const struct dump *d, const struct frame *frames, size_t depth);

#ifdef __cplusplus
}
#endif
