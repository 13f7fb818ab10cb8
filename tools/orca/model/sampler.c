#include "tools/orca/model/sampler.h"

void sampler_put_name(struct builder *b, const struct model *m) {
  const struct recording *r = &m->recording;
  const char *name = "CPU time sampled at safepoints";
  if (!r->cpu_known) name = "no CPU time sampled";
  if (r->by_signal) name = "CPU time sampled by signals";
  builder_string(b, name);
}

bool sampler_differs(const struct model *a, const struct model *b) {
  return a->recording.cpu_known && b->recording.cpu_known &&
         a->recording.by_signal != b->recording.by_signal;
}

bool sampler_fallback(const struct model *m, struct span *out_reason) {
  return !m->recording.by_signal && dump_info(m->dump, INFO_SAMPLER_FALLBACK, out_reason) &&
         out_reason->len > 0;
}
