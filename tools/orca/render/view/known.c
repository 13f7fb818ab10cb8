#include "tools/orca/model/known.h"

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define SHOWN 3

/* "Known: 4 threads waited 3.20 s (48 % of all waits) in SecureRandom.nextBytes: …" */
static void put_known(struct builder *b, const struct model *m, const struct known_found *f) {
  bool is_cpu = f->known->value == PROFILE_CPU;
  builder_format(b, "Known: %s threads %s %s (%s of all %s) in ", UNIT_COUNT(f->threads),
                 is_cpu ? "used" : "waited", UNIT_TICKS(f->time), UNIT_SHARE(f->time, f->whole),
                 is_cpu ? "CPU time of Java threads" : "waits");
  names_method(b, m->dump, f->method);
  builder_format(b, ": %s. To do: %s. See %s", f->known->why, f->known->advice, f->known->source);
}

void view_known(struct builder *b, const struct model *m, const struct style *style) {
  struct known_found found[KNOWN_MOST];
  size_t num = known_find(m, found);
  for (size_t i = 0; i < num && i < SHOWN; i++) {
    struct builder s = {0};
    put_known(&s, m, &found[i]);
    view_put_sentence(b, style, &s);
  }
}
