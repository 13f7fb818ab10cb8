#pragma once
/* Reads text files. */
#include <string>
#include <vector>

/* ReadTextFile returns the content of a file; "" if it cannot be read. */
std::string ReadTextFile(const std::string &path);

/* SplitLines returns all lines without their '\n'. It leaves out an incomplete last line. */
std::vector<std::string> SplitLines(const std::string &text);
