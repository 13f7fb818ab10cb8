#pragma once
/* The whole process in words and tables: whose CPU time it was, who waited for a CPU, the pauses of
   the garbage collector. Nothing where the recording does not tell. */
#include "tools/orca/render/view/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of view_header: "27.4 s of the process: 11.4 s in Java threads, …"; "2 allowed, quota 0.50;
   …"; "315 pauses, …". */
void view_process_cpu(struct builder *b, const struct model *m);
void view_cpus(struct builder *b, const struct model *m);
void view_pauses(struct builder *b, const struct model *m);

/* Part of view_verdict: a JIT compiler or a garbage collector that takes much, threads that wait
   for a CPU, a cgroup that throttles. */
void view_process_verdicts(struct builder *b, const struct model *m, const struct style *style);

/* Its last part: threads that waited for a CPU while the process filled none of its own. */
void view_process_waits(struct builder *b, const struct model *m, const struct style *style);

/* The owners of the CPU time, and each kernel thread that is not a Java thread. */
void view_owners(struct page *p, const struct model *m);
void view_tasks(struct page *p, const struct model *m, size_t top);

/* The same facts for a program: members of the object that is open. */
void view_process_facts(struct json *j, const struct model *m);

#ifdef __cplusplus
}
#endif
