#pragma once
/* The frame of a recording: when it began and ended, how much it holds. */
#include "tools/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

struct recording {
  ticks_t start, end; /* end: of .info, else the last line that there is */
  bool ended;         /* .info has its end keys: the JVM was not killed */
  bool cut;           /* the last line of some file is not whole */
  uint64_t events[NUM_EVENTS];
  uint64_t num_events;
  uint64_t ticks, samples; /* of the sampler */
  uint64_t pause_ns, longest_pause_ns;
  bool cpu_known; /* some sample tells the CPU time */
};

/* recording_start takes what .info says. */
void recording_start(struct recording *r, const struct dump *d);

/* Both count a line; `end` moves on with it. */
void recording_event(struct recording *r, const struct event_line *line);
void recording_sample(struct recording *r, const struct sample_line *line);

/* recording_end settles `end` behind the last line. */
void recording_end(struct recording *r, const struct dump *d);

/* How long it lasted. */
ticks_t recording_time(const struct recording *r);

#ifdef __cplusplus
}
#endif
