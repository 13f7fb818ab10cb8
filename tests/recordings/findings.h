#pragma once
/* The findings of a report, as data and as sentences. */
#include "tests/recordings/recording.h"

/* ExpectFindings expects that the sentence of each finding follows from its JSON, that the text of
   the report has the same sentences, and that no finding excludes another one. */
void ExpectFindings(const Recording &recording);
