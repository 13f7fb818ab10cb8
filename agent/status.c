/* The answer to `orca status`: lines of key=value, as docs/services.md lists them. */
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/base/text.h"
#include "agent/options/changes.h"

static void put_number(struct builder *b, const char *key, uint64_t value) {
  builder_format(b, "\n%s=%llu", key, (unsigned long long)value);
}

/* --- what is on ------------------------------------------------------------------------------- */

static void put_options(const struct agent *a, struct builder *b) {
  const struct options *first = &a->first_options, *now = &a->recorder.options;
  builder_string(b, "\noptions=");
  options_print(now, b);
  uint64_t changed = options_compare(first, now);
  for (int key = 0; key < NUM_OPTIONS; key++) {
    if ((changed >> key & 1) == 0) continue;
    builder_format(b, "\nchanged=%s=%s", option_infos[key].key, now->text[key]);
  }
}

static void put_escalations(const struct agent *a, struct builder *b) {
  uint64_t now = clock_monotonic_ns();
  for (int i = 0; i < NUM_TRIGGERS; i++) {
    uint64_t until = a->escalations[i].until_ns;
    if (!a->escalations[i].is_on) continue;
    builder_format(b, "\nescalation=%s,%llu,%s", trigger_names[i],
                   (unsigned long long)((until > now ? until - now : 0) / NS_PER_S),
                   a->set_options.trigger.escalations[i].words);
  }
}

/* How long the option `duration` lets the recording go on. */
static void put_end(const struct agent *a, struct builder *b) {
  uint64_t now = clock_monotonic_ns(), at = a->end_at_ns;
  if (at != 0) put_number(b, "duration.left.ms", (at > now ? at - now : 0) / NS_PER_MS);
}

/* --- figures ---------------------------------------------------------------------------------- */

/* The figures of .info that say what was lost, or what the agent cost. */
static void put_figures(struct agent *a, struct builder *b) {
  const struct recording_figures *f = &a->recorder.figures;
  const struct {
    enum info_key key;
    uint64_t value;
  } rows[] = {{INFO_EVENTS_DROPPED, figure_get(&f->events_dropped)},
              {INFO_EVENTS_STALLED, figure_get(&f->events_stalled)},
              {INFO_EVENTS_WAITED, figure_get(&f->events_waited)},
              {INFO_SAMPLER_SIGNAL_DROPPED, figure_get(&f->sampler_signal_dropped)},
              {INFO_SAMPLER_SIGNAL_LOST, figure_get(&f->sampler_signal_lost)},
              {INFO_SAMPLER_SIGNAL_UNTIMED, figure_get(&f->sampler_signal_untimed)},
              {INFO_PAUSES_LOST, figure_get(&f->pauses_lost)},
              {INFO_HOOKS_SKIPPED, figure_get(&f->hooks_skipped)},
              {INFO_LOCKS_FULL, lock_counts_is_incomplete(a->lock_counts)},
              {INFO_MEMORY_FAILED, memory_failed() - f->memory_failed_before},
              {INFO_SAMPLER_PAUSES, figure_get(&f->sampler_pauses)},
              {INFO_SAMPLER_PAUSE_TOTAL, figure_get(&f->sampler_pause_total)},
              {INFO_SAMPLER_PAUSE_LONGEST, figure_get(&f->sampler_pause_longest)}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    put_number(b, info_keys[rows[i].key].name, rows[i].value);
  }
}

/* Appends the free bytes of the file system that the files are on, if it tells them. A file system
   that does not answer the writer is not asked. */
static void put_free_bytes(const struct agent *a, struct builder *b) {
  char path[sizeof a->prefix + 16];
  struct statvfs fs;
  if (stall_device_ns(&a->recorder.stall) >= NS_PER_S) return;
  snprintf(path, sizeof path, "%s.info", a->prefix);
  if (statvfs(path, &fs) == 0) put_number(b, "disk.free", (uint64_t)fs.f_bavail * fs.f_frsize);
}

static void put_load(struct agent *a, struct builder *b) {
  struct writer_load load = writer_load(a->writer);
  struct writer_counts counts = writer_counts(a->writer);
  put_number(b, "recorded.ms", (clock_monotonic_ns() - a->begun_ns) / NS_PER_MS);
  put_number(b, info_keys[INFO_EVENTS_WRITTEN].name, counts.events);
  put_number(b, info_keys[INFO_SAMPLES_WRITTEN].name, counts.samples);
  put_number(b, "recent.ms", load.recent.ns / NS_PER_MS);
  put_number(b, "recent.events", load.recent.events);
  put_number(b, "recent.samples", load.recent.samples);
  put_number(b, "recent.bytes", load.recent.bytes);
  put_number(b, "disk.sets", load.sets);
  put_number(b, "disk.bytes", load.disk_bytes);
  put_number(b, "disk.kept", load.kept);
  put_number(b, info_keys[INFO_SETS_DELAYED].name, load.sets_delayed);
  put_free_bytes(a, b);
}

/* --- tables ----------------------------------------------------------------------------------- */

static void put_table(struct builder *b, const char *key, struct table_size size) {
  builder_format(b, "\n%s=%zu,%zu", key, size.entries, size.bytes);
}

/* Each line is "key=entries,bytes"; the last one is the bytes of all tables. */
static void put_tables(const struct agent *a, struct builder *b) {
  uint64_t bytes = 0;
  const struct {
    const char *key;
    struct table_size size;
  } rows[] = {
#define TABLE(key, size) {key, size},
#include "agent/table.def"
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    put_table(b, rows[i].key, rows[i].size);
    bytes += rows[i].size.bytes;
  }
  put_number(b, "tables.bytes", bytes);
}

void status_put(struct agent *a, struct builder *b) {
  put_options(a, b);
  put_escalations(a, b);
  put_end(a, b);
  put_load(a, b);
  put_figures(a, b);
  put_tables(a, b);
}
