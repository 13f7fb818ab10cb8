#pragma once
/* Comparison functions for qsort. */
#include <stdint.h>

/* compare_numbers returns a value below 0 if a < b, 0 if they are equal, and above 0 if a > b. */
static inline int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }
