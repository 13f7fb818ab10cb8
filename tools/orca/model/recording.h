#pragma once
/* General figures of a recording: its start and end, the numbers of its lines, and how its CPU time
   was sampled. */
#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"
#include "tools/orca/model/short_calls.h"

BEGIN_C

struct recording {
  ticks_t start;    /* of .info, or of the first line if that is earlier or .info has no start */
  ticks_t end;      /* of .info, or of the last line if that is later or .info has no end */
  ticks_t from, to; /* the part in the filter's range; set by recording_end */
  bool ended;       /* .info has the keys of an end, of the recording or of a snapshot */
  bool went_on;  /* those are of a snapshot or, by older agents, a flush: the recording went on */
  bool is_whole; /* no line is later than that end */
  bool has_all_short; /* there are sums of short calls, and they go to that end */
  bool cut;           /* a file ended within a line */
  uint64_t all_events, all_samples, all_cpu_samples; /* whether they match the filter or not */
  bool cpu_known;                                    /* samples have CPU time */
  bool by_signal;                 /* there are Cpu lines, and all CPU time comes from them */
  struct short_calls short_calls; /* all sums of them; those of older agents have none */
  bool tasks_known; /* there are Task lines: CPU time of threads that are not Java threads */

  /* The counters below only count lines that match the filter. */
  uint64_t events[NUM_EVENTS];
  uint64_t num_events;
  uint64_t ticks, samples; /* Tick lines, Sample lines */
  uint64_t cpu_samples;    /* Cpu lines that are samples (place not Unsampled) */
  uint64_t cpu_hooks;      /* of `cpu_samples`: in a hook of Orca (place Hook) */
  uint64_t cpu_lost;       /* of `cpu_samples`: stacks that could not be decoded (place Lost) */
  uint64_t pause_ns, longest_pause_ns; /* safepoint pauses of the sampler's ticks */
  uint64_t num_threads;                /* set by model_read */
};

/* recording_start clears `*r` and reads the start from .info. */
void recording_start(struct recording *r, const struct dump *d);

/* These two count a line and move `end` to its time; take_recording in analysis.c calls them.
   `matches` is whether the line matches the filter, its time included. */
void recording_event(struct recording *r, const struct event_line *line, bool matches);
void recording_sample(struct recording *r, const struct sample_line *line, bool matches);

/* recording_short_calls takes each sum of short calls, whether it matches the filter or not. */
void recording_short_calls(struct recording *r, const struct count_line *line);

/* recording_end sets the end of the recording after the last line, and the part of it between
   `from` and `to`, the filter's range. */
void recording_end(struct recording *r, const struct dump *d, ticks_t from, ticks_t to);

/* recording_time returns the length of the part in the filter's range. */
ticks_t recording_time(const struct recording *r);

/* recording_span finds only the start and the end of a recording. It reads all events and samples
   if .info does not have both. */
void recording_span(struct dump *d, ticks_t *out_start, ticks_t *out_end);

/* recording_put_sampler appends how CPU time was sampled: "CPU time sampled by signals", "CPU time
   sampled at safepoints", or "no CPU time sampled". */
void recording_put_sampler(struct builder *b, const struct recording *r);

/* recording_samplers_differ returns whether two recordings both have CPU time, but one was sampled
   by signals and the other at safepoints. Then the CPU times of methods are not comparable. */
bool recording_samplers_differ(const struct recording *a, const struct recording *b);

/* recording_sampler_fallback gets the reason why a recording was not sampled by signals though it
   should have been. It returns false if there is no such reason. The text is the dump's. */
bool recording_sampler_fallback(const struct recording *r, const struct dump *d,
                                struct span *out_reason);

END_C
