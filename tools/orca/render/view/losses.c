#include <stdio.h>
#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define FAULTS_SHOWN 10

static void say_text(struct builder *b, const struct style *style, const char *text) {
  style_wrap(b, style, "* ", (struct span){text, strlen(text)});
}

/* Appends a count and its text: "3 threads have …". Appends nothing if the count is 0. */
static void say_count(struct builder *b, const struct style *style, uint64_t n, const char *one,
                      const char *many) {
  struct builder s = {0};
  if (n == 0) return;
  unit_many(&s, n, one, many);
  view_put_sentence(b, style, &s);
}

/* --- .info ----------------------------------------------------------------------- */

/* Counters of .info and their sentences, which are left out for 0. */
static const struct {
  enum info_key key;
  const char *one, *many;
} counters[] = {
    {INFO_EVENTS_DROPPED,
     "event was dropped, because its queue was full or its file could not be written.",
     "events were dropped, because queues were full or files could not be written: counts and "
     "times here are too low."},
    {INFO_EVENTS_STALLED,
     "of the dropped events was dropped in a stall: the device took no lines, or was full.",
     "of the dropped events were dropped in stalls: the device took no lines, or was full."},
    {INFO_MEMORY_FAILED,
     "allocation of the agent failed, as there was no memory: lines or their definitions may be "
     "missing.",
     "allocations of the agent failed, as there was no memory: lines or their definitions may be "
     "missing."},
    {INFO_EVENTS_WAITED, "time a thread had to wait for room in its queue; nothing was lost by it.",
     "times a thread had to wait for room in its queue; nothing was lost by it."},
    {INFO_THRESHOLD_EARLY,
     "event was written before its duration was known: it may be shorter than the threshold.",
     "events were written before their duration was known: they may be shorter than the "
     "threshold."},
    {INFO_THRESHOLD_LATE, "event has a later time than it had.",
     "events have a later time than they had."},
    {INFO_MONITOR_ORPHANS,
     "contended acquisition of a monitor has no begin event; it was left out.",
     "contended acquisitions of monitors have no begin event; they were left out."},
    {INFO_MONITOR_ENDLESS,
     "time a virtual thread blocked on the lock of a class, to initialize it; it was left out, as "
     "the JVM may not report the end.",
     "times a virtual thread blocked on the lock of a class, to initialize it; they were left out, "
     "as the JVM may not report the ends."},
    {INFO_STACKS_CUT, "stack was deeper than the option depth; its outer frames are missing.",
     "stacks were deeper than the option depth; their outer frames are missing."},
    {INFO_STACKS_DIFFERED,
     "stack was not the one that the JVM walked; stacks before it may be wrong, too.",
     "stacks were not those that the JVM walked; stacks before them may be wrong, too."},
    {INFO_STACKS_UNSHARED, "stack did not fit into the table of stacks; nothing was lost by it.",
     "stacks did not fit into the table of stacks; nothing was lost by it."},
    {INFO_SAMPLER_CODE_FAILED,
     "piece of compiled code is unknown, as memory ran out; samples in it have no frames.",
     "pieces of compiled code are unknown, as memory ran out; samples in them have no frames."},
    {INFO_SAMPLER_SIGNAL_UNTIMED, "thread could not be given a timer; its CPU time is not sampled.",
     "threads could not be given timers; their CPU time is not sampled."},
    {INFO_SAMPLER_SIGNAL_DROPPED,
     "CPU sample was dropped; its time is counted at the next sample of the thread.",
     "CPU samples were dropped; their time is counted at the next samples of the threads."},
    {INFO_SETS_DELAYED, "time the next set of files could not begin; the set before it went on.",
     "times the next set of files could not begin; the set before it went on."},
    {INFO_PAUSES_LOST, "pause of the garbage collector is missing, because its queue was full.",
     "pauses of the garbage collector are missing, because their queue was full."},
    {INFO_LOCKS_FULL, "table of lock counts was full at times: some acquisitions were not counted.",
     "tables of lock counts were full at times: some acquisitions were not counted."},
    {INFO_METHODS_UNLOADED, "method has no name here, because its class was unloaded.",
     "methods have no names here, because their classes were unloaded."},
};

