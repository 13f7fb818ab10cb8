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

/* Tables: CPU time by owner, and each kernel thread that is not a Java thread. */
void view_owners(struct page *p, const struct model *m);
void view_tasks(struct page *p, const struct model *m, size_t top);

/* Writes the same facts as members of the JSON object that is open. */
void view_process_facts(struct json *j, const struct model *m);

END_C
