#pragma once
/* What different views say of the same recording. */
#include "tests/recordings/recording.h"

/* ExpectAgreement expects that all views say the same: the times of threads in their states, the
   CPU time, the locks, the events; and that no view says that a thread was blocked by itself. */
void ExpectAgreement(const Recording &recording);
