#pragma once
/* What Orca says to a person: single lines on stderr that begin with "orca: ". */
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* log_line writes "orca: ", the formatted text and a newline with one write(2), so that lines of
   several threads do not mix. Control characters become '?', a text over 1,000 bytes is cut. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* log_once is log_line for the first caller that brings this flag; later ones are silent.
   The flag belongs to one message and starts at 0. Any thread. */
void log_once(int *said, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