/* Numbers of .info that are no problem, or that other sentences use. */
static const enum info_key ordinary[] = {INFO_FORMAT,
                                         INFO_PID,
                                         INFO_TEST_RUN,
                                         INFO_EVENTS_WRITTEN,
                                         INFO_SAMPLES_WRITTEN,
                                         INFO_SAMPLER_PAUSE_TOTAL,
                                         INFO_SAMPLER_PAUSES,
                                         INFO_SAMPLER_PAUSE_LONGEST,
                                         INFO_SAMPLER_TICK,
                                         INFO_EVENTS_LOST,
                                         INFO_WRITER_STALLS,
                                         INFO_INVENTORY_UNNAMED, /* a finding, as is this one: */
                                         INFO_INVENTORY_SKIPPED,
                                         INFO_OWNERS_ASKED,
                                         INFO_OWNERS_NOT_ASKED,
                                         INFO_THRESHOLD_PAIRS,
                                         INFO_THRESHOLD_YOUNG,
                                         INFO_THRESHOLD_WAKES,
                                         INFO_THRESHOLD_THREADS,
                                         INFO_SET_NUMBER,
                                         INFO_SET_THREADS,
                                         INFO_SET_SAMPLES,
                                         INFO_STACKS_CHECKED,
                                         INFO_WRITER_WAKEUPS,
                                         INFO_SAMPLER_SIGNAL_SAMPLES,
                                         INFO_SAMPLER_SIGNAL_LOST,
                                         INFO_PROCESS_CPU,
                                         INFO_HOOKS_TIMED,
                                         INFO_HOOKS_TIME,
                                         INFO_CLOCK_LOOPS,
                                         INFO_CPUS_ALLOWED};

static uint64_t read_counter(const struct model *m, enum info_key key) {
  struct span value;
  int64_t n = 0;
  if (!dump_info(m->dump, key, &value) || !text_parse_decimal(value, &n) || n < 0) return 0;
  return (uint64_t)n;
}

static bool is_known(struct span name) {
  enum info_key key = info_key_find(name);
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
    if (key == counters[i].key) return true;
  }
  for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++) {
    if (key == ordinary[i]) return true;
  }
  return false;
}

/* Other counters, which may be of a newer agent: their keys and values. */
static void say_unknown_counters(struct builder *b, const struct model *m,
                                 const struct style *style) {
  struct span key, value;
  struct stream *info = dump_stream(m->dump, DUMP_INFO);
  while (stream_info(info, &key, &value)) {
    int64_t n;
    if (is_known(key) || !text_parse_decimal(value, &n) || n == 0) continue;
    struct builder s = {0};
    text_plain(&s, key);
    builder_string(&s, " is ");
    text_plain(&s, value);
    builder_char(&s, '.');
    view_put_sentence(b, style, &s);
  }
  stream_close(info);
}

/* --- findings of the model --------------------------------------------------------- */

static void say_sampler(struct builder *b, const struct model *m, const struct style *style) {
  struct builder s = {0};
  struct span reason;
  if (!dump_info(m->dump, INFO_SAMPLER_STOPPED, &reason)) return;
  builder_string(&s, "CPU time was sampled only at the beginning: ");
  text_plain(&s, reason);
  builder_char(&s, '.');
  view_put_sentence(b, style, &s);
}

static void say_model_counts(struct builder *b, const struct model *m, const struct style *style) {
  const struct sets *sets = dump_sets(m->dump);
  say_count(b, style, sets->first - 1,
            "earlier set of files is missing; events that began in it have no beginning here.",
            "earlier sets of files are missing; events that began in them have no beginning here.");
  say_count(b, style, sets->missing, "set of files in between is missing.",
            "sets of files in between are missing.");
  say_count(b, style, m->pass.pairs.without_end,
            "begin event has no end event, so its time is not counted.",
            "begin events have no end event, so their time is not counted.");
  say_count(b, style, m->pass.pairs.without_begin,
            "end event has no begin event, so its time is not counted.",
            "end events have no begin event, so their time is not counted.");
  say_count(b, style, m->calls.without_end,
            "call of a method has no exit, so its time is not counted.",
            "calls of methods have no exit, so their time is not counted.");
  say_count(b, style, m->calls.without_begin,
            "exit of a method has no entry, so its time is not counted.",
            "exits of methods have no entry, so their time is not counted.");
  say_count(b, style, m->threads.unnamed, "thread has no name in the dump.",
            "threads have no name in the dump.");
  say_count(b, style, m->threads.shared,
            "thread has the same identity hash as another one: both are in one row.",
            "threads have the same identity hash as another one: they are in one row.");
}

