#include "tools/orca/render/view/finding.h"

static void drop_figures(struct findings *f) {
  f->figures.len = 0;
  f->figure = (struct json){.out = &f->figures};
}

void view_finding(const struct style *style, const char *kind) {
  if (style->findings == NULL) return;
  style->findings->kind = kind;
  drop_figures(style->findings);
}

/* Returns the JSON at which the value of a figure follows; NULL: nobody collects it. */
static struct json *begin_figure(const struct style *style, const char *key) {
  struct findings *f = style->findings;
  if (f == NULL) return NULL;
  if (f->figure.out == NULL) drop_figures(f);
  json_key(&f->figure, key);
  return &f->figure;
}

void view_figure(const struct style *style, const char *key, uint64_t number) {
  struct json *j = begin_figure(style, key);
  if (j != NULL) json_unsigned(j, number);
}

void view_figure_ticks(const struct style *style, const char *key, ticks_t ticks) {
  view_figure(style, key, (ticks + TICKS_PER_NS / 2) / TICKS_PER_NS);
}

void view_figure_place(const struct style *style, const char *key, const struct model *m,
                       place_t place) {
  struct json *j = begin_figure(style, key);
  if (j != NULL) view_place_object(j, m->dump, place);
}

void view_figure_lock(const struct style *style, const char *key, const struct model *m,
                      const struct lock *lock) {
  struct json *j = begin_figure(style, key);
  if (j == NULL) return;
  view_lock_object(j, m->dump, lock_sorts[lock->sort].key, lock->object, lock->class_id,
                   lock->num_objects);
}

void view_figure_waited(const struct style *style, const struct lock *lock) {
  view_figure(style, "waited", lock->waited);
  if (lock_has_least_waits(lock)) view_figure(style, "waited_is_least", 1);
}

void findings_add(struct findings *f, struct span sentence) {
  json_begin_object(&f->out);
  json_key(&f->out, "kind");
  if (f->kind == NULL) {
    json_null(&f->out);
  } else {
    json_text(&f->out, f->kind);
  }
  json_key(&f->out, "text");
  json_string(&f->out, sentence);
  json_key(&f->out, "figures");
  json_begin_object(&f->out);
  if (f->figures.len > 0) json_raw(&f->out, (struct span){f->figures.data, f->figures.len});
  json_end_object(&f->out);
  json_end_object(&f->out);
  f->out.out->failed |= f->figures.failed;
  drop_figures(f);
}

void findings_free(struct findings *f) { builder_free(&f->figures); }
