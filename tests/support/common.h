/* The headers that most tests include: see tests/precompiled.bzl. The compiler includes this file
   once, before all others, so it has no guard. */
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
