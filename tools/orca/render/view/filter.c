#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

static void put_patterns(struct builder *b, const char *option, const struct filter_patterns *p) {
  for (size_t i = 0; i < p->num; i++) {
    bool bare = strpbrk(p->texts[i], " *?[]$!'\"\\<>()&|;") == NULL;
    builder_format(b, bare ? " %s %s" : " %s '%s'", option, p->texts[i]);
  }
}

static void put_filter(struct builder *b, const struct model *m) {
  const struct filter *f = &m->matcher.filter;
  struct builder wanted = {0};
  put_patterns(&wanted, "--thread", &f->threads);
  put_patterns(&wanted, "--lock", &f->locks);
  put_patterns(&wanted, "--event", &f->events);
  put_patterns(&wanted, "--class", &f->classes);
  bool patterns = wanted.len > 0;
  if (f->from != 0 || f->to != FILTER_NO_END) {
    const struct recording *r = &m->recording;
    builder_format(&wanted, "%sfrom %s to %s", patterns ? ", " : "", UNIT_TICKS(r->from - r->start),
                   UNIT_TICKS(r->to - r->start));
  }
  builder_string(b, patterns ? " match" : " are ");
  builder_bytes(b, wanted.data, wanted.len);
  b->failed |= wanted.failed;
  builder_free(&wanted);
}

/* What the filter does to calls that have only sums. */
static void say_short_calls(struct builder *b, const struct model *m, const struct style *style) {
  const struct filter *f = &m->matcher.filter;
  const struct {
    bool applies;
    const char *words;
  } limits[] = {
      {f->threads.num > 0, " are left out: only their sums are recorded, which have no threads."},
      {f->classes.num > 0,
       " are recorded as sums. Their stacks end with the innermost method of the program, so "
       "--class does not see its callers."},
      {m->matcher.leaves_out_short,
       " are left out as far as it is not known of which lock, or in which class, they are."},
      {f->from != 0 || f->to != FILTER_NO_END,
       " are recorded as sums, which count when they were written, up to a minute after the "
       "calls."}};
  if (m->recording.short_calls.num == 0) return;
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    struct builder text = {0};
    if (!limits[i].applies) continue;
    builder_string(&text, "calls");
    view_put_shorter(&text, m->dump);
    builder_string(&text, limits[i].words);
    if (!text.failed) style_wrap(b, style, "Short     ", (struct span){text.data, text.len});
    b->failed |= text.failed;
    builder_free(&text);
    if (i == 0) return;
  }
}

void view_filter(struct builder *b, const struct model *m, const struct style *style) {
  const struct recording *r = &m->recording;
  struct builder text = {0};
  if (!m->matcher.active) return;
  bool has_samples = filter_has_samples(&m->matcher.filter);
  builder_format(&text, "%s of %s events", UNIT_COUNT(r->num_events), UNIT_COUNT(r->all_events));
  if (has_samples) {
    builder_format(&text, ", %s of %s samples", UNIT_COUNT(r->samples), UNIT_COUNT(r->all_samples));
  }
  if (has_samples && r->by_signal) {
    builder_format(&text, ", %s of %s CPU samples", UNIT_COUNT(r->cpu_samples),
                   UNIT_COUNT(r->all_cpu_samples));
  }
  put_filter(&text, m);
  if (!text.failed) {
    style_wrap(b, style, "Shown     ", (struct span){text.data, text.len});
  }
  b->failed |= text.failed;
  builder_free(&text);
  say_short_calls(b, m, style);
}
