#pragma once
/* The frame of a recording: when it began and ended, how much it holds. */
#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

struct recording {
  ticks_t start, end; /* end: of .info, else the last line that there is */
  ticks_t from, to;   /* what is asked for of it, set by recording_end */
  bool ended;         /* .info has its end keys: the JVM was not killed */
  bool cut;           /* the last line of some file is not whole */
  uint64_t all_events, all_samples, all_cpu_samples;
  bool cpu_known;              /* some sample tells the CPU time */
  bool by_signal;              /* there are Cpu lines: all CPU time is taken from them */
  bool tasks_known;            /* it also tells the CPU time of threads that are no Java threads */
  uint64_t events[NUM_EVENTS]; /* that are asked for, as all below */
  uint64_t num_events;
  uint64_t ticks, samples; /* of the sampler */
  uint64_t cpu_samples;    /* Cpu lines that are samples, */
  uint64_t cpu_lost;       /* and of these could not be decoded */
  uint64_t pause_ns, longest_pause_ns;
};

/* recording_start takes what .info says. */
void recording_start(struct recording *r, const struct dump *d);

/* Both count a line, and whether it is asked for; `end` moves on with it. */
void recording_event(struct recording *r, const struct event_line *line, bool asked);
void recording_sample(struct recording *r, const struct sample_line *line, bool asked);

/* recording_end settles `end` behind the last line, and what there is between `from` and `to`. */
void recording_end(struct recording *r, const struct dump *d, ticks_t from, ticks_t to);

/* How long the part lasted that is asked for. */
ticks_t recording_time(const struct recording *r);

/* recording_span gives start and end alone. Reads the files where .info does not tell. */
void recording_span(struct dump *d, ticks_t *out_start, ticks_t *out_end);

#ifdef __cplusplus
}
#endif
