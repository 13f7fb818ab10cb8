#pragma once
/* The programs that are recorded, and what their recordings must show. live_test records each one
   on each JDK; recordings_test reads the recordings that are stored in the folder data. */
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/recordings/recording.h"

struct Case {
  std::string name;
  std::vector<std::string> program; /* main class and arguments */
  std::string options;              /* additional options of the agent: ",key=value" */
  std::function<void(const Recording &)> check;

  std::vector<std::string> flags = {}; /* additional flags of the JVM */
  int least_version = 0;               /* the oldest JDK */

  /* The program never ends. It is killed when it has printed "fact stuck 2" and orca deadlocks
     shows a deadlock. */
  bool hangs = false;

  std::string jar = "workloads"; /* of tests/workloads */

  /* The program is killed when it has run for so many seconds; 0: it ends by itself. By attach, the
     recording begins after the first half of them. */
  double seconds = 0;
  bool by_attach = false;

  bool is_only_stored = false; /* the program needs a JDK that the tests are not built for */
};

/* All cases, and those of each file. */
std::vector<Case> ListCases();
std::vector<Case> ListUsecases();
std::vector<Case> ListScreens();
std::vector<Case> ListWakers();
std::vector<Case> ListLimits();
std::vector<Case> ListBugs();

/* StoredName returns the name of a case's files in the folder data, without their suffix. */
std::string StoredName(const Case &c, int jdk_version);

void PrintTo(const Case &c, std::ostream *out);
