#include "tests/recordings/cases.h"

#include <ostream>

std::vector<Case> ListCases() {
  std::vector<Case> all;
  for (auto list : {ListUsecases, ListScreens, ListWakers, ListLimits, ListBugs}) {
    for (Case &c : list()) all.push_back(std::move(c));
  }
  return all;
}

std::string StoredName(const Case &c, int jdk_version) {
  return c.name + "-jdk" + std::to_string(jdk_version);
}

void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }
