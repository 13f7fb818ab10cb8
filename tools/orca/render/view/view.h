#pragma once
/* The parts of a page about a dump. Prose is appended to a builder. Tables are written to a page,
   as text, CSV or JSON. `top` limits the rows of a table. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/page.h"

BEGIN_C

/* Facts about the recording: command, JVM, time, CPU time, threads, events. */
void view_header(struct builder *b, const struct model *m, const struct style *style);

/* The same for the first screen after `orca run`: without the row that says how threads were
   sampled. */
void view_brief_header(struct builder *b, const struct model *m, const struct style *style);

/* The commands to go on with, for what was found in this recording, one line each: "  orca locks
   /tmp/shop    each lock: …". `program` is how the user calls orca; `more` is the number of
   sentences of view_findings that the first screen leaves out. */
struct view_next {
  const char *program, *prefix;
  size_t more;
};
void view_next_steps(struct builder *b, const struct model *m, const struct style *style,
                     const struct view_next *next);

/* Whether the commands deadlocks, locks and hot have something to show: threads deadlocked, or only
   took locks in an order that can deadlock, were blocked for a notable time, or used the CPU in
   enough samples. */
bool view_has_deadlock(const struct model *m);
bool view_has_only_inversion(const struct model *m);
bool view_has_blocked(const struct model *m);
bool view_has_cpu(const struct model *m);

/* The line for programs that says what to ask of this recording after `command`, and what to record
   if it lacks something: "Next: locks (who waited, who held).". The model must be complete. */
void view_next_question(struct builder *b, struct model *m, const char *command);

/* The periods in which different things limited the speed, if there are several. */
void view_periods(struct page *p, const struct model *m);

/* Part of view_header: the share of the CPU time that recording took. Appends nothing if it is
   small, not known, or a filter is active. */
void view_cost(struct builder *b, const struct model *m);

/* Part of view_header: what the filter leaves out. Appends nothing without a filter. */
void view_filter(struct builder *b, const struct model *m, const struct style *style);

/* Parts of view_header: "java -jar shop.jar", or that it was not recorded; "6.18 s from …; ended by
   exit"; "17.0.9". */
void view_command_line(struct builder *b, const struct model *m);
void view_recorded(struct builder *b, const struct model *m);
void view_jvm(struct builder *b, const struct model *m);

/* Parts of view_header: how threads were sampled and how often; a caution if sampling by signals
   was not possible and CPU shares may therefore be wrong. */
void view_sampled(struct builder *b, const struct model *m);
void view_sampled_caution(struct builder *b, const struct model *m, const struct style *style);

/* For JSON: the facts of view_header as a member or as an object; the sentences of view_findings
   and of view_losses as arrays. */
void view_facts(struct page *p, const struct model *m);
void view_facts_object(struct json *j, const struct model *m);
void view_missing(struct page *p, const struct model *m);

/* The methods that use the most CPU time. */
void view_hot(struct page *p, const struct model *m, size_t top);

/* Tables of a value of the profile: the methods, by self or by total time; the threads, each with
   its hottest method; a call tree. */
void view_hot_methods(struct page *p, const struct model *m, enum profile_value value,
                      bool by_total, size_t top);
void view_hot_threads(struct page *p, const struct model *m, enum profile_value value, size_t top);

struct view_tree {
  const char *callers; /* NULL: from the outermost frames to their callees. Else a pattern: from the
                          matching methods to their callers */
  bool by_thread;      /* a tree for each thread */
  double least_share;  /* nodes below this share of the total are left out; 0.01 is 1 % */
};
void view_call_tree(struct page *p, const struct model *m, enum profile_value value,
                    const struct view_tree *options, size_t top);

/* Waits, sleeps, joins and all other calls that block, except for locks, grouped by class. */
void view_waits(struct page *p, const struct model *m, size_t top);

/* The times that tasks were in the queues of executors, as a sentence, or as a table for programs.
   Only if the recording has sums of short ones. */
void view_queued_tasks(struct page *p, const struct model *m);

/* Tables of wake-ups: the objects that threads waited on, with their signals; the threads that
   waited on them, with how often each got through; pairs of waker and woken thread. */
void view_wakeups(struct page *p, const struct model *m, size_t top);
void view_waiters(struct page *p, const struct model *m, size_t top);
void view_wakers(struct page *p, const struct model *m, size_t top);

/* Appends the facts about wake-ups that the recording does not contain; nothing if it contains all
   of them. */
void view_wakeup_limits(struct builder *b, const struct model *m, const struct style *style);

/* The methods of the option track that match a pattern (names_method_matches); NULL matches all.
   view_methods_num returns their number. */
void view_methods(struct page *p, const struct model *m, size_t top, const char *pattern);
size_t view_methods_num(const struct model *m, const char *pattern);

/* For each of the first `top` of these methods: a histogram of its durations, and its callers. Text
   only. */
void view_method_details(struct page *p, const struct model *m, size_t top, const char *pattern);

/* The threads and how they spent their time. */
void view_threads(struct page *p, const struct model *m, size_t top);

/* What is missing from the dump or uncertain. */
void view_losses(struct builder *b, const struct model *m, const struct style *style);

/* --- helpers of the views ------------------------------------------------------ */

/* view_folds_thread returns whether a thread has no row of its own in tables of threads as text.
   Such a thread is of the JVM or the JDK, used hardly any CPU time and blocked on nothing. With a
   filter for threads it returns false. view_folded_name appends the name of the row of `num` such
   threads. */
bool view_folds_thread(const struct model *m, uint32_t hash);
void view_folded_name(struct builder *b, uint64_t num);

