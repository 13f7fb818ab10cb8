#pragma once
/* How much goes into a page, so that it stays some 10 MB at most and quick to draw, whatever the
   size of the recording. The page says what it leaves out. */

#define HTML_THREADS 20000 /* with a name; the others are "another thread" */
#define HTML_ROWS 1000     /* threads in the timeline */
#define HTML_SPANS 120000  /* spans in the timeline, of all threads */
#define HTML_ARROWS 3000   /* the longest waits for a lock whose owner is known */
#define HTML_LOG 60000     /* events in the log */
#define HTML_FRAMES 150000 /* frames in the tree of all stacks */
#define HTML_STACKS 40000  /* stacks by thread in the flame graph */
#define HTML_LOCKS 300     /* rows in the table of locks */
#define HTML_KEYS 12       /* threads, holders, places told of a lock */
#define HTML_MACHINE 4000  /* looks at the JIT compiler and the garbage collector */
#define HTML_PAUSES 3000   /* the longest pauses of the garbage collector */
#define HTML_BLOCKERS 300  /* who kept whom waiting */
