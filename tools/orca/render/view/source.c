/* Where a page comes from, for JSON. */
#include <string.h>

#include "agent/options/options.h"
#include "tools/orca/render/view/view.h"

/* --- the test of Bazel ---------------------------------------------------------------- */

static void put_info(struct json *j, const struct dump *d, const char *key, enum info_key info) {
  struct span value;
  json_key(j, key);
  if (dump_info(d, info, &value)) {
    json_name(j, value);
  } else {
    json_null(j);
  }
}

static void put_test(struct json *j, const struct dump *d) {
  struct span target;
  json_key(j, "test");
  if (!dump_info(d, INFO_TEST_TARGET, &target)) {
    json_null(j);
    return;
  }
  json_begin_object(j);
  put_info(j, d, "target", INFO_TEST_TARGET);
  put_info(j, d, "shard", INFO_TEST_SHARD);
  put_info(j, d, "run", INFO_TEST_RUN);
  json_end_object(j);
}

/* --- options -------------------------------------------------------------------------- */

/* A recording of an older agent lacks some options. */
static void put_options(struct json *j, const struct dump *d) {
  struct span value;
  json_key(j, "options");
  json_begin_object(j);
  for (enum option_key key = 0; key < NUM_OPTIONS; key++) {
    if (!coverage_option(dump_coverage(d), key, &value)) continue;
    json_key(j, option_infos[key].key);
    json_name(j, value);
  }
  json_end_object(j);
}

/* The times are since the start of the recording; 0 if that is not known. */
static void put_changes(struct json *j, const struct dump *d) {
  const struct option_changes *all = &dump_coverage(d)->changes;
  struct span text;
  ticks_t start;
  bool is_known = dump_info(d, INFO_START_MONOTONIC, &text) && text_parse_ticks(text, &start);
  json_key(j, "option_changes");
  json_begin_array(j);
  for (size_t i = 0; i < all->num; i++) {
    const struct option_change *c = &all->rows[i];
    json_begin_object(j);
    json_unsigned_member(j, "since_ns",
                         is_known && c->to > start ? (c->to - start) / TICKS_PER_NS : 0);
    json_key(j, "option");
    json_name(j, c->key);
    json_key(j, "value");
    json_name(j, c->value);
    json_key(j, "cause");
    json_name(j, c->cause);
    json_end_object(j);
  }
  json_end_array(j);
}

/* --- losses --------------------------------------------------------------------------- */

/* Counters of .info: lines, definitions or stacks that are missing. */
static const struct {
  const char *key;
  enum info_key info;
} counters[] = {
    {"events_dropped", INFO_EVENTS_DROPPED},    {"events_stalled", INFO_EVENTS_STALLED},
    {"allocations_failed", INFO_MEMORY_FAILED}, {"samples_dropped", INFO_SAMPLER_SIGNAL_DROPPED},
    {"samples_lost", INFO_SAMPLER_SIGNAL_LOST}, {"stacks_cut", INFO_STACKS_CUT},
    {"pauses_lost", INFO_PAUSES_LOST},          {"methods_unloaded", INFO_METHODS_UNLOADED}};

static void put_losses(struct json *j, const struct dump *d) {
  const struct sets *sets = dump_sets(d);
  struct span end;
  json_key(j, "losses");
  json_begin_object(j);
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
    struct span value;
    int64_t n;
    json_key(j, counters[i].key);
    if (dump_info(d, counters[i].info, &value) && text_parse_decimal(value, &n) && n >= 0) {
      json_unsigned(j, (uint64_t)n);
    } else {
      json_null(j);
    }
  }
  json_unsigned_member(j, "sets_missing", sets->first - 1 + sets->missing);
  json_key(j, "is_lossy");
  json_boolean(j, coverage_is_lossy(dump_coverage(d)));
  json_key(j, "has_end");
  json_boolean(j, dump_info(d, INFO_END_MONOTONIC, &end));
  json_end_object(j);
}

/* --- all ------------------------------------------------------------------------------ */

void view_source_object(struct json *j, const struct dump *d) {
  json_begin_object(j);
  json_text_member(j, "prefix", dump_prefix(d));
  put_info(j, d, "orca_version", INFO_ORCA_VERSION);
  put_test(j, d);
  put_options(j, d);
  put_changes(j, d);
  put_losses(j, d);
  json_end_object(j);
}

void view_source(struct page *p, const struct dump *d) {
  if (!page_is_json(p)) return;
  json_key(&p->json, "source");
  view_source_object(&p->json, d);
}
