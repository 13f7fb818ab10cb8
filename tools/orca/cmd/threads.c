#include "tools/orca/cmd/commands.h"

#include "tools/orca/render/view/process.h"
#include "tools/orca/render/view/threads.h"

#define TOP 40
#define SPANS_PER_STEP 8 /* enough to find the state that took most of a step */

static const char about[] =
    "Prints the states of each thread: how long it lived, ran, was blocked, waited and slept, how "
    "often, and when. Blocking calls are exact. The time between them is known from samples.\n";

struct threads_options {
  bool all;
};

static const struct args_option option_rows[] = {
    {"--all", .help = "a row for each thread of the JVM too; CSV and JSON always have them",
     .offset = offsetof(struct threads_options, all)}};

static bool add_step(void *to, const struct step *step) { return timeline_take(to, step); }

static void append_threads(struct page *p, struct model *m, size_t top, const void *arg) {
  const struct threads_options *options = arg;
  struct timeline timeline = {0};
  size_t num_rows = m->threads.num < top ? m->threads.num : top;
  size_t spans = num_rows * view_lanes_steps(&p->style) * SPANS_PER_STEP;
  bool ok = timeline_start(&timeline, m, top, spans) &&
            replay(m, REPLAY_LINES, add_step, &timeline) && timeline_end(&timeline);
  if (ok && page_is_text(p)) view_filter(&p->out, m, &p->style);
  /* CSV has only one table. */
  bool shows_process = ok && m->process.known && p->format != FORMAT_CSV;
  if (shows_process) view_owners(p, m);
  if (ok) view_thread_states(p, m, &timeline, options->all);
  if (shows_process) view_tasks(p, m, top);
  if (ok && page_is_text(p)) view_lanes(&p->out, m, &p->style, &timeline, options->all);
  if (ok) view_short_limit(p, m, true, true);
  if (ok) view_short_threads(p, m);
  p->out.failed |= !ok;
  timeline_free(&timeline);
}

const struct command cmd_threads = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct threads_options),
    .run = view_command_run,
    .view = {
        .top = TOP, .analyses = ANALYSES(THREADS) | ANALYSES(STALLS), .append = append_threads}};
