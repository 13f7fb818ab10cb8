#pragma once
/* Every command of `orca` that reads one recording, in each of its formats. */
#include "tests/recordings/recording.h"

/* ExpectEveryView expects that each view and each export succeeds on the recording, is not empty,
   and can be parsed. `dir` is for the files that commands write. */
void ExpectEveryView(const Recording &recording, const std::string &dir);

/* IsCovered returns whether ExpectEveryView runs the command, or the command shows no recording. */
bool IsCovered(const std::string &command);
