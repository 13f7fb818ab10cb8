#pragma once
/* Why nothing in a dump is what was asked for. */
#include "tools/model/filter.h"
#include "tools/model/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* miss_write says, behind a reading that found nothing, which pattern fits nothing and what there
   is instead: "no thread is wrker-*; there are worker-1, worker-2, main". */
void miss_write(struct builder *b, const struct matcher *m, const struct threads *threads);

#ifdef __cplusplus
}
#endif
