#pragma once
/* Makes an allocation fail; see scarce.c. Link with the options SCARCE of tools/cc.bzl. */
#ifdef __cplusplus
extern "C" {
#endif

/* scarce_fail makes only the `nth` allocation from now on fail; 0: none. No other thread may
   allocate memory during the call. */
void scarce_fail(unsigned long nth);

/* scarce_num returns the number of allocations since the last scarce_fail. */
unsigned long scarce_num(void);

#ifdef __cplusplus
}
#endif
