#pragma once
/* For the functions that qsort asks. */
#include <stdint.h>

/* Less than 0 where `a` comes first: the smaller one; 0 where they are the same. */
static inline int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }
