#pragma once
/* Compares a dump with the account that a workload printed of its own events. */
#include "tests/e2e/dump.h"
#include "tests/e2e/story.h"

/* tools/test takes this as the proof of a fault (tools/testing/verdict.py). */
inline constexpr char kDisagree[] = "the recording and the program disagree: ";

/* ExpectSame makes all comparisons below. Each difference fails the test and is reported with its
 * place. */
void ExpectSame(const Story &story, const Dump &dump);

/* LeaveOutShort removes from the account what the option threshold left out of the lines: the short
   virtual threads, and the submissions of tasks and starts of virtual threads, of which the dump
   has sums. Expects that these sums have at least as many as the account. */
void LeaveOutShort(const Dump &dump, Story *story);

/* IsCompared returns whether the workload counts such an event: it is of one of its own threads and
   locks, and does not depend on chance. */
bool IsCompared(const Event &e, const Story &story, const Dump &dump);

/* HasAllSteps returns whether the dump has as many events of each thread as the workload counted.
 */
bool HasAllSteps(const Story &story, const Dump &dump);

/* ExpectSameSteps expects that each thread of the workload has exactly the events of the account,
   in the same order and on the same objects. Contention is compared only for the workload's own
   locks, since the JDK has contended locks too. */
void ExpectSameSteps(const Story &story, const Dump &dump);

/* ExpectSameCounts expects as many events of each kind as the workload counted. */
void ExpectSameCounts(const Story &story, const Dump &dump);

/* ExpectNames expects that the names of the workload's threads are correct. */
void ExpectNames(const Story &story, const Dump &dump);

/* ExpectOwners expects that each owner is the true one or 0, which stands for an unknown owner. */
void ExpectOwners(const Story &story, const Dump &dump);

/* ExpectClassesOfObjects expects that each object of the account has its class. */
void ExpectClassesOfObjects(const Story &story, const Dump &dump);

/* ExpectDefinitions expects that the dump defines all classes, source files and methods of the
 * account. */
void ExpectDefinitions(const Story &story, const Dump &dump);
