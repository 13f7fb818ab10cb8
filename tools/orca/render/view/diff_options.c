#include <string.h>

#include "agent/options/options.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/diff.h"
#include "tools/orca/render/view/view.h"

/* --- options -------------------------------------------------------------------------- */

/* Both runs have the sums of their short calls, or no threshold. A sum does not tell which calls of
   a semaphore had to wait. */
static const char *find_effect(const struct comparison *c, enum option_key key) {
  bool is_threshold = key == OPTION_threshold;
  for (int side = 0; side < 2; side++) is_threshold &= !model_lacks_short_calls(c->runs[side]);
  return is_threshold ? "short waits for semaphores are only in the times of one of them"
                      : option_infos[key].effect;
}

/* "threshold=0, then 10ms" */
static void put_values(struct builder *b, const struct model *m, enum option_key key) {
  const struct coverage *coverage = dump_coverage(m->dump);
  const struct option_change *c = NULL;
  struct span first;
  coverage_constant(coverage, key, &first);
  builder_format(b, "%s=", option_infos[key].key);
  text_plain(b, first);
  while ((c = coverage_next_change(coverage, key, c)) != NULL) {
    builder_string(b, ", then ");
    text_plain(b, c->value);
  }
}

/* --- samples and events that a run lacks ------------------------------------------------- */

static const char *const letters[] = {"A", "B"};

static void say_unsampled(struct builder *b, const struct comparison *c, const struct style *style,
                          struct builder *s) {
  bool known[2];
  for (int side = 0; side < 2; side++) {
    const struct model *m = c->runs[side];
    if (!filter_has_samples(&m->matcher.filter)) return; /* the filter selects no samples */
    known[side] = m->recording.cpu_known;
  }
  if (known[0] && known[1]) return;
  if (known[0] || known[1]) {
    builder_format(s, "%s has", letters[known[0]]);
  } else {
    builder_string(s, "A and B have");
  }
  builder_string(s, " no samples with CPU time (interval=0?), so methods cannot be compared.");
  view_put_sentence(b, style, s);
}

/* Samples at safepoints show where a thread can stop, not where it uses CPU time. */
static void say_samplers(struct builder *b, const struct comparison *c, const struct style *style,
                         struct builder *s) {
  static const char *const names[] = {"at safepoints", "by signals"};
  if (!recording_samplers_differ(&c->runs[0]->recording, &c->runs[1]->recording)) return;
  builder_format(s,
                 "CPU time was sampled %s in A, %s in B: samples at safepoints can name other "
                 "methods, so the CPU times of methods are not comparable.",
                 names[c->runs[0]->recording.by_signal], names[c->runs[1]->recording.by_signal]);
  view_put_sentence(b, style, s);
}

/* A digest lacks the rows with the shortest times. */
static void say_cut(struct builder *b, const struct comparison *c, const struct style *style,
                    struct builder *s) {
  static const char *const names[][2] = {[COMPARE_METHODS] = {"method", "methods"},
                                         [COMPARE_LOCKS] = {"lock", "locks"},
                                         [COMPARE_WAITS] = {"wait", "waits"}};
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) {
    for (int side = 0; side < 2; side++) {
      const struct sums_cut *cut = &c->cut[part][side];
      if (cut->num == 0) continue;
      builder_format(s, "%s is a digest, which leaves out ", letters[side]);
      unit_many(s, cut->num, names[part][0], names[part][1]);
      builder_format(s,
                     " with the shortest times, %s in all. The total has them. A row that only %s "
                     "has counts as changed if it is above the longest of these, %s.",
                     UNIT_TICKS(cut->time), letters[!side], UNIT_TICKS(cut->most));
      view_put_sentence(b, style, s);
    }
  }
}

/* An older agent, or one that was killed, wrote no sums of the calls that the threshold left out.
 */
static void say_short_calls(struct builder *b, const struct comparison *c,
                            const struct style *style, struct builder *s) {
  if (!compare_has_same_option(c, OPTION_threshold) || compare_has_same_short_calls(c)) return;
  int side = model_lacks_short_calls(c->runs[0]) ? 0 : 1; /* that lacks them */
  bool is_both = model_lacks_short_calls(c->runs[!side]);
  builder_format(s, is_both ? "Both lack waits" : "%s lacks waits", letters[side]);
  view_put_shorter(s, c->runs[side]->dump);
  if (!is_both) builder_format(s, " that %s has", letters[!side]);
  builder_string(s, ": their sums are not recorded, or not all of them.");
  view_put_sentence(b, style, s);
}

void view_diff_options(struct builder *b, const struct comparison *c, const struct style *style) {
  struct builder s = {0};
  size_t start = b->len;
  style_heading(b, style, "What cannot be compared");
  size_t first = b->len;
  say_unsampled(b, c, style, &s);
  say_samplers(b, c, style, &s);
  say_cut(b, c, style, &s);
  say_short_calls(b, c, style, &s);
  for (enum option_key key = 0; key < NUM_OPTIONS; key++) {
    if (*option_infos[key].effect == '\0' || compare_has_same_option(c, key)) continue;
    builder_string(&s, "A was recorded with ");
    put_values(&s, c->runs[0], key);
    builder_string(&s, ", B with ");
    put_values(&s, c->runs[1], key);
    builder_format(&s, ": %s.", find_effect(c, key));
    view_put_sentence(b, style, &s);
  }
  for (int side = 0; side < 2; side++) {
    if (!coverage_is_lossy(dump_coverage(c->runs[side]->dump))) continue;
    builder_format(&s, "%s lacks events or may lack events (overflow=drop): its times are too low.",
                   letters[side]);
    view_put_sentence(b, style, &s);
  }
  if (b->len == first) b->len = start; /* no sentence: no heading either */
}
