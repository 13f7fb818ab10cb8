#include "tools/orca/dump/origin.h"

/* No part of a Java name starts with a digit, so a part that does is an address. */
struct span origin_cut_address(struct span name) {
  for (size_t i = name.len; i > 1; i--) {
    char c = name.data[i - 2];
    if (c != '.' && c != '/' && c != '+') continue;
    char first = name.data[i - 1];
    if (first >= '0' && first <= '9') name.len = i - 2;
    break;
  }
  return name;
}
