#pragma once
/* Limits that keep a page at about 10 MB and fast to draw, for recordings of any size. The page
   says what it leaves out. Two recordings on one page share the limits (gathered_bound). */

#define HTML_THREADS 8000  /* with a name; all further ones are shown as "another thread" */
#define HTML_ROWS 1000     /* threads in the timeline */
#define HTML_SPANS 100000  /* spans in the timeline, of all threads */
#define HTML_ARROWS 3000   /* the longest waits for a lock whose owner is known */
#define HTML_LOG 50000     /* events in the log */
#define HTML_FRAMES 100000 /* frames in the tree of all stacks */
#define HTML_STACKS 40000  /* pairs of thread and stack in the flame graph */
#define HTML_SLICES 1000   /* slices of time in the flame graph of a part, and their rows */
#define HTML_SLICE_ROWS 25000
#define HTML_LOCKS 300 /* rows in the table of locks */
#define HTML_KEYS 12   /* threads, owners and places of each lock */
#define HTML_MACHINE \
  4000 /* measurements of the JIT compiler's and the garbage collector's CPU time */
#define HTML_PAUSES 3000  /* the longest pauses of the garbage collector */
#define HTML_BLOCKERS 300 /* pairs of waiter and owner */

/* Of a comparison. */
#define HTML_DIFF_ROWS 500     /* rows of each table */
#define HTML_DIFF_TREE 400000  /* frames that are compared */
#define HTML_DIFF_FRAMES 20000 /* frames on the page: those with the most time of any value */
