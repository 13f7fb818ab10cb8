#include "agent/tracked/orca_classes.h"

#include <filesystem>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/jvm.h"

namespace {

bool HasClass(const std::string &name) { return orca_classes_have({name.data(), name.size()}); }

bool HasSignature(const std::string &signature) {
  return orca_classes_have_signature({signature.data(), signature.size()});
}

// The names without packages, since a Java source is named after its class.
std::string GetSimpleName(const std::string &name) {
  return name.substr(name.find_last_of('/') + 1);
}

TEST(OrcaClasses, AreThoseWithASource) {
  std::set<std::string> sources, names;
  for (const char *folder : {"agent/track/java", "agent/inventory/java"}) {
    for (const auto &file : std::filesystem::directory_iterator(Runfile(folder))) {
      sources.insert(file.path().stem());
    }
  }
  for (const char *name : orca_classes) names.insert(GetSimpleName(name));
  EXPECT_EQ(names, sources);
}

TEST(OrcaClasses, AreFoundByNameAndBySignature) {
  for (const std::string name : orca_classes) {
    EXPECT_TRUE(HasClass(name)) << name;
    EXPECT_TRUE(HasSignature("L" + name + ";")) << name;
    for (const std::string &other : {name + "s", name.substr(1), "L" + name + ";"}) {
      EXPECT_FALSE(HasClass(other)) << other;
    }
    for (const std::string &other : {name, "L" + name, name + ";", "[L" + name + ";"}) {
      EXPECT_FALSE(HasSignature(other)) << other;
    }
  }
  for (const char *other : {"", "L", "L;", ";"}) EXPECT_FALSE(HasSignature(other)) << other;
}

}  // namespace
