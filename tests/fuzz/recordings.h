#pragma once
// Recordings as inputs of fuzz targets. A byte 0xFF ends each file; the files have the order of
// agent/event/file.def, as input.h reads them.
#include <string>
#include <vector>

#include "tests/support/dump_files.h"

std::string JoinFiles(const DumpFiles &files);

// Valid recordings of a few kB: those of the unit tests, and parts of the recordings in tests/data.
std::vector<std::string> MakeValidInputs();
