#pragma once
/* Words about threads that wait, sleep, are parked or in I/O: parts of the sentences of
   view_quiet_verdict and view_io_verdict. A call is an enum event_kind, or one of these. */
#include "agent/base/extern_c.h"
#include "tools/orca/render/view/view.h"

BEGIN_C

#define CALL_NONE (-1)
#define CALL_IO (-2) /* a native call */

/* view_put_call appends " in BlockingQueue.take", " in ProcessImpl.waitFor" if the program called
   this method of the JDK, or " in a socket read (Net.poll)". It appends nothing for sleep and park:
   the verb says it already. */
void view_put_call(struct builder *b, const struct model *m, int call, stack_id_t stack);
/* view_put_pool_note appends a remark if the threads of a group are all workers of a
   ThreadPoolExecutor, and the call waits for results of tasks or for I/O: then tasks that are
   queued in this pool may wait for ever. */
void view_put_pool_note(struct builder *b, const struct model *m, const struct tally *threads,
                        uint32_t group, int call);

/* view_num_threads returns the number of threads of a group. */
size_t view_num_threads(const struct tally *threads, uint32_t group);

/* view_cpu_wait returns for how long the threads of a row of the spending waited for a CPU in the
   whole recording; 0 if it is not known. Such time can look like I/O, or like standing. */
ticks_t view_cpu_wait(const struct model *m, uint32_t row_id);

/* view_compare_calls orders calls by how much they say: first I/O, last a thread that joins others,
   because what these do is the reason. */
int view_compare_calls(int left, int right);

/* view_is_still returns whether no thread ran or was blocked any more, for long, when the recording
   ended. view_standstill_verdict then says which calls had not ended,
   those in I/O first. It returns whether it says something. */
bool view_is_still(const struct model *m);
bool view_standstill_verdict(struct builder *b, const struct model *m, const struct style *style);

END_C
