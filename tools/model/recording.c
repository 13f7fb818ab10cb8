#include "tools/model/recording.h"

static bool info_ticks(const struct dump *d, const char *key, ticks_t *out) {
  struct span value;
  return dump_info(d, key, &value) && text_parse_ticks(value, out);
}

void recording_start(struct recording *r, const struct dump *d) {
  *r = (struct recording){0};
  if (info_ticks(d, "start.monotonic", &r->start)) r->end = r->start;
}

/* Without .info the first line is the start. Definitions may bear an older time than their use, so
   that only events and samples count. */
static void see(struct recording *r, ticks_t time) {
  if (r->start == 0 || time < r->start) r->start = time;
  if (time > r->end) r->end = time;
}

void recording_event(struct recording *r, const struct event_line *line) {
  see(r, line->time);
  r->events[line->kind]++;
  r->num_events++;
}

static void see_tick(struct recording *r, uint64_t pause_ns) {
  r->ticks++;
  r->pause_ns += pause_ns;
  if (pause_ns > r->longest_pause_ns) r->longest_pause_ns = pause_ns;
}

void recording_sample(struct recording *r, const struct sample_line *line) {
  see(r, line->time);
  if (line->kind == SAMPLE_TICK) see_tick(r, (uint64_t)line->pause_ns);
  if (line->kind != SAMPLE_THREAD) return;
  r->samples++;
  if (line->cpu_ns >= 0) r->cpu_known = true;
}

void recording_end(struct recording *r, const struct dump *d) {
  ticks_t end;
  r->ended = info_ticks(d, "end.monotonic", &end);
  if (r->ended && end > r->end) r->end = end;
}

ticks_t recording_time(const struct recording *r) { return r->end - r->start; }
