#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define CAUTION "Caution   "

/* "20ms" becomes "20 ms", like other times on the page. */
static void put_interval(struct builder *b, struct span interval) {
  size_t digits = 0;
  while (digits < interval.len && interval.data[digits] >= '0' && interval.data[digits] <= '9') {
    digits++;
  }
  text_plain(b, (struct span){interval.data, digits});
  if (digits < interval.len) builder_char(b, ' ');
  text_plain(b, (struct span){interval.data + digits, interval.len - digits});
}

/* "by CPU time every 20 ms, then 5 ms: 1,234 samples, 3 lost; all threads " */
static void put_cpu_samples(struct builder *b, const struct model *m) {
  const struct recording *r = &m->recording;
  const struct coverage *coverage = dump_coverage(m->dump);
  const struct option_change *c = NULL;
  struct span interval;
  builder_string(b, "by CPU time");
  if (coverage_option(coverage, OPTION_interval, &interval)) {
    builder_string(b, " every ");
    put_interval(b, interval);
    while ((c = coverage_next_change(coverage, OPTION_interval, c)) != NULL) {
      builder_string(b, ", then ");
      put_interval(b, c->value);
    }
  }
  builder_string(b, ": ");
  unit_many(b, r->cpu_samples, "sample", "samples");
  if (r->cpu_lost > 0) builder_format(b, ", %s lost", UNIT_COUNT(r->cpu_lost));
  builder_string(b, "; all threads ");
}

void view_sampled(struct builder *b, const struct model *m) {
  const struct recording *r = &m->recording;
  if (r->ticks == 0 && r->cpu_samples == 0) {
    bool is_selected = filter_has_samples(&m->matcher.filter);
    builder_string(b, is_selected ? "none" : "left out, because samples have no lock and no event");
    return;
  }
  if (r->by_signal) {
    put_cpu_samples(b, m);
  } else {
    builder_string(b, "at safepoints, ");
  }
  if (r->ticks == 0) {
    builder_string(b, "never");
  } else {
    unit_many(b, r->ticks, "time", "times");
    builder_format(b, ", every %s; this stopped the JVM for %s in total (%s), longest pause %s",
                   UNIT_TICKS(recording_time(r) / r->ticks), UNIT_TIME(r->pause_ns),
                   UNIT_SHARE(r->pause_ns * TICKS_PER_NS, recording_time(r)),
                   UNIT_TIME(r->longest_pause_ns));
  }
}

void view_sampled_caution(struct builder *b, const struct model *m, const struct style *style) {
  struct builder text = {0};
  struct span reason;
  if (!recording_sampler_fallback(&m->recording, m->dump, &reason)) return;
  builder_string(&text,
                 "the CPU shares come from samples at safepoints and can be badly wrong, because "
                 "sampling by signals was not possible: ");
  text_plain(&text, reason);
  if (!text.failed) style_wrap(b, style, CAUTION, (struct span){text.data, text.len});
  b->failed |= text.failed;
  builder_free(&text);
}
