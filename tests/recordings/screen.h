#pragma once
/* The section "In short" of a report, as its reader sees it first. */
#include <string>

struct Screen {
  std::string first; /* its first sentence, in one line */
  std::string top;   /* its first five lines, in one line */
  std::string text;
};

/* ReadScreen finds the section in the output of `orca report` or `orca run`. Without it, the test
   fails. */
Screen ReadScreen(const std::string &report);

/* Matches returns whether the text contains a match of the regular expression. */
bool Matches(const std::string &text, const std::string &pattern);

/* What the sentences about each kind of problem match. */
inline constexpr const char *kIdle = "program was idle";
inline constexpr const char *kDeadlock = "DEADLOCK";
inline constexpr const char *kLock = "(Lock|Monitor) ";
inline constexpr const char *kCpu = "CPU time is spent in";
inline constexpr const char *kIo = "I/O: ";
