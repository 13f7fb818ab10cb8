#pragma once
/* The parts of a page about a dump. Prose is appended to a builder; what is a table goes to a page,
   for a person and for programs. `top` bounds the rows of a table. */
#include "tools/orca/model/model.h"
#include "tools/orca/render/page.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was recorded: command, JVM, time, CPU, threads, events. */
void view_header(struct builder *b, const struct model *m, const struct style *style);

/* What a person wants to know first, in sentences: deadlocks, the hottest method, the worst lock.
 */
void view_verdict(struct builder *b, const struct model *m, const struct style *style);

/* Part of it: the locks that threads waited for longest, or that they waited for none. */
void view_lock_verdicts(struct builder *b, const struct model *m, const struct style *style);

/* Part of it: what is known to go wrong between threads, such as wake-ups of no use. Each is said
   from a size on from which it matters. */
void view_findings(struct builder *b, const struct model *m, const struct style *style);

/* Part of it too: locks that can deadlock by their order, that are shared by chance, two where one
   was meant. */
void view_sharing(struct builder *b, const struct model *m, const struct style *style);

/* What is left out of all this, and why; nothing where everything is shown. Part of view_header. */
void view_filter(struct builder *b, const struct model *m, const struct style *style);

/* Parts of view_header: "java -jar shop.jar"; "6.18 s from …; ended by exit"; "17.0.9". */
void view_command_line(struct builder *b, const struct model *m);
void view_recorded(struct builder *b, const struct model *m);
void view_jvm(struct builder *b, const struct model *m);

/* Parts of it too: how and how often threads were sampled; why CPU shares may be badly wrong, where
   the sampler by signals was not possible. */
void view_sampled(struct builder *b, const struct model *m);
void view_sampled_caution(struct builder *b, const struct model *m, const struct style *style);

/* The same facts for a program, also as an object by itself, and the sentences of view_verdict and
 * view_losses. */
void view_facts(struct page *p, const struct model *m);
void view_facts_object(struct json *j, const struct model *m);
void view_verdicts(struct page *p, const struct model *m);
void view_missing(struct page *p, const struct model *m);

/* The methods that use the most CPU time. */
void view_hot(struct page *p, const struct model *m, size_t top);

/* Of a value of the profile: the methods, by their own time or by the total, the threads with the
   method that each is most in, a tree of calls. */
void view_hot_methods(struct page *p, const struct model *m, enum profile_value value,
                      bool by_total, size_t top);
void view_hot_threads(struct page *p, const struct model *m, enum profile_value value, size_t top);

struct view_tree {
  const char *callers; /* NULL: from the outermost frames down; else up from methods of this name */
  bool by_thread;      /* each thread for itself */
  double least_share;  /* 0.01: what costs less than 1 % of all is left out */
};
void view_call_tree(struct page *p, const struct model *m, enum profile_value value,
                    const struct view_tree *wish, size_t top);

/* The locks of all sorts that threads waited for longest, where, and who held them. */
void view_locks(struct page *p, const struct model *m, size_t top);

/* Waits, sleeps, joins and all other calls that block, but for locks; by class. */
void view_waits(struct page *p, const struct model *m, size_t top);

/* Who woke whom: the objects that threads waited on, with how often they were notified and what
   for; the threads that waited on them, and how often each got through; who woke whom how often. */
void view_wakeups(struct page *p, const struct model *m, size_t top);
void view_waiters(struct page *p, const struct model *m, size_t top);
void view_wakers(struct page *p, const struct model *m, size_t top);

/* What the recording cannot tell of all this; nothing where it can. */
void view_wakeup_limits(struct builder *b, const struct model *m, const struct style *style);

/* The methods of the option track whose name a pattern means (names_method_is), all where it is
   NULL; how many there are. */
void view_methods(struct page *p, const struct model *m, size_t top, const char *pattern);
size_t view_methods_num(const struct model *m, const char *pattern);

/* Each of the first of them: how long its calls took, drawn, and who called it. For a person. */
void view_method_details(struct page *p, const struct model *m, size_t top, const char *pattern);

/* The threads and what they did with their time. */
void view_threads(struct page *p, const struct model *m, size_t top);

/* What is missing from the dump or not sure. */
void view_losses(struct builder *b, const struct model *m, const struct style *style);

/* --- for the views ------------------------------------------------------------- */

/* view_outside_java appends how much of a method's own time is in native code that it called, and
   in the JVM, each where it is more than a tenth, with these words: "83 % native, 12 % JVM". */
void view_outside_java(struct builder *b, const struct cpu_method *row, const char *in_native,
                       const char *in_jvm);

/* view_keys appends the largest rows of a group as "worker-1 52 %, worker-2 31 %, 5 more". By their
   share of the time; where no time was lost, of the count. `name` writes what a key stands for. */
void view_keys(struct builder *b, const struct model *m, const struct tally *tally, uint32_t group,
               void (*name)(struct builder *, const struct model *, uint64_t));

/* view_main_threads appends who makes up most of a group that is not empty, of threads, to be what
   a sentence is about: "main", "threads, mostly worker-1…4,", "threads, mostly elf-2, main and 5
   more,".
 */
void view_main_threads(struct builder *b, const struct model *m, const struct tally *tally,
                       uint32_t group);

/* view_best puts the name of the largest row as a cell, empty where there is none. */
void view_best(struct table *t, const struct model *m, const struct tally *tally, uint32_t group,
               void (*name)(struct builder *, const struct model *, uint64_t));

/* "Object.wait": what the program calls when a pair begins with this event. */
const char *view_call_name(enum event_kind begin);

/* "CPU time": what a value of the profile is, for a person. */
const char *view_value_name(enum profile_value value);

/* view_hot_heading writes "Methods by CPU time, 5.56 s in all" and `behind`, ended by a NUL. */
void view_hot_heading(struct builder *b, const char *what, enum profile_value value, ticks_t total,
                      const char *behind);

/* Such names: the thread with this hash, the place. */
void view_thread_name(struct builder *b, const struct model *m, uint64_t hash);
void view_place_name(struct builder *b, const struct model *m, uint64_t place);

/* view_say puts a sentence onto the page as a paragraph, and frees it; nothing where it is empty.
 */
void view_say(struct builder *b, const struct style *style, struct builder *sentence);

/* view_stack appends the frames of a stack, innermost first, with `between` between them. */
void view_stack(struct builder *b, const struct model *m, stack_id_t stack, const char *between);

/* view_stack_notes puts them below a row of a table, a line each. */
void view_stack_notes(struct table *t, const struct model *m, stack_id_t stack);

/* view_lock_caution says why a monitor had better not be that of such an object; NULL: no reason.
 */
const char *view_lock_caution(const struct model *m, const struct lock *lock);

/* "Object.wait", "Thread.join": what a program calls that an event begins. */
const char *view_call_name(enum event_kind begin);

/* view_stall_object names what a stall is about: "com.acme.Cart@0A1B2C3D", the joined thread,
   "com.acme.Cart (12 objects)"; nothing for a sleep. */
void view_stall_object(struct builder *b, const struct model *m, const struct stall *stall);

#ifdef __cplusplus
}
#endif
