#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/stall_words.h"

#define IO_PERCENT 5 /* of the working threads' time */
#define STANDING_TICKS TICKS_PER_S

/* The threads that stood in such calls when the recording ended. */
struct standing {
  struct tally threads; /* group 0 */
  ticks_t total, shortest;
};

static bool find_standing(const struct model *m, place_t place, struct standing *out) {
  ticks_t until = m->threads.clock.tick;
  bool good = true;
  for (size_t i = 0; good && i < m->threads.num; i++) {
    const struct thread *t = &m->threads.rows[i];
    if (t->io_since == 0 || until < t->io_since + STANDING_TICKS) continue;
    if (stacks_place(&m->stacks, t->io_stack) != place) continue;
    ticks_t time = until - t->io_since;
    good = tally_add(&out->threads, 0, t->hash, 1, 0); /* all are named */
    out->total += time;
    if (out->shortest == 0 || time < out->shortest) out->shortest = time;
  }
  tally_sort(&out->threads);
  return good;
}

/* " When the recording ended, pool-1-thread-1…8 had been in one such call for at least 29.8 s." */
static void put_standing(struct builder *b, const struct model *m, const struct standing *s) {
  if (s->total == 0) return;
  builder_string(b, " When the recording ended, ");
  view_main_threads(b, m, &s->threads, 0);
  builder_format(b, " had been in one such call for at least %s", UNIT_TICKS(s->shortest));
  view_put_pool_note(b, m, &s->threads, 0, CALL_IO);
  builder_char(b, '.');
}

static void say_io(struct builder *b, const struct model *m, const struct style *style,
                   const struct spending_row *row, const struct standing *standing) {
  struct builder text = {0};
  builder_string(&text, "I/O: ");
  view_main_threads(&text, m, &m->spending.threads, row->id);
  builder_format(&text, " waited %s%s", UNIT_TICKS(row->total),
                 view_num_threads(&m->spending.threads, row->id) > 1 ? " in total" : "");
  view_put_call(&text, m, CALL_IO, row->stack);
  if (row->place != 0) view_put_at(&text, m, row->place);
  builder_format(&text,
                 ". That is %s of the time in which threads ran, were ready to run, blocked or in "
                 "I/O.",
                 UNIT_SHARE(row->total, spending_worked(&m->spending)));
  if (!view_is_still(m)) put_standing(&text, m, standing);
  view_put_sentence(b, style, &text);
}

void view_io_verdict(struct builder *b, const struct model *m, const struct style *style) {
  const struct spending *s = &m->spending;
  const struct spending_row *row = spending_largest(s, ACTIVITY_IO);
  if (row == NULL || s->in_activity[ACTIVITY_IO] * 100 < spending_worked(s) * IO_PERCENT) return;
  if (view_cpu_wait(m, row->id) > row->total) return; /* which it may have been instead */
  struct standing standing = {0};
  b->failed |= !find_standing(m, row->place, &standing);
  bool is_told = view_is_still(m) && standing.total * 10 >= row->total * 9; /* as a standstill */
  if (!is_told) say_io(b, m, style, row, &standing);
  tally_free(&standing.threads);
}