/* view_put_keys appends the largest rows of a group: "worker-1 52 %, worker-2 31 %, 5 more". The
   shares are of the group's time, or of its count if no time was recorded. `name` appends the name
   of a key. */
void view_put_keys(struct builder *b, const struct model *m, const struct tally *tally,
                   uint32_t group, void (*name)(struct builder *, const struct model *, uint64_t));

/* A column with the name of the thread whose hash is a member of the row. The context must be the
   model. */
#define COLUMN_THREAD(type, member) .put = view_put_thread, COLUMN_MEMBER(type, member, uint32_t)
void view_put_thread(const struct cell *c);

/* view_put_largest writes a cell with the name of the group's largest row; empty if the group is
 * empty. */
void view_put_largest(struct table *t, const struct model *m, const struct tally *tally,
                      uint32_t group,
                      void (*name)(struct builder *, const struct model *, uint64_t));

/* Returns the name of a value of the profile: "CPU time". */
const char *view_value_name(enum profile_value value);

/* view_hot_heading appends a heading and a NUL: `what`, the name of the value, the total, and
   `legend`: "Methods by CPU time, 5.56 s in all (…)". */
void view_hot_heading(struct builder *b, const char *what, enum profile_value value, ticks_t total,
                      const char *legend);

/* Functions for the argument `name` of view_put_keys and view_put_largest: a key that is a thread's
   hash, a key that is a place. */
void view_thread_name(struct builder *b, const struct model *m, uint64_t hash);
void view_place_name(struct builder *b, const struct model *m, uint64_t place);

/* view_put_at appends " at A.b (A.java:7)". */
void view_put_at(struct builder *b, const struct model *m, place_t place);

/* view_lock_title appends titles_write. In a sentence, view_the_lock adds "the " where the title
   begins with a noun: "the monitor in Cart.add:12 (Object@0A1B2C3D)". */
void view_lock_title(struct builder *b, const struct model *m, uint32_t object);
void view_the_lock(struct builder *b, const struct model *m, uint32_t object);

/* view_put_shorter appends " shorter than 10ms", view_put_or_longer " 10ms or longer", with the
   longest threshold if it has changed. */
void view_put_shorter(struct builder *b, const struct dump *d);
void view_put_or_longer(struct builder *b, const struct dump *d);

/* view_put_long_times appends how many calls took at least the threshold, and their time: "4 times
   for 10ms or longer, 2.88 s", "never for 10ms or longer". */
void view_put_long_times(struct builder *b, const struct dump *d, uint64_t num, ticks_t time);

/* view_short_limit writes that the view above it, of calls of locks, of waits or of both, has only
   those that took at least the threshold, as paragraph of a text. Nothing if no sum of shorter ones
   matches the filter. It needs the analysis of stalls. */
void view_short_limit(struct page *p, const struct model *m, bool shows_locks, bool shows_waits);

/* --- objects of JSON: docs/json.md --- */

/* view_place_object writes {"class", "method", "file", "line"}; null for 0. view_place_members
   writes the members into an object. */
void view_place_object(struct json *j, const struct dump *d, place_t place);
void view_place_members(struct json *j, const struct dump *d, place_t place);

/* view_lock_object writes {"kind", "class", "hash", "objects"}. `kind` NULL: not known. With an
   object, the class is that of the object and `class_id` is ignored. */
void view_lock_object(struct json *j, const struct dump *d, const char *kind, uint32_t object,
                      uint32_t class_id, uint64_t num_objects);
void view_lock_members(struct json *j, const struct dump *d, const char *kind, uint32_t object,
                       uint32_t class_id, uint64_t num_objects);

/* These write the text of a cell of a column with `is_json`. */
void view_put_place_object(const struct cell *c, const struct dump *d, place_t place);
void view_put_lock_object(const struct cell *c, const struct dump *d, const char *kind,
                          uint32_t object, uint32_t class_id, uint64_t num_objects);
void view_put_stack_objects(const struct cell *c, const struct model *m, stack_id_t stack);

/* view_source_object writes where a page comes from: the files, the test of Bazel, the options and
   their changes, and the losses. view_source adds it as the member "source" of JSON. */
void view_source_object(struct json *j, const struct dump *d);
void view_source(struct page *p, const struct dump *d);

/* view_put_least_mark appends "≥ " if the figure that follows is only the least possible. */
void view_put_least_mark(struct builder *b, bool is_least);

/* view_put_several_objects appends how views name the objects of sums that have lost theirs, of
   calls of one kind. */
void view_put_several_objects(struct builder *b, enum event_kind kind);

/* view_put_paragraph writes an empty line and a text, and frees the text. */
void view_put_paragraph(struct page *p, struct builder *text);

/* view_put_sentence appends a sentence as a paragraph that begins with "* ", and frees it. It
   appends nothing if the sentence is empty. A sentence that found no memory makes `b` fail, so that
   the command reports it. */
void view_put_sentence(struct builder *b, const struct style *style, struct builder *sentence);

/* view_stack appends the frames of a stack, innermost first, separated by `between`. */
void view_stack(struct builder *b, const struct model *m, stack_id_t stack, const char *between);

/* view_stack_notes adds each frame of a stack as a note below the last row. */
void view_stack_notes(struct table *t, const struct model *m, stack_id_t stack);

/* view_stall_object appends the object of a stall: "com.acme.Cart@0A1B2C3D", the joined thread, or
   "com.acme.Cart (12 objects)". It appends nothing for a sleep. */
void view_stall_object(struct builder *b, const struct model *m, const struct stall *stall);

END_C
