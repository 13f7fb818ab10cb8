#pragma once
/* Compares what Orca says of the threads of tests/workloads/verdicts with the truth that the
   program printed. */
#include <string>
#include <vector>

/* FindFalseVerdicts returns a sentence for each difference between the recording `prefix` and the
   output of the program. */
std::vector<std::string> FindFalseVerdicts(const std::string &prefix, const std::string &out);
