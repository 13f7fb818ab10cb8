#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

static void put_patterns(struct builder *b, const char *option, const struct filter_patterns *p) {
  for (size_t i = 0; i < p->num; i++) {
    builder_string(b, option);
    bool bare = strpbrk(p->texts[i], " *?[]$!'\"\\<>()&|;") == NULL;
    if (!bare) builder_char(b, '\'');
    builder_string(b, p->texts[i]);
    if (!bare) builder_char(b, '\'');
  }
}

static void put_times(struct builder *b, const struct model *m) {
  const struct recording *r = &m->recording;
  if (m->matcher.filter.from == 0 && m->matcher.filter.to == FILTER_NO_END) return;
  builder_string(b, b->len > 0 ? ", from " : "from ");
  unit_ticks(b, r->from - r->start);
  builder_string(b, " to ");
  unit_ticks(b, r->to - r->start);
}

static void put_filter(struct builder *b, const struct model *m) {
  const struct filter *f = &m->matcher.filter;
  struct builder wanted = {0};
  put_patterns(&wanted, " --thread ", &f->threads);
  put_patterns(&wanted, " --lock ", &f->locks);
  put_patterns(&wanted, " --event ", &f->events);
  put_patterns(&wanted, " --class ", &f->classes);
  bool patterns = wanted.len > 0;
  put_times(&wanted, m);
  builder_string(b, patterns ? " match" : " are ");
  builder_bytes(b, wanted.data, wanted.len);
  b->failed |= wanted.failed;
  builder_free(&wanted);
}

static void put_fraction(struct builder *b, uint64_t part, uint64_t whole, const char *what) {
  unit_count(b, part);
  builder_string(b, " of ");
  unit_count(b, whole);
  builder_string(b, what);
}

void view_filter(struct builder *b, const struct model *m, const struct style *style) {
  const struct recording *r = &m->recording;
  struct builder text = {0};
  if (!m->matcher.active) return;
  put_fraction(&text, r->num_events, r->all_events, " events");
  if (filter_has_samples(&m->matcher.filter)) {
    builder_string(&text, ", ");
    put_fraction(&text, r->samples, r->all_samples, " samples");
    if (r->by_signal) builder_string(&text, ", ");
    if (r->by_signal) put_fraction(&text, r->cpu_samples, r->all_cpu_samples, " CPU samples");
  }
  put_filter(&text, m);
  if (!text.failed) {
    style_wrap(b, style, "Shown     ", (struct span){text.data, text.len});
  }
  b->failed |= text.failed;
  builder_free(&text);
}
