#pragma once
/* Why something was not done, as one line for a person. */
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct refusal {
  char text[1000]; /* without "orca: " in front and newline behind; "" until something is refused */
};

/* refuse sets the text, cut where it is too long, and gives false: what the caller then returns. */
bool refuse(struct refusal *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
