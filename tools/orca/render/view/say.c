#include "tools/orca/render/view/say.h"

#include "tools/orca/render/unit.h"

void say_finding(struct builder *b, const struct finding *finding) {
  switch (finding->kind) {
#define PART(id)
#define FINDING(id, key, rank) \
  case FINDING_##id:           \
    say_##id(b, finding->row); \
    break;
#define FIELD(id, type, name)
#define ROWS(id, name, part)
#define END(id)
#include "tools/orca/answer/finding.def"
#undef PART
#undef FINDING
#undef FIELD
#undef ROWS
#undef END
    default: /* a part */
      break;
  }
}

void say_at(struct builder *b, const struct named_place *place) {
  builder_format(b, " at %s", place->text == NULL ? "an unknown place" : place->text);
}

void say_the_lock(struct builder *b, const struct named_lock *lock) {
  builder_format(b, "%s%s", lock->is_described ? "the " : "",
                 lock->text == NULL ? "an unknown lock" : lock->text);
}

void say_shares(struct builder *b, const struct found_rows *shares, uint64_t more, uint64_t whole) {
  const struct found_share *rows = shares->rows;
  for (size_t i = 0; i < shares->num; i++) {
    builder_format(b, "%s%s", i == 0 ? "" : ", ",
                   rows[i].name == NULL ? "an unknown place" : rows[i].name);
    if (shares->num + more > 1) builder_format(b, " %s", UNIT_SHARE(rows[i].part, whole));
  }
  if (more > 0) builder_format(b, ", %s more", UNIT_COUNT(more));
}

void say_share(struct builder *b, const struct found_share *f) {
  builder_format(b, "%s %s", f->name, UNIT_COUNT(f->part));
}
