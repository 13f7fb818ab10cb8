#include "agent/files/info.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/base/version.h"
#include "agent/event/line.h"

void info_text(struct builder *b, enum info_key key, const char *value) {
  info_line_write(b, key, value);
}

void info_number(struct builder *b, enum info_key key, uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  info_line_write(b, key, text);
}

void info_ticks(struct builder *b, enum info_key key, uint64_t monotonic_ns) {
  struct builder text = {0};
  text_ticks(&text, monotonic_ns * TICKS_PER_NS);
  info_value(b, key, &text);
}

void info_value(struct builder *b, enum info_key key, struct builder *value) {
  builder_char(value, '\0');
  if (!value->failed) info_line_write(b, key, value->data);
  builder_free(value);
}

/* Writes a time such as "2026-11-20T11:30:00.123456789Z". */
static void write_utc(struct builder *b, enum info_key key, uint64_t utc_ns) {
  time_t seconds = (time_t)(utc_ns / NS_PER_S);
  struct tm tm;
  char day[32], text[64];
  gmtime_r(&seconds, &tm);
  strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &tm);
  snprintf(text, sizeof text, "%s.%09uZ", day, (unsigned)(utc_ns % NS_PER_S));
  info_line_write(b, key, text);
}

static void write_COUNT(struct builder *b, enum info_key key, const uint64_t *figure) {
  uint64_t n = figure_get(figure);
  if (n != FIGURE_ABSENT) info_number(b, key, n);
}

static void write_TEXT(struct builder *b, enum info_key key, const char *const *figure) {
  const char *text = figure_get_text(figure);
  if (text != NULL) info_text(b, key, text);
}

void info_figures_write(struct builder *b, const struct recording_figures *f) {
#define INFO_KEY(id, key, kind, part, need, meaning)
#define INFO_FIGURE(id, field, key, kind, need, meaning) write_##kind(b, INFO_##id, &f->field);
#include "agent/event/info.def"
  info_number(b, INFO_MEMORY_FAILED, memory_failed() - f->memory_failed_before);
}

static void write_test(struct builder *b, const struct bazel_test *test) {
  char shard[48];
  snprintf(shard, sizeof shard, "%u of %u", test->shard, test->shards);
  if (test->target[0] != '\0') info_text(b, INFO_TEST_TARGET, test->target);
  if (test->shard > 0) info_text(b, INFO_TEST_SHARD, shard);
  if (test->run > 0) info_number(b, INFO_TEST_RUN, test->run);
}

void info_start_write(struct builder *b, const struct info_start *start) {
  info_text(b, INFO_FORMAT, "1");
  info_text(b, INFO_ORCA_VERSION, ORCA_VERSION);
  info_number(b, INFO_PID, (uint64_t)getpid());
  if (start->run != NULL) info_text(b, INFO_RUN, start->run);
  info_text(b, INFO_JAVA_VERSION, start->java_version);
  info_text(b, INFO_COMMAND, start->command);
  info_text(b, INFO_OPTIONS, start->options);
  info_ticks(b, INFO_START_MONOTONIC, start->monotonic_ns);
  write_utc(b, INFO_START_UTC, start->utc_ns);
  if (start->cpus > 0) info_number(b, INFO_CPUS_ALLOWED, start->cpus);
  if (start->quota > 0) { /* not with %f, since the program's locale may use a comma */
    char text[48];
    unsigned long long hundredths = (unsigned long long)(start->quota * 100 + 0.5);
    snprintf(text, sizeof text, "%llu.%02llu", hundredths / 100, hundredths % 100);
    info_text(b, INFO_CPUS_QUOTA, text);
  }
  write_test(b, &start->test);
}
