#pragma once
/* Compares TaskQueued and TaskTaken with the account of counted.PoolTasks, a program that uses
   thread pools. */
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/e2e/dump.h"

using Tasks = std::map<uint32_t, std::vector<uint32_t>>; /* thread -> tasks in order */

struct TaskAccount {
  Tasks queued, ran;
  std::set<uint32_t> periodic;
  std::map<uint32_t, uint32_t> executors; /* task -> the executor that ran it */
};

/* ReadTaskAccount reads what the program printed. */
TaskAccount ReadTaskAccount(const std::string &output);

/* ExpectSameTasks expects the tasks of the account, each in its thread and in order. */
void ExpectSameTasks(const TaskAccount &account, const Dump &dump);
