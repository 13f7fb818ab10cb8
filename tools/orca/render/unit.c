#include "tools/orca/render/unit.h"

#include <inttypes.h>
#include <stdio.h>

#include "agent/base/clock.h"

/* Writes a number below 999.5 with three digits. */
static void put_three_digits(struct unit_text *out, double n, const char *unit) {
  int decimals = n < 9.995 ? 2 : n < 99.95 ? 1 : 0;
  snprintf(out->text, sizeof out->text, "%.*f %s", decimals, n, unit);
}

static void put_two_units(struct unit_text *out, uint64_t large, const char *large_unit,
                          uint64_t small, const char *small_unit) {
  snprintf(out->text, sizeof out->text, "%" PRIu64 " %s %02" PRIu64 " %s", large, large_unit, small,
           small_unit);
}

static uint64_t divide_rounded(uint64_t n, uint64_t unit) {
  return n / unit + (n % unit >= unit / 2);
}

/* `s`: seconds, at least 60. */
static void put_long_time(struct unit_text *out, uint64_t s) {
  uint64_t minutes = divide_rounded(s, 60), hours = divide_rounded(s, 3600);
  if (s < 3600) {
    put_two_units(out, s / 60, "min", s % 60, "s");
  } else if (minutes < UINT64_C(24) * 60) {
    put_two_units(out, minutes / 60, "h", minutes % 60, "min");
  } else {
    put_two_units(out, hours / 24, "d", hours % 24, "h");
  }
}

struct unit_text unit_time_text(uint64_t ns) {
  struct unit_text out = {"0 s"};
  double n = (double)ns;
  if (ns > 0 && ns < 1000) {
    snprintf(out.text, sizeof out.text, "%" PRIu64 " ns", ns);
  } else if (ns > 0 && n < 999.5e3) {
    put_three_digits(&out, n / 1e3, "µs");
  } else if (ns > 0 && n < 999.5e6) {
    put_three_digits(&out, n / 1e6, "ms");
  } else if (ns > 0 && n < 59.95e9) {
    put_three_digits(&out, n / 1e9, "s");
  } else if (ns > 0) {
    put_long_time(&out, divide_rounded(ns, NS_PER_S));
  }
  return out;
}

struct unit_text unit_ticks_text(ticks_t ticks) {
  return unit_time_text(divide_rounded(ticks, TICKS_PER_NS));
}

struct unit_text unit_count_text(uint64_t n) {
  struct unit_text out;
  char digits[24];
  int len = snprintf(digits, sizeof digits, "%" PRIu64, n), at = 0;
  for (int i = 0; i < len; i++) {
    if (i > 0 && (len - i) % 3 == 0) out.text[at++] = ',';
    out.text[at++] = digits[i];
  }
  out.text[at] = '\0';
  return out;
}

struct unit_text unit_share_text(uint64_t part, uint64_t whole) {
  double percent = whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
  if (whole == 0) return (struct unit_text){"-"};
  if (part < whole && percent >= 99.5) return (struct unit_text){">99 %"};
  if (part > 0 && percent < 0.05) return (struct unit_text){"<0.1 %"};
  struct unit_text out;
  int decimals = part > 0 && percent < 9.95 ? 1 : 0;
  snprintf(out.text, sizeof out.text, "%.*f %%", decimals, percent);
  return out;
}

void unit_time(struct builder *b, uint64_t ns) { builder_string(b, UNIT_TIME(ns)); }

void unit_ticks(struct builder *b, ticks_t ticks) { builder_string(b, UNIT_TICKS(ticks)); }

void unit_count(struct builder *b, uint64_t n) { builder_string(b, UNIT_COUNT(n)); }

void unit_share(struct builder *b, uint64_t part, uint64_t whole) {
  builder_string(b, UNIT_SHARE(part, whole));
}

void unit_many(struct builder *b, uint64_t n, const char *one, const char *many) {
  builder_format(b, "%s %s", UNIT_COUNT(n), n == 1 ? one : many);
}
