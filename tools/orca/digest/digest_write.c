#include "tools/orca/digest/digest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/hashmap.h"

/* The digest while it is written. */
struct writing {
  struct builder *out;
  const struct model *model;
  struct sums sums;
  struct hashmap classes, methods; /* those that have a line */
  bool failed;
};

static void put_number(struct writing *w, uint64_t number) {
  uint64_t most = (uint64_t)DIGEST_MOST_NUMBER;
  builder_format(w->out, ",%" PRIu64, number < most ? number : most);
}

static void put_hash(struct writing *w, uint32_t hash) {
  builder_char(w->out, ',');
  text_hash(w->out, hash);
}

static void put_text(struct writing *w, struct span text) {
  builder_char(w->out, ',');
  text_name(w->out, text.data, text.len);
}

static void put_field(struct writing *w, struct span escaped) {
  builder_char(w->out, ',');
  builder_bytes(w->out, escaped.data, escaped.len);
}

static void end_line(struct writing *w) { builder_char(w->out, '\n'); }

/* --- .info ------------------------------------------------------------------------------ */

/* The keys of sets say how the files were cut. */
static bool is_kept_key(int key) {
  return strncmp(info_keys[key].name, "set.", 4) != 0 && key != INFO_CHANGE;
}

static void put_info(struct writing *w) {
  struct span value;
  const struct option_changes *changes = &dump_coverage(w->model->dump)->changes;
  for (int key = 0; key < NUM_INFO_KEYS; key++) {
    if (!is_kept_key(key) || !dump_info(w->model->dump, (enum info_key)key, &value)) continue;
    builder_format(w->out, "info,%s=", info_keys[key].name);
    builder_bytes(w->out, value.data, value.len);
    end_line(w);
  }
  for (size_t i = 0; i < changes->num; i++) {
    const struct option_change *c = &changes->rows[i];
    builder_format(w->out, "info,%s=", info_keys[INFO_CHANGE].name);
    text_ticks(w->out, c->from);
    builder_char(w->out, ',');
    text_ticks(w->out, c->to);
    put_field(w, c->cause);
    put_field(w, c->key);
    builder_char(w->out, '=');
    builder_bytes(w->out, c->value.data, c->value.len);
    end_line(w);
  }
}

/* --- classes and methods ---------------------------------------------------------------- */

/* Returns whether the id is new to the set. */
static bool add_id(struct writing *w, struct hashmap *set, uint32_t id) {
  uint64_t *at = hashmap_at(set, id);
  w->failed |= at == NULL;
  if (at == NULL || *at != 0) return false;
  *at = 1;
  return true;
}

static void put_class(struct writing *w, uint32_t class_id) {
  const struct class_line *line = dump_class(w->model->dump, class_id);
  if (line == NULL || !add_id(w, &w->classes, class_id)) return;
  builder_string(w->out, "class,");
  text_ticks(w->out, w->model->recording.start);
  put_hash(w, class_id);
  put_field(w, line->signature);
  put_field(w, line->source);
  end_line(w);
}

/* Without the table of lines: places have their line. */
static void put_method(struct writing *w, uint32_t method) {
  const struct method_line *line = dump_method(w->model->dump, method);
  if (line == NULL || !add_id(w, &w->methods, method)) return;
  put_class(w, line->class_id);
  builder_string(w->out, "method,");
  text_ticks(w->out, w->model->recording.start);
  put_hash(w, method);
  put_field(w, line->name);
  put_field(w, line->signature);
  put_hash(w, line->class_id);
  builder_string(w->out, ",0");
  end_line(w);
}

/* --- numbers ---------------------------------------------------------------------------- */

static void put_values(struct writing *w) {
  const struct model *m = w->model;
#define VALUE(key, member, most)        \
  builder_string(w->out, "value," key); \
  put_number(w, (uint64_t)m->member);   \
  end_line(w);
#define LATER_VALUE(key, member, most) \
  if (m->member != 0) {                \
    VALUE(key, member, most)           \
  }
#include "tools/orca/digest/value.def"
}

