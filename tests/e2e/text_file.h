#pragma once
/* Files of text, read whole. */
#include <string>
#include <vector>

/* ReadTextFile gives the bytes of a file, "" when there is none. */
std::string ReadTextFile(const std::string &path);

/* WholeLines gives the lines that end in '\n', without it; a torn piece at the end is left out. */
std::vector<std::string> WholeLines(const std::string &text);
