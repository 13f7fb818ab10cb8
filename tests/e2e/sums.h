#pragma once
/* Compares a recording with the account of a workload that measured its own calls
   (tests/workloads/counted/ShortCalls.java). A call is in the recording as a pair of lines in
   .orca, or in a sum of short calls in .counts. So the comparison holds for each threshold, and
   however long a call took.

   The program measures each call from outside, so the recording has no longer times. Calls of which
   lines exist are compared by their number only. */
#include "tests/e2e/dump.h"
#include "tests/e2e/story.h"

/* AddSums adds the account of a second run to that of the first one. */
void AddSums(const Story &second, Story *first);

/* ExpectSameSums expects each call of the account exactly once, with its object and its place, and
   no other call on these objects or in these places. */
void ExpectSameSums(const Story &story, const Dump &dump);

/* ExpectSameSumsByEvent is the same for a program with so many objects that the agent may merge
   their sums: then the numbers by event are still exact. Those by place are, unless a sum has no
   stack. */
void ExpectSameSumsByEvent(const Story &story, const Dump &dump);

/* ExpectSumOfAllPairs expects that the sums in .counts have as many calls as .info says that were
   left out. Only of a whole recording that has ended. */
void ExpectSumOfAllPairs(const Dump &dump);
