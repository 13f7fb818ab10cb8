#include "agent/options/values.h"

#include <stdlib.h>
#include <string.h>

bool value_number(const char *text, double *out, const char **unit) {
  size_t len = strspn(text, "0123456789.");
  char digits[32];
  if (len == 0 || len >= sizeof digits) return false;
  memcpy(digits, text, len);
  digits[len] = '\0';
  char *end;
  *out = strtod(digits, &end);
  *unit = text + len;
  return *end == '\0';
}

bool value_duration(const char *value, uint64_t *out) {
  static const struct {
    const char *name;
    double ns;
  } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 6e10}, {"h", 3.6e12}};
  double number;
  const char *unit;
  if (!value_number(value, &number, &unit)) return false;
  *out = 0;
  if (number == 0 && *unit == '\0') return true;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (strcmp(unit, units[i].name) != 0) continue;
    double ns = number * units[i].ns;
    if (ns < 1e18) *out = (uint64_t)ns;
    return ns < 1e18;
  }
  return false;
}

bool value_percent(const char *value, double *out) {
  const char *unit;
  if (!value_number(value, out, &unit) || strcmp(unit, "%") != 0) return false;
  bool in_range = *out >= 0.01 && *out <= 100;
  *out /= 100;
  return in_range;
}

bool value_size(const char *value, uint64_t *out) {
  static const struct {
    const char *name;
    double bytes;
  } units[] = {{"KB", 0x1p10}, {"MB", 0x1p20}, {"GB", 0x1p30}};
  double number;
  const char *unit;
  if (!value_number(value, &number, &unit)) return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    double bytes = number * units[i].bytes;
    if (strcmp(unit, units[i].name) != 0 || bytes < 0x1p16 || bytes >= 0x1p60) continue;
    *out = (uint64_t)bytes;
    return true;
  }
  return false;
}
