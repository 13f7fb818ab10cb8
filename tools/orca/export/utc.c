#include "tools/orca/export/utc.h"

#include <time.h>

#define FRACTION_DIGITS 9

/* Nanoseconds of a fraction such as ".123456789Z"; its missing digits are zeros. */
static uint64_t read_fraction(const char *text) {
  uint64_t ns = 0;
  if (*text == '.') text++;
  for (int i = 0; i < FRACTION_DIGITS; i++) {
    ns *= 10;
    if (*text >= '0' && *text <= '9') ns += (uint64_t)(*text++ - '0');
  }
  return ns;
}

/* The format is "2026-11-20T11:30:00.123456789Z". */
bool utc_read(struct utc *out, const struct dump *d) {
  struct span utc, start;
  char text[32] = "";
  struct tm tm = {0};
  if (!dump_info(d, INFO_START_UTC, &utc) || utc.len >= sizeof text ||
      !dump_info(d, INFO_START_MONOTONIC, &start) || !text_parse_ticks(start, &out->start)) {
    return false;
  }
  memcpy(text, utc.data, utc.len);
  const char *fraction = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
  time_t seconds = timegm(&tm);
  if (fraction == NULL || seconds < 0) return false;
  out->start_ns = (uint64_t)seconds * 1000000000 + read_fraction(fraction);
  return true;
}

uint64_t utc_ns(const struct utc *utc, ticks_t time) {
  if (time >= utc->start) return utc->start_ns + (time - utc->start) / TICKS_PER_NS;
  return utc->start_ns - (utc->start - time) / TICKS_PER_NS;
}
