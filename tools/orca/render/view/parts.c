#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define KEYS_SHOWN 3

static uint64_t read_weight(const struct tally_row *row, bool by_time) {
  return by_time ? row->total : row->count;
}

void view_put_keys(struct builder *b, const struct model *m, const struct tally *tally,
                   uint32_t group, void (*name)(struct builder *, const struct model *, uint64_t)) {
  size_t num;
  uint64_t whole = 0;
  const struct tally_row *rows = tally_of(tally, group, &num);
  bool by_time = num > 0 && rows[0].total > 0;
  for (size_t i = 0; i < num; i++) whole += read_weight(&rows[i], by_time);
  for (size_t i = 0; i < num && i < KEYS_SHOWN; i++) {
    if (i > 0) builder_string(b, ", ");
    name(b, m, rows[i].key);
    if (num == 1) return;
    builder_format(b, " %s", UNIT_SHARE(read_weight(&rows[i], by_time), whole));
  }
  if (num > KEYS_SHOWN) builder_format(b, ", %s more", UNIT_COUNT(num - KEYS_SHOWN));
}

void view_put_thread(const struct cell *c) {
  const struct model *m = c->context;
  names_thread(c->text, &m->threads, *(const uint32_t *)c->member);
}

void view_put_largest(struct table *t, const struct model *m, const struct tally *tally,
                      uint32_t group,
                      void (*name)(struct builder *, const struct model *, uint64_t)) {
  size_t num;
  const struct tally_row *rows = tally_of(tally, group, &num);
  if (num > 0) name(table_text(t), m, rows[0].key);
  table_next(t);
}

void view_lock_title(struct builder *b, const struct model *m, uint32_t object) {
  titles_write(b, &m->titles, m->dump, object);
}

void view_put_shorter(struct builder *b, const struct dump *d) {
  builder_string(b, " shorter than ");
  coverage_put_threshold(b, dump_coverage(d));
}

void view_put_or_longer(struct builder *b, const struct dump *d) {
  builder_char(b, ' ');
  coverage_put_threshold(b, dump_coverage(d));
  builder_string(b, " or longer");
}

void view_put_long_times(struct builder *b, const struct dump *d, uint64_t num, ticks_t time) {
  if (num == 0) {
    builder_string(b, "never");
  } else {
    unit_many(b, num, "time", "times");
  }
  builder_string(b, " for");
  view_put_or_longer(b, d);
  if (num > 0) builder_format(b, ", %s", UNIT_TICKS(time));
}

/* Are there sums of short calls that match the filter, of locks or of waits? */
static bool has_short_calls(const struct model *m, bool of_locks) {
  for (size_t i = 0; i < m->stalls.num; i++) {
    const struct stall *s = &m->stalls.rows[i];
    if (s->short_calls.num > 0 && lock_event_asks(s->kind) == of_locks) return true;
  }
  return false;
}

void view_short_limit(struct page *p, const struct model *m, bool shows_locks, bool shows_waits) {
  struct builder s = {0};
  bool locks = shows_locks && has_short_calls(m, true);
  bool waits = shows_waits && has_short_calls(m, false);
  if (!page_is_text(p) || (!locks && !waits)) return;
  builder_string(&s, "Calls");
  view_put_shorter(&s, m->dump);
  builder_format(&s, " are not told apart here. Their sums are in %s%s%s.",
                 locks ? "orca locks" : "", locks && waits ? " and " : "",
                 waits ? "orca waits" : "");
  view_put_paragraph(p, &s);
}

void view_the_lock(struct builder *b, const struct model *m, uint32_t object) {
  if (titles_has(&m->titles, object)) builder_string(b, "the ");
  view_lock_title(b, m, object);
}

void view_put_least_mark(struct builder *b, bool is_least) {
  if (is_least) builder_string(b, "≥ ");
}

void view_put_paragraph(struct page *p, struct builder *text) {
  builder_char(&p->out, '\n');
  if (!text->failed) style_wrap(&p->out, &p->style, "", (struct span){text->data, text->len});
  p->out.failed |= text->failed;
  builder_free(text);
}

void view_put_sentence(struct builder *b, const struct style *style, struct builder *sentence) {
  if (!sentence->failed && sentence->len > 0) {
    struct span text = {sentence->data, sentence->len};
    style_wrap(b, style, "* ", text);
  }
  b->failed |= sentence->failed;
  builder_free(sentence);
}

void view_thread_name(struct builder *b, const struct model *m, uint64_t hash) {
  names_thread(b, &m->threads, (uint32_t)hash);
}

void view_place_name(struct builder *b, const struct model *m, uint64_t place) {
  if (place == 0) {
    builder_string(b, "an unknown place");
  } else {
    names_place(b, m->dump, place);
  }
}

void view_put_at(struct builder *b, const struct model *m, place_t place) {
  builder_string(b, " at ");
  view_place_name(b, m, place);
}

void view_stack(struct builder *b, const struct model *m, stack_id_t stack, const char *between) {
  size_t depth;
  const struct frame *frames = stacks_frames(&m->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    if (i > 0) builder_string(b, between);
    names_place(b, m->dump, place_of_frame(m->dump, frames[i]));
  }
}

void view_stack_notes(struct table *t, const struct model *m, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(&m->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    builder_string(table_text(t), "  ");
    names_place(table_text(t), m->dump, place_of_frame(m->dump, frames[i]));
    table_note(t);
  }
}

void view_stall_object(struct builder *b, const struct model *m, const struct stall *stall) {
  if (stall->num_objects == 0) return;
  if (stall->object != 0 && event_joins(stall->kind)) {
    names_thread(b, &m->threads, stall->object);
  } else if (stall->object != 0) {
    names_object(b, m->dump, stall->object);
  } else {
    names_class(b, m->dump, stall->class_id);
    builder_string(b, " (");
    unit_many(b, stall->num_objects, "object)", "objects)");
  }
}
