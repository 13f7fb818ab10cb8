#pragma once
// Reads a recording with the code of `orca`. It is a file of its own because headers of the agent
// and of `orca` give the name dump_file to different things.
#include <string>
#include <utility>
#include <vector>

struct LeftRecording {
  std::string error;                // why it could not be opened
  std::vector<std::string> faults;  // the lines of `orca check`
  std::vector<unsigned> sets;       // their numbers
  unsigned missing = 0;             // sets between the first and the last
  // The thread and the name of each event, without the lines that repeat the state before a set.
  std::vector<std::pair<unsigned, std::string>> events;
  std::string end_reason;
};

LeftRecording ReadLeftRecording(const std::string &prefix);
