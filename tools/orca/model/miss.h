#pragma once
/* What of a filter means nothing in a dump, and so perhaps is not what a person meant to type. */
#include "tools/orca/model/filter.h"
#include "tools/orca/model/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* miss_write says, behind a reading, which pattern means nothing that is in the dump, and what is
   near: "no thread is wrker-*; there are worker-1, worker-2, main". Nothing where `found`,
   something is what was asked for, and each pattern has its part in that; where nothing was found
   though each pattern means something, that. */
void miss_write(struct builder *b, const struct matcher *m, const struct threads *threads,
                bool found);

/* miss_write_method says that no method of the dump is meant by a pattern, and what is near;
   nothing where one is. */
void miss_write_method(struct builder *b, const struct dump *d, const char *pattern);

#ifdef __cplusplus
}
#endif
