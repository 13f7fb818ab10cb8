#include "tools/orca/budget/measure/measure.h"

#include <stdlib.h>

#include "agent/options/patterns.h"
#include "tools/orca/budget/measure/measure_internal.h"

/* A gap in the dump, a failed allocation or a missing set: what happened there is not known. */
static uint64_t count_lost(const struct model *m) {
  static const enum info_key keys[] = {INFO_EVENTS_DROPPED, INFO_MEMORY_FAILED};
  uint64_t lost = dump_sets(m->dump)->first - 1 + dump_sets(m->dump)->missing;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    struct span value;
    int64_t n;
    if (dump_info(m->dump, keys[i], &value) && text_parse_decimal(value, &n) && n > 0) {
      lost += (uint64_t)n;
    }
  }
  return lost;
}

static bool measure_lost(struct measuring *w) {
  struct figure figure = {.kind = BUDGET_LOST, .number = count_lost(w->model)};
  builder_string(&w->text,
                 "Events, sets of files or memory of the agent were lost, so this run proves "
                 "nothing about the other budgets.");
  return figure.number == 0 || measure_add(w, &figure, 0);
}

/* The scale: CPU time of the Java threads and their wait for a CPU, divided by the CPU time. */
static uint64_t compute_scale(const struct model *m) {
  struct process_share shares[NUM_PROCESS_OWNERS] = {{0}};
  process_shares(&m->process, m->cpu.total_ns, shares);
  double cpu = (double)shares[OWNER_JAVA].cpu_ns, wait = (double)shares[OWNER_JAVA].wait_ns;
  double scale = cpu > 0 && m->process.wait_known ? (cpu + wait) / cpu : 1;
  return (uint64_t)(scale * FIGURES_SCALE + 0.5);
}

static bool matches_class(const struct model *m, const struct patterns *patterns) {
  struct builder name = {0};
  bool found = false;
  uint32_t class_id;
  for (size_t cursor = 0; !found && dump_next_class(m->dump, &cursor, &class_id);) {
    name.len = 0;
    names_class(&name, m->dump, class_id);
    found = name.failed || patterns_match(patterns, (struct span){name.data, name.len}, NULL, NULL);
  }
  builder_free(&name);
  return found;
}

/* Whether the option filter selects a class that was seen. With a wrong name, monitors=all records
   nothing. Classes with an annotation are not known. */
static bool has_filtered_class(const struct model *m) {
  struct patterns patterns;
  struct span value;
  if (!coverage_constant(dump_coverage(m->dump), OPTION_filter, &value)) return true;
  char *text = span_copy(value);
  bool is_known = text != NULL && patterns_parse(text, &patterns);
  for (size_t i = 0; is_known && i < patterns.num; i++) is_known = !patterns.at[i].is_annotation;
  bool found = !is_known || matches_class(m, &patterns);
  free(text);
  return found;
}

/* Why the options do not prove that locks are acquired in one order. NULL: they do. */
static const char *find_why_orders_lack(const struct coverage *c) {
  bool has_monitors = coverage_has_uses(c, LOCK_MONITOR);
  bool has_locks = coverage_has_uses(c, LOCK_LOCK);
  if (has_monitors && has_locks) return NULL;
  return has_monitors ? "orders of locks of java.util.concurrent need the option locks=all"
         : has_locks
             ? "orders of monitors need the options monitors=all,filter=YOUR.CLASSES.*"
             : "lock orders need the options monitors=all,filter=YOUR.CLASSES.* and locks=all";
}

/* What the options of the recording leave out. */
static void find_unproven(struct figures *out, const struct model *m) {
  const struct coverage *c = dump_coverage(m->dump);
  bool monitors = coverage_has_group(c, GROUP_MONITOR);
  bool locks = coverage_has_group(c, GROUP_LOCK);
  bool has_samples = m->recording.ticks > 0 || m->recording.by_signal;
  const char *unrecorded = monitors && locks ? NULL
                           : monitors        ? "locks of java.util.concurrent were not recorded"
                           : locks           ? "monitors were not recorded"
                                             : "monitors and locks were not recorded";
  for (int kind = 0; kind < NUM_BUDGET_KINDS; kind++) out->unproven[kind] = unrecorded;
  out->unproven[BUDGET_LOST] = NULL;
  if (unrecorded == NULL) out->unproven[BUDGET_ORDER] = find_why_orders_lack(c);
  out->unproven[BUDGET_VALUE] = monitors ? NULL : "monitors were not recorded";
  if (monitors && !coverage_has_uses(c, LOCK_MONITOR)) {
    out->unproven[BUDGET_VALUE] =
        "without the options monitors=all,filter=YOUR.CLASSES.* only values that threads wait for "
        "are seen";
    out->unproven[BUDGET_SLEEP] = out->unproven[BUDGET_IO] =
        "without the options monitors=all,filter=YOUR.CLASSES.* it is seldom certain how long a "
        "monitor is held";
  }
  if (monitors && coverage_has_uses(c, LOCK_MONITOR) && !has_filtered_class(m)) {
    out->unproven[BUDGET_ORDER] = out->unproven[BUDGET_VALUE] = out->unproven[BUDGET_SLEEP] =
        out->unproven[BUDGET_IO] =
            "the option filter selects no class that was seen, so uses of monitors were not "
            "recorded";
  }
  if (!coverage_has_group(c, GROUP_SLEEP)) out->unproven[BUDGET_SLEEP] = "sleeps were not recorded";
  if (!has_samples) out->unproven[BUDGET_IO] = "I/O needs samples of the threads";
  out->unproven[BUDGET_UNHEARD] =
      m->wakeups.known ? NULL : "with the options overflow=drop and threshold, signals are missing";
}

/* What was left out of the analysis although it was recorded. */
static void find_left_out(struct measuring *w) {
  struct figures *out = w->out;
  if (w->model->orders.lacks_variants) out->unproven[BUDGET_ORDER] = figures_lack_orders;
  if (w->contention.has_given_up) {
    out->unproven[BUDGET_SLEEP] = out->unproven[BUDGET_IO] =
        "too many threads waited at the same time to tell where the holders were";
  }
}

bool measure_add(struct measuring *w, struct figure *figure, place_t place) {
  struct builder path = {0};
  builder_char(&w->key, '\0');
  builder_char(&w->text, '\0');
  if (place != 0) names_path(&path, w->model->dump, place_method(place));
  builder_char(&path, '\0');
  bool good = !w->key.failed && !w->text.failed && !path.failed;
  figure->key = w->key.data;
  figure->text = w->text.data;
  figure->path = path.data;
  figure->source_line = place_line(place);
  good = good && figures_add(w->out, figure);
  builder_free(&path);
  w->key.len = w->text.len = 0;
  return good;
}

void measure_put_stack(struct measuring *w, const char *title, stack_id_t stack) {
  size_t depth;
  stacks_frames(&w->model->stacks, stack, &depth);
  if (depth == 0) return;
  builder_char(&w->text, '\n');
  builder_string(&w->text, title);
  builder_string(&w->text, "\n  ");
  view_stack(&w->text, w->model, stack, "\n  ");
}

bool measure_run(struct figures *out, struct model *m) {
  struct measuring w = {.out = out, .model = m};
  out->scale = compute_scale(m);
  find_unproven(out, m);
  bool good = contention_read(&w.contention, m, &m->locks) && measure_lost(&w);
  find_left_out(&w);
  w.text.len = 0;
  good = good && measure_problems(&w) && measure_locks(&w);
  contention_free(&w.contention);
  builder_free(&w.key);
  builder_free(&w.text);
  return good;
}
