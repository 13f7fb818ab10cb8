#pragma once
/* Does the dump tell the same as the workload? */
#include "tests/e2e/dump.h"
#include "tests/e2e/story.h"

/* ExpectSame fails the test, with the place, wherever the two differ in one of the ways below. */
void ExpectSame(const Story &story, const Dump &dump);

/* Each of the workload's own threads made exactly these events, in this order, on these objects.
   Contention is compared for the workload's own locks only, as the JDK has locks too. */
void ExpectSameSteps(const Story &story, const Dump &dump);

/* So many of each kind, as the workload counted them. */
void ExpectSameCounts(const Story &story, const Dump &dump);

/* Names of threads are spelled right. */
void ExpectNames(const Story &story, const Dump &dump);

/* An owner that is not known is 0; a wrong one is worse than that. */
void ExpectOwners(const Story &story, const Dump &dump);

/* Objects have their class. */
void ExpectClassesOfObjects(const Story &story, const Dump &dump);

/* Classes, their source files and methods that the workload names are there. */
void ExpectDefinitions(const Story &story, const Dump &dump);
