#pragma once
/* Static initializers that wait for a parallel stream whose tasks need their class. A thread runs
   the initializer of a class, and waits for tasks of a ForkJoinPool which the JDK made for it: for
   a parallel stream, or for what Arrays and ConcurrentHashMap do in parallel. A worker runs code of
   this class in such a task, and waits until the class is initialized. Neither can go on. */
#include "tools/orca/model/wait_edges.h"

BEGIN_C

/* stream_inits_add lets these initializers need the workers, after the waits for classes are in the
   graph. It is sure that the tasks are theirs if each thread that runs a task of a ForkJoinPool
   waits for the class: the initializer has run the queued ones itself, or idle workers have. It
   returns false when memory ran out. */
bool stream_inits_add(struct wait_for *w, const struct wait_sources *s);

END_C
