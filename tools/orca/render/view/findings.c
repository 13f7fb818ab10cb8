#include "tools/orca/render/view/findings.h"

#include "tools/orca/render/view/say.h"
#include "tools/orca/render/view/view.h"

/* --- fields of a row -------------------------------------------------------------------------- */

static void put_text(struct json *j, const char *text) {
  if (text == NULL) {
    json_null(j);
  } else {
    json_text(j, text);
  }
}

static void put_text_member(struct json *j, const char *key, const char *text) {
  json_key(j, key);
  put_text(j, text);
}

static void put_place(struct json *j, const struct dump *d, const struct named_place *place) {
  if (place->text == NULL) {
    json_null(j);
    return;
  }
  json_begin_object(j);
  put_text_member(j, "text", place->text);
  view_place_members(j, d, place->place);
  json_end_object(j);
}

static void put_flag(struct json *j, const char *key, bool value) {
  json_key(j, key);
  json_boolean(j, value);
}

static void put_lock(struct json *j, const struct dump *d, const struct named_lock *lock) {
  /* The words depend on the sort, even if the lock is not known. */
  bool is_known = lock->text != NULL || lock->objects > 0 || lock->is_several;
  if (!is_known && lock->sort == LOCK_MONITOR) {
    json_null(j);
    return;
  }
  json_begin_object(j);
  put_text_member(j, "text", lock->text);
  put_text_member(j, "class_name", lock->class_name);
  put_flag(j, "is_described", lock->is_described);
  put_flag(j, "is_class", lock->is_class);
  put_flag(j, "is_several", lock->is_several);
  view_lock_members(j, d, lock_sorts[lock->sort].key, lock->object, lock->class_id, lock->objects);
  json_end_object(j);
}

static void put_row(struct json *j, const struct dump *d, enum finding_kind kind, const void *row);

static void put_rows(struct json *j, const struct dump *d, enum finding_kind part,
                     const struct found_rows *rows) {
  json_begin_array(j);
  for (size_t i = 0; i < rows->num; i++) {
    put_row(j, d, part, (const char *)rows->rows + i * finding_infos[part].size);
  }
  json_end_array(j);
}

static void put_field(struct json *j, const struct dump *d, const struct finding_field *field,
                      const void *value) {
  switch (field->type) {
    case TYPE_RATIO:
      json_decimal(j, (int64_t)(*(const double *)value * FOUND_RATIO_ONE + 0.5), 4);
      break;
    case TYPE_FLAG:
      json_boolean(j, *(const bool *)value);
      break;
    case TYPE_TEXT:
      put_text(j, *(const char *const *)value);
      break;
    case TYPE_PLACE:
      put_place(j, d, value);
      break;
    case TYPE_LOCK:
      put_lock(j, d, value);
      break;
    case TYPE_ROWS:
      put_rows(j, d, field->part, value);
      break;
    default:
      json_unsigned(j, *(const uint64_t *)value);
      break;
  }
}

static void put_row(struct json *j, const struct dump *d, enum finding_kind kind, const void *row) {
  const struct finding_info *info = &finding_infos[kind];
  json_begin_object(j);
  for (size_t i = 0; i < info->num_fields; i++) {
    json_key(j, info->fields[i].key);
    put_field(j, d, &info->fields[i], (const char *)row + info->fields[i].offset);
  }
  json_end_object(j);
}

/* --- findings --------------------------------------------------------------------------------- */

static void put_sentence(struct json *j, const struct finding *finding) {
  struct builder text = {0};
  say_finding(&text, finding);
  json_string(j, (struct span){text.data, text.len});
  j->out->failed |= text.failed;
  builder_free(&text);
}

void view_finding_object(struct json *j, const struct dump *d, const struct finding *finding) {
  json_begin_object(j);
  json_text_member(j, "kind", finding_infos[finding->kind].key);
  json_key(j, "text");
  put_sentence(j, finding);
  json_unsigned_member(j, "weight_ns", finding->weight / TICKS_PER_NS);
  json_key(j, "figures");
  put_row(j, d, finding->kind, finding->row);
  json_end_object(j);
}

static void put_finding(struct builder *b, const struct style *style,
                        const struct finding *finding) {
  struct builder text = {0};
  say_finding(&text, finding);
  view_put_sentence(b, style, &text);
}

void view_findings_text(struct builder *b, const struct answer *a, const struct style *style) {
  style_heading(b, style, "In short");
  for (size_t i = 0; i < a->findings.num; i++) put_finding(b, style, &a->findings.rows[i]);
}

void view_findings(struct page *p, const struct answer *a) {
  if (page_is_text(p)) view_findings_text(&p->out, a, &p->style);
  if (!page_is_json(p)) return;
  json_key(&p->json, "findings");
  json_begin_array(&p->json);
  for (size_t i = 0; i < a->findings.num; i++) {
    view_finding_object(&p->json, a->model->dump, &a->findings.rows[i]);
  }
  json_end_array(&p->json);
}

static bool is_shown_as_stopped(const struct finding *finding) {
  bool has_table = finding->kind == FINDING_deadlock || finding->kind == FINDING_class_deadlock;
  return finding_infos[finding->kind].rank == RANK_STOPPED && !has_table;
}

void view_stopped(struct page *p, const struct answer *a) {
  bool has_heading = false;
  for (size_t i = 0; i < a->findings.num; i++) {
    const struct finding *finding = &a->findings.rows[i];
    if (!is_shown_as_stopped(finding)) continue;
    if (!has_heading) style_heading(&p->out, &p->style, "Threads that do not go on");
    has_heading = true;
    put_finding(&p->out, &p->style, finding);
  }
}