static void put_tasks(struct writing *w) {
  const struct process *p = &w->model->process;
  struct digest_task tasks[NUM_TASK_KINDS] = {{0}};
  for (size_t i = 0; i < p->num_tasks; i++) {
    struct digest_task *task = &tasks[p->tasks[i].kind];
    task->is_known = true;
    task->cpu_ns += p->tasks[i].cpu_ns;
    task->wait_ns += p->tasks[i].wait_ns;
  }
  for (int kind = 0; kind < NUM_TASK_KINDS; kind++) {
    if (!tasks[kind].is_known) continue;
    builder_format(w->out, "task,%s", task_kind_infos[kind].name);
    put_number(w, tasks[kind].cpu_ns);
    put_number(w, tasks[kind].wait_ns);
    end_line(w);
  }
}

/* --- sums ------------------------------------------------------------------------------- */

static const char *const part_words[] = {
    [COMPARE_METHODS] = "method", [COMPARE_LOCKS] = "lock", [COMPARE_WAITS] = "wait"};

static const char *get_kind(const struct sums_row *row) {
  switch (row->part) {
    case COMPARE_LOCKS:
      return lock_sorts[row->kind].key;
    case COMPARE_WAITS:
      return event_infos[row->kind].name;
    default:
      return "";
  }
}

static void put_sum(struct writing *w, const struct sums_row *row) {
  if (row->part != COMPARE_METHODS) put_class(w, row->id);
  if (row->part == COMPARE_METHODS) put_method(w, row->id);
  put_method(w, place_method(row->place));
  builder_format(w->out, "sum,%s,%s", part_words[row->part], get_kind(row));
  put_hash(w, row->id);
  put_hash(w, place_method(row->place));
  put_number(w, place_line(row->place));
  put_number(w, row->time);
  put_number(w, row->count);
  end_line(w);
}

static void put_cut(struct writing *w, enum compare_part part) {
  const struct sums_cut *cut = &w->sums.cut[part];
  if (cut->num == 0) return;
  builder_format(w->out, "cut,%s", part_words[part]);
  put_number(w, cut->num);
  put_number(w, cut->time);
  put_number(w, cut->count);
  put_number(w, cut->most);
  put_number(w, cut->most_count);
  end_line(w);
}

static void put_sums(struct writing *w) {
  w->failed |= !sums_find(&w->sums, w->model);
  sums_keep_largest(&w->sums, DIGEST_MOST_ROWS);
  for (size_t i = 0; i < w->sums.num; i++) put_sum(w, &w->sums.rows[i]);
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) put_cut(w, (enum compare_part)part);
}

/* --- figures ---------------------------------------------------------------------------- */

/* A frame is indented. Of each stack only the innermost frames are kept. */
static void put_lines(struct writing *w, const char *text) {
  static const char more[] = "  (more frames; a digest has 8)";
  struct span rest = {text, strlen(text)}, line;
  size_t frames = 0, num = 0;
  while (span_cut(&rest, '\n', &line)) {
    frames = span_starts(line, "  ") ? frames + 1 : 0;
    if (frames > DIGEST_MOST_FRAMES + 1 || ++num > DIGEST_MOST_LINES) continue;
    put_text(w, frames <= DIGEST_MOST_FRAMES ? line : (struct span){more, sizeof more - 1});
  }
}

static void put_figure(struct writing *w, const struct figure *figure) {
  builder_format(w->out, "figure,%s", budget_kinds[figure->kind].word);
  put_number(w, figure->number);
  put_number(w, figure->longest_ns);
  put_number(w, figure->source_line);
  put_text(w, (struct span){figure->path, strlen(figure->path)});
  put_text(w, (struct span){figure->key, strlen(figure->key)});
  put_lines(w, figure->text);
  end_line(w);
}

