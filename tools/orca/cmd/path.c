#include "tools/orca/cmd/commands.h"

#include <string.h>

#include "tools/orca/render/view/path.h"
#include "tools/orca/render/view/view.h"

#define TOP 15

static const char about[] =
    "Prints the critical path: what the end of a run, or of a call, waited for. It is found "
    "backward from the end: while a thread runs, the path is there; where it waits, the path goes "
    "to the thread that ended the wait, or to the owner of the lock. A wait that is not on the "
    "path makes nothing slower.\n";

struct path_options {
  const char *calls; /* NULL: the path of a thread */
  bool tasks;
};

static const struct args_option option_rows[] = {
    {"--calls", "METHOD",
     "the paths of the calls of a method that the option track named: all, the typical ones, the "
     "slowest",
     args_parse_text, offsetof(struct path_options, calls), NULL},
    {"--tasks", NULL,
     "the paths of the tasks of thread pools, from execute or submit to the end; --thread selects "
     "workers",
     NULL, offsetof(struct path_options, tasks), NULL}};

/* The filter can choose the thread and the time of the work. False: there is no such thread. */
static bool find_work(const struct trace *t, const struct filter *filter, struct path_work *out) {
  const struct trace_thread *best = NULL;
  if (filter->threads.num == 0 && !path_main_work(t, out)) return false;
  for (size_t i = 0; i < t->num_threads && filter->threads.num > 0; i++) {
    const struct trace_thread *row = &t->threads[i];
    const struct thread *thread = threads_find(&t->model->threads, row->hash);
    if (thread != NULL && thread->matches && (best == NULL || row->cpu > best->cpu)) best = row;
  }
  if (filter->threads.num > 0 && best == NULL) return false;
  if (best != NULL) {
    *out = (struct path_work){(uint32_t)(best - t->threads), best->begin, best->end, 0};
  }
  if (out->begin < filter->from) out->begin = filter->from;
  if (out->end > filter->to) out->end = filter->to;
  return out->begin < out->end;
}

static void put_note(struct page *p, const char *note) {
  if (page_is_text(p)) builder_format(&p->out, "%s\n", note);
}

/* Whether a thread main mostly waited for events from outside, such as requests: then the path of
 * the run is that of another thread. */
static bool has_serving_main(const struct trace *t) {
  for (size_t i = 0; i < t->num_threads; i++) {
    const struct thread *thread = threads_find(&t->model->threads, t->threads[i].hash);
    bool is_main = thread != NULL && thread->name != NULL && strcmp(thread->name, "main") == 0;
    if (is_main && trace_serves(t, &t->threads[i])) return true;
  }
  return false;
}

static bool append_thread_path(struct page *p, struct path *path, size_t top) {
  const struct trace *t = path->trace;
  struct path_table table = {0};
  struct view_path view = {.path = path, .table = &table};
  if (!find_work(t, &t->model->matcher.filter, &view.work)) {
    put_note(p, "No thread had any time in the recording.");
    return true;
  }
  path->stops_at_idle = !path_is_of_main(t, &view.work);
  bool ok = path_find(path, &view.work) && path_table_add(&table, path) && path_table_end(&table);
  if (ok) {
    tally_sort(&path->locks);
    view_path(p, &view, top);
    bool is_chosen = t->model->matcher.filter.threads.num > 0;
    if (!is_chosen && has_serving_main(t)) {
      put_note(p,
               "\nThread main waited for events from outside, so this is the thread that used the "
               "most CPU "
               "time. --calls has the paths of requests whose method the option track named.");
    }
  }
  path_table_free(&table);
  return ok;
}

static bool append_call_paths(struct page *p, struct path *path, const struct path_options *options,
                              size_t top) {
  struct path_calls calls = {0};
  bool ok = options->tasks ? path_tasks_find(&calls, path->trace)
                           : path_calls_find(&calls, path->trace, options->calls);
  ok = ok && path_calls_walk(&calls, path);
  if (ok && calls.num == 0) {
    p->missed = true;
    put_note(p, options->tasks
                    ? "No complete task of a ThreadPoolExecutor was recorded."
                    : "No complete call of such a method was recorded: the option track names the "
                      "methods to record.");
  } else if (ok) {
    tally_sort(&path->locks);
    view_path_calls(p, path, &calls, options->tasks, top);
  }
  path_calls_free(&calls);
  return ok;
}

static void put_limits(struct page *p, const struct trace *t) {
  if (!page_is_text(p)) return;
  if (t->is_lossy) {
    put_note(p, "\nEvents were dropped, so the path can be wrong.");
  }
  const struct coverage *coverage = dump_coverage(t->model->dump);
  if (!coverage_has_short_pairs(coverage)) {
    /* Sums tell how often and how long, but not when: the path cannot contain their waits. */
    bool has_changed = coverage_threshold_changed(coverage);
    builder_format(&p->out, "\nShort waits were not recorded%s%s (option threshold); %s running.\n",
                   t->model->recording.short_calls.num > 0 ? " one by one" : "",
                   has_changed ? " all the time" : "",
                   has_changed ? "those that are missing count as" : "they count as");
  }
}

static void append_path(struct page *p, struct model *m, size_t top, const void *arg) {
  const struct path_options *options = arg;
  struct trace trace;
  struct path path = {0};
  bool ok = trace_read(&trace, m, TRACE_MAX_OPS);
  if (ok && trace.is_too_long) {
    p->missed = true;
    put_note(p, "The recording has too many events for a critical path.");
  } else {
    ok = ok && path_start(&path, &trace);
    bool has_several = options->calls != NULL || options->tasks;
    ok = ok && (has_several ? append_call_paths(p, &path, options, top)
                            : append_thread_path(p, &path, top));
    if (ok) put_limits(p, &trace);
  }
  p->out.failed |= !ok;
  path_free(&path);
  trace_free(&trace);
}

const struct command cmd_path = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct path_options),
    .run = view_command_run,
    .view = {.top = TOP, .has_several_tables = true, .append = append_path}};
