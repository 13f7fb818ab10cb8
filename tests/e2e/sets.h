#pragma once
/* The sets of files of a recording, found and read without the code of `orca`. */
#include <string>
#include <vector>

#include "tests/e2e/dump.h"

/* FindSets returns the prefixes of all sets of a recording, oldest first. */
std::vector<std::string> FindSets(const std::string &prefix);

/* ReadSets merges all sets into one dump, whose .info is that of the last set. It expects that each
   set has no fault, and defines all that it names. */
Dump ReadSets(const std::string &prefix);
