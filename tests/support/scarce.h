#pragma once
/* Allocations that fail on demand: see scarce.c. Link with SCARCE of tools/cc.bzl. */
#ifdef __cplusplus
extern "C" {
#endif

/* scarce_fail makes the `nth` allocation from now on fail, and none after it; 0: none. One thread.
 */
void scarce_fail(unsigned long nth);

/* scarce_num returns the number of allocations since. */
unsigned long scarce_num(void);

#ifdef __cplusplus
}
#endif
