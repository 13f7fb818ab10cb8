#pragma once
/* The process as a whole: CPU time by owner, time waiting for a CPU, pauses of the garbage
   collector. All functions write nothing if the recording does not contain these facts. */
#include "agent/base/extern_c.h"
#include "tools/orca/render/view/view.h"

BEGIN_C

/* Rows of view_header: "27.4 s of the process: 11.4 s in Java threads, …", "0.57 busy on average, 2
   allowed, …" and "315 times for GC, …". */
void view_process_cpu(struct builder *b, const struct model *m);
void view_cpus(struct builder *b, const struct model *m);
void view_pauses(struct builder *b, const struct model *m);

/* Parts of view_verdict. The first is about threads that waited for a CPU, and a cgroup that
   throttled them. The second is about a JIT compiler or garbage collector with a large share of the
   CPU time, and pauses for GC. */
void view_process_verdicts(struct builder *b, const struct model *m, const struct style *style);
void view_overhead_verdicts(struct builder *b, const struct model *m, const struct style *style);

/* view_process_ns and view_overhead_ns return the nanoseconds that these sentences are about:
   - the time that threads waited for a CPU, if the process used its CPUs or more threads were ready
     to run than it may use CPUs;
   - the CPU time of the JIT compiler and the garbage collector. */
uint64_t view_process_ns(const struct model *m);
uint64_t view_overhead_ns(const struct model *m);

/* A part of view_verdict: threads waited for a CPU, although the process did not use all its CPUs,
   and on average not more threads were ready to run. */
void view_process_waits(struct builder *b, const struct model *m, const struct style *style);

/* Tables: CPU time by owner, and each kernel thread that is not a Java thread. */
void view_owners(struct page *p, const struct model *m);
void view_tasks(struct page *p, const struct model *m, size_t top);

/* Writes the same facts as members of the JSON object that is open. */
void view_process_facts(struct json *j, const struct model *m);

END_C
