#include "tests/e2e/scratch.h"

#include <stdlib.h>

#include <filesystem>

#include "gtest/gtest.h"

namespace {

std::string FindBase() {
  for (const char *name : {"TEST_UNDECLARED_OUTPUTS_DIR", "TEST_TMPDIR", "TMPDIR"}) {
    if (const char *dir = getenv(name)) return dir;
  }
  return "/tmp";
}

}  // namespace

Scratch::Scratch() : dir_(FindBase() + "/orca-XXXXXX") {
  if (mkdtemp(dir_.data()) == nullptr) ADD_FAILURE() << "cannot make " << dir_;
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (!testing::Test::HasFailure()) std::filesystem::remove_all(dir_, ignored);
}
