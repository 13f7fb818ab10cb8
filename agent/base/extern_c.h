#pragma once
/* BEGIN_C and END_C enclose the declarations of a header, so that tests in C++ can include it. */

#ifdef __cplusplus
#define BEGIN_C extern "C" {
#define END_C }
#else
#define BEGIN_C
#define END_C
#endif