static int compare_figures(const void *left, const void *right) {
  const struct figure *a = *(const struct figure *const *)left;
  const struct figure *b = *(const struct figure *const *)right;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->longest_ns != b->longest_ns) return a->longest_ns > b->longest_ns ? -1 : 1;
  if (a->number != b->number) return a->number > b->number ? -1 : 1;
  return strcmp(a->key, b->key);
}

static void put_unproven(struct writing *w, const struct figures *f, const size_t *counts) {
  static const char cut[] = "its digest has only the 200 figures with the longest times";
  for (int kind = 0; kind < NUM_BUDGET_KINDS; kind++) {
    const char *why = f->unproven[kind];
    if (why == NULL && counts[kind] > DIGEST_MOST_FIGURES) why = cut;
    if (why == NULL) continue;
    builder_format(w->out, "unproven,%s", budget_kinds[kind].word);
    put_text(w, (struct span){why, strlen(why)});
    end_line(w);
  }
}

/* Only recordings with sums of short calls of several locks have the line. */
static void put_more_waits(struct writing *w, const struct figures *f) {
  for (int sort = 0; sort < NUM_LOCK_SORTS; sort++) {
    if (f->more[sort].number == 0) continue;
    builder_format(w->out, "more.waits,%s", lock_sorts[sort].key);
    put_number(w, f->more[sort].number);
    put_number(w, f->more[sort].longest_ns);
    end_line(w);
  }
}

/* They say which of the lines more.waits are about the lock. */
static void put_lock_sorts(struct writing *w, const struct figures *f,
                           const struct figure *figure) {
  if (figure->kind != BUDGET_LOCK || figure->sorts == 0) return;
  if (figures_more_waits(f, 0).number == 0) return;
  builder_string(w->out, "lock.sorts");
  put_text(w, (struct span){figure->key, strlen(figure->key)});
  for (int sort = 0; sort < NUM_LOCK_SORTS; sort++) {
    if ((figure->sorts & 1u << sort) != 0) builder_format(w->out, ",%s", lock_sorts[sort].key);
  }
  end_line(w);
}

static void put_figures(struct writing *w, const struct figures *f) {
  size_t counts[NUM_BUDGET_KINDS] = {0};
  const struct figure **sorted = calloc(f->num + 1, sizeof *sorted);
  w->failed |= sorted == NULL;
  builder_string(w->out, "scale");
  put_number(w, f->scale);
  end_line(w);
  if (sorted == NULL) return;
  for (size_t i = 0; i < f->num; i++) sorted[i] = &f->rows[i];
  qsort(sorted, f->num, sizeof *sorted, compare_figures);
  for (size_t i = 0; i < f->num; i++) {
    if (counts[sorted[i]->kind]++ >= DIGEST_MOST_FIGURES) continue;
    put_figure(w, sorted[i]);
    put_lock_sorts(w, f, sorted[i]);
  }
  put_unproven(w, f, counts);
  put_more_waits(w, f);
  free(sorted);
}

/* --- all -------------------------------------------------------------------------------- */

static size_t count_lines(const struct builder *b, size_t from) {
  size_t num = 0;
  for (size_t i = from; i < b->len; i++) num += b->data[i] == '\n';
  return num;
}

bool digest_write(struct builder *b, const struct model *m, const struct figures *figures) {
  struct writing w = {.out = b, .model = m};
  size_t start = b->len;
  builder_string(b, DIGEST_FIRST_LINE "\n");
  put_info(&w);
  put_values(&w);
  put_tasks(&w);
  put_sums(&w);
  put_figures(&w, figures);
  if (!b->failed) builder_format(b, "end,%zu\n", count_lines(b, start));
  sums_free(&w.sums);
  hashmap_free(&w.classes);
  hashmap_free(&w.methods);
  return !w.failed && !b->failed;
}
