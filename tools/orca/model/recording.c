#include "tools/orca/model/recording.h"

static bool read_info_ticks(const struct dump *d, enum info_key key, ticks_t *out) {
  struct span value;
  return dump_info(d, key, &value) && text_parse_ticks(value, out);
}

void recording_start(struct recording *r, const struct dump *d) {
  *r = (struct recording){0};
  if (read_info_ticks(d, INFO_START_MONOTONIC, &r->start)) r->end = r->start;
}

/* Without .info the recording starts at its first line. Only the times of events and samples count,
   because a definition can be older than its first use. */
static void include_time(struct recording *r, ticks_t time) {
  if (r->start == 0 || time < r->start) r->start = time;
  if (time > r->end) r->end = time;
}

void recording_event(struct recording *r, const struct event_line *line, bool matches) {
  include_time(r, line->time);
  r->all_events++;
  if (!matches) return;
  r->events[line->kind]++;
  r->num_events++;
}

static bool is_cpu_sample(const struct sample_line *line) {
  return line->kind == SAMPLE_CPU && line->place != CPU_PLACE_UNSAMPLED;
}

void recording_sample(struct recording *r, const struct sample_line *line, bool matches) {
  include_time(r, line->time);
  if (line->kind == SAMPLE_THREAD && line->cpu_ns >= 0) r->cpu_known = true;
  if (line->kind == SAMPLE_CPU) r->cpu_known = r->by_signal = true;
  if (line->kind == SAMPLE_TASK) r->tasks_known = true;
  r->all_samples += line->kind == SAMPLE_THREAD;
  r->all_cpu_samples += is_cpu_sample(line);
  if (!matches) return;
  if (line->kind == SAMPLE_TICK) {
    uint64_t pause_ns = (uint64_t)line->pause_ns;
    r->ticks++;
    r->pause_ns += pause_ns;
    if (pause_ns > r->longest_pause_ns) r->longest_pause_ns = pause_ns;
  }
  r->samples += line->kind == SAMPLE_THREAD;
  r->cpu_samples += is_cpu_sample(line);
  r->cpu_hooks += is_cpu_sample(line) && line->place == CPU_PLACE_HOOK;
  r->cpu_lost += is_cpu_sample(line) && line->place == CPU_PLACE_LOST;
}

void recording_short_calls(struct recording *r, const struct count_line *line) {
  struct short_calls calls = short_calls_read(line);
  short_calls_add(&r->short_calls, &calls);
}

void recording_end(struct recording *r, const struct dump *d, ticks_t from, ticks_t to) {
  ticks_t end;
  struct span reason;
  r->ended = read_info_ticks(d, INFO_END_MONOTONIC, &end);
  r->went_on = dump_info(d, INFO_END_REASON, &reason) &&
               (span_is(reason, "flush") || span_is(reason, "snapshot"));
  r->is_whole = r->ended && end >= r->end;
  r->has_all_short = r->is_whole && r->short_calls.num > 0;
  if (r->ended && end > r->end) r->end = end;
  r->to = to < r->end ? to : r->end;
  r->from = from > r->start ? from : r->start;
  if (r->from > r->to) r->from = r->to;
}

ticks_t recording_time(const struct recording *r) { return r->to - r->from; }

static void include_all_lines(struct recording *r, struct dump *d) {
  struct stream *events = dump_stream(d, DUMP_EVENTS);
  for (struct event_line line; stream_event(events, &line);) include_time(r, line.time);
  stream_close(events);
  struct stream *samples = dump_stream(d, DUMP_SAMPLES);
  for (struct sample_line line; stream_sample(samples, &line);) include_time(r, line.time);
  stream_close(samples);
}

void recording_span(struct dump *d, ticks_t *out_start, ticks_t *out_end) {
  struct recording r;
  ticks_t end;
  recording_start(&r, d);
  if (r.start == 0 || !read_info_ticks(d, INFO_END_MONOTONIC, &end)) include_all_lines(&r, d);
  recording_end(&r, d, 0, UINT64_MAX);
  *out_start = r.start;
  *out_end = r.end;
}

void recording_put_sampler(struct builder *b, const struct recording *r) {
  const char *name = "CPU time sampled at safepoints";
  if (!r->cpu_known) name = "no CPU time sampled";
  if (r->by_signal) name = "CPU time sampled by signals";
  builder_string(b, name);
}

bool recording_samplers_differ(const struct recording *a, const struct recording *b) {
  return a->cpu_known && b->cpu_known && a->by_signal != b->by_signal;
}

bool recording_sampler_fallback(const struct recording *r, const struct dump *d,
                                struct span *out_reason) {
  return !r->by_signal && dump_info(d, INFO_SAMPLER_FALLBACK, out_reason) && out_reason->len > 0;
}