/* Appends a share of the CPU time and what is not known about it. */
static void say_share(struct builder *b, const struct model *m, const struct style *style,
                      uint64_t ns, const char *what) {
  struct builder s = {0};
  if (ns == 0) return;
  builder_format(&s, "%s%s", UNIT_SHARE(ns, m->cpu.total_ns), what);
  view_put_sentence(b, style, &s);
}

static uint64_t count_unsampled_virtual(const struct model *m) {
  uint64_t num = 0;
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *thread = &m->threads.rows[i];
    num += thread->samples == 0 && has_carrier(m->dump, thread->hash);
  }
  return num;
}

static void say_cpu(struct builder *b, const struct model *m, const struct style *style) {
  if (m->recording.ticks > 0 && !m->recording.by_signal) {
    uint64_t num_virtual = count_unsampled_virtual(m);
    say_count(
        b, style, num_virtual,
        "virtual thread was on no carrier whenever the sampler looked, so its CPU time is not "
        "known.",
        "virtual threads were on no carrier whenever the sampler looked, so their CPU time is "
        "not known.");
    say_count(b, style, m->threads.unsampled - num_virtual,
              "thread lived between two samples, so its CPU time is not known.",
              "threads lived between two samples, so their CPU time is not known.");
  }
  say_share(b, m, style, m->cpu.no_stack_ns,
            " of the CPU time was used by threads that no sample found running: where they used "
            "it is not known.");
  say_share(b, m, style, cpu_pseudo_ns(&m->cpu, PSEUDO_NOT_SAMPLED),
            " of the CPU time was used by threads that were not sampled, and no thread of the "
            "same name was.");
  say_share(b, m, style, cpu_pseudo_ns(&m->cpu, PSEUDO_NOT_DECODED),
            " of the CPU time is in samples whose stack could not be decoded.");
  say_share(
      b, m, style, m->lost_ns,
      " of the CPU time is in samples whose inner frames are known, but not their callers: the "
      "total times of these callers are too low.");
}

static void say_faults(struct builder *b, const struct model *m, const struct style *style) {
  const char *prefix = dump_prefix(m->dump), *slash = strrchr(prefix, '/');
  struct faults *faults = dump_faults(m->dump);
  faults_sort(faults);
  for (size_t i = 0; i < faults->num && i < FAULTS_SHOWN; i++) {
    struct builder s = {0};
    fault_write(&s, slash == NULL ? prefix : slash + 1, &faults->rows[i]);
    if (s.len > 0) s.len--; /* its newline */
    view_put_sentence(b, style, &s);
  }
  if (faults->num > FAULTS_SHOWN) {
    say_count(b, style, faults->num - FAULTS_SHOWN, "more kind of fault; see orca check.",
              "more kinds of faults; see orca check.");
  }
}

void view_losses(struct builder *b, const struct model *m, const struct style *style) {
  style_heading(b, style, "What is missing or not sure");
  size_t start = b->len;
  if (!m->recording.ended) {
    say_text(b, style,
             "The recording has no end: the JVM was killed, or it is still running. Times without "
             "an end are counted up to the last line.");
  }
  if (!m->recording.is_whole && m->recording.short_calls.num > 0) {
    struct builder s = {0};
    builder_string(&s, "Calls");
    view_put_shorter(&s, m->dump);
    builder_string(&s, " are counted up to the last sums, up to a minute before the last line.");
    view_put_sentence(b, style, &s);
  }
  if (m->recording.cut) {
    say_text(b, style, "A file ends in the middle of a line; that line is left out.");
  }
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
    say_count(b, style, read_counter(m, counters[i].key), counters[i].one, counters[i].many);
  }
  say_unknown_counters(b, m, style);
  say_sampler(b, m, style);
  say_model_counts(b, m, style);
  say_cpu(b, m, style);
  say_faults(b, m, style);
  if (b->len == start) say_text(b, style, "Nothing.");
}

void view_missing(struct page *p, const struct model *m) {
  struct builder text = {0};
  struct style style = page_style(p);
  view_losses(&text, m, &style);
  page_sentences(p, "missing", &text);
}
