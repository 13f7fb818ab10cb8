#include "tools/orca/render/unit.h"

#include <inttypes.h>
#include <stdio.h>

#include "agent/base/clock.h"

/* Writes a number below 999.5 with three digits. */
static void put_three_digits(struct builder *b, double n, const char *unit) {
  char text[48];
  int decimals = n < 9.995 ? 2 : n < 99.95 ? 1 : 0;
  snprintf(text, sizeof text, "%.*f %s", decimals, n, unit);
  builder_string(b, text);
}

static void put_two_units(struct builder *b, uint64_t large, const char *large_unit, uint64_t small,
                          const char *small_unit) {
  char text[64];
  snprintf(text, sizeof text, "%" PRIu64 " %s %02" PRIu64 " %s", large, large_unit, small,
           small_unit);
  builder_string(b, text);
}

static uint64_t divide_rounded(uint64_t n, uint64_t unit) {
  return n / unit + (n % unit >= unit / 2);
}

/* `s`: seconds, at least 60. */
static void put_long_time(struct builder *b, uint64_t s) {
  uint64_t minutes = divide_rounded(s, 60), hours = divide_rounded(s, 3600);
  if (s < 3600) {
    put_two_units(b, s / 60, "min", s % 60, "s");
  } else if (minutes < UINT64_C(24) * 60) {
    put_two_units(b, minutes / 60, "h", minutes % 60, "min");
  } else {
    put_two_units(b, hours / 24, "d", hours % 24, "h");
  }
}

static void put_ns(struct builder *b, uint64_t ns) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64 " ns", ns);
  builder_string(b, text);
}

void unit_time(struct builder *b, uint64_t ns) {
  double n = (double)ns;
  if (ns == 0) {
    builder_string(b, "0 s");
  } else if (ns < 1000) {
    put_ns(b, ns);
  } else if (n < 999.5e3) {
    put_three_digits(b, n / 1e3, "µs");
  } else if (n < 999.5e6) {
    put_three_digits(b, n / 1e6, "ms");
  } else if (n < 59.95e9) {
    put_three_digits(b, n / 1e9, "s");
  } else {
    put_long_time(b, divide_rounded(ns, NS_PER_S));
  }
}

void unit_ticks(struct builder *b, ticks_t ticks) {
  unit_time(b, divide_rounded(ticks, TICKS_PER_NS));
}

void unit_count(struct builder *b, uint64_t n) {
  char digits[24];
  int len = snprintf(digits, sizeof digits, "%" PRIu64, n);
  for (int i = 0; i < len; i++) {
    if (i > 0 && (len - i) % 3 == 0) builder_char(b, ',');
    builder_char(b, digits[i]);
  }
}

void unit_share(struct builder *b, uint64_t part, uint64_t whole) {
  char text[24];
  double percent = whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
  if (whole == 0) {
    builder_string(b, "-");
  } else if (part < whole && percent >= 99.5) {
    builder_string(b, ">99 %");
  } else if (part > 0 && percent < 0.05) {
    builder_string(b, "<0.1 %");
  } else {
    snprintf(text, sizeof text, "%.*f %%", part > 0 && percent < 9.95 ? 1 : 0, percent);
    builder_string(b, text);
  }
}

void unit_many(struct builder *b, uint64_t n, const char *one, const char *many) {
  unit_count(b, n);
  builder_char(b, ' ');
  builder_string(b, n == 1 ? one : many);
}
