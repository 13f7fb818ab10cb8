#include "tools/orca/export/utc.h"

bool utc_read(struct utc *out, const struct dump *d) {
  struct span start;
  if (!dump_info(d, INFO_START_MONOTONIC, &start) || !text_parse_ticks(start, &out->start)) {
    return false;
  }
  out->start_ns = dump_utc_ns(d, out->start);
  return out->start_ns != 0;
}

uint64_t utc_ns(const struct utc *utc, ticks_t time) {
  if (time >= utc->start) return utc->start_ns + (time - utc->start) / TICKS_PER_NS;
  return utc->start_ns - (utc->start - time) / TICKS_PER_NS;
}
