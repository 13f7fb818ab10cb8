#include "tools/orca/answer/finding.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/sorting.h"

#define KEY_COUNT(name) #name
#define KEY_TIME(name) #name "_ns"
#define KEY_RATIO(name) #name
#define KEY_FLAG(name) #name
#define KEY_TEXT(name) #name
#define KEY_PLACE(name) #name
#define KEY_LOCK(name) #name

#define PART(id) static const struct finding_field fields_##id[] = {
#define FINDING(id, key, rank) PART(id)
#define FIELD(id, type, name) \
  {KEY_##type(name), TYPE_##type, offsetof(struct found_##id, name), NUM_FINDING_KINDS},
#define ROWS(id, name, part) {#name, TYPE_ROWS, offsetof(struct found_##id, name), PART_##part},
#define END(id) \
  }             \
  ;
#include "tools/orca/answer/finding.def"
#undef PART
#undef FINDING
#undef FIELD
#undef ROWS
#undef END

#define INFO(id, key, rank) \
  {key, rank, sizeof(struct found_##id), fields_##id, sizeof fields_##id / sizeof *fields_##id},

const struct finding_info finding_infos[NUM_FINDING_KINDS] = {
#define PART(id) [PART_##id] = INFO(id, #id, RANK_NOTE)
#define FINDING(id, key, rank) [FINDING_##id] = INFO(id, key, RANK_##rank)
#define FIELD(id, type, name)
#define ROWS(id, name, part)
#define END(id)
#include "tools/orca/answer/finding.def"
#undef PART
#undef FINDING
#undef FIELD
#undef ROWS
#undef END
};

#define EXCLUDES(id, other) {FINDING_##id, FINDING_##other, NULL, NULL},
#define EXCLUDES_FIELD(id, other, field) {FINDING_##id, FINDING_##other, NULL, #field},
#define EXCLUDES_WITHIN(id, by, field) {FINDING_##id, FINDING_##id, #by, #field},
const struct exclusion exclusions[] = {
#include "tools/orca/answer/exclusion.def"
};
const size_t num_exclusions = sizeof exclusions / sizeof *exclusions;

/* --- adding --------------------------------------------------------------------------------- */

void findings_add(struct findings *f, enum finding_kind kind, ticks_t weight, const void *row) {
  struct span bytes = {row, finding_infos[kind].size};
  void *kept = (void *)arena_keep(&f->arena, bytes).data;
  struct finding *rows = grow(f->rows, f->num, &f->capacity, sizeof *rows);
  if (rows != NULL) f->rows = rows;
  if (rows == NULL || kept == NULL) {
    f->failed = true;
  } else {
    f->rows[f->num++] = (struct finding){kind, weight, kept};
  }
}

const char *findings_text(struct findings *f, struct builder *text) {
  const char *kept = NULL;
  bool is_empty = text->len == 0;
  builder_char(text, '\0');
  if (!text->failed && !is_empty) {
    kept = arena_keep(&f->arena, (struct span){text->data, text->len}).data;
  }
  f->failed |= text->failed || (!is_empty && kept == NULL);
  builder_free(text);
  return kept;
}

/* The array has room for the next power of two. */
void *findings_part(struct findings *f, struct found_rows *rows, enum finding_kind part) {
  size_t size = finding_infos[part].size, num = rows->num;
  bool is_full = (num & (num - 1)) == 0;
  void *larger = is_full ? arena_take(&f->arena, (num == 0 ? 1 : 2 * num) * size) : rows->rows;
  if (larger == NULL) {
    f->failed = true;
    return NULL;
  }
  if (is_full && num > 0) memcpy(larger, rows->rows, num * size);
  *rows = (struct found_rows){larger, num + 1};
  return (char *)larger + num * size;
}

void findings_free(struct findings *f) {
  free(f->rows);
  arena_free(&f->arena);
  *f = (struct findings){0};
}

/* --- the order, and what contradicts --------------------------------------------------------- */

bool findings_field_is_known(const struct finding_field *field, const void *row) {
  const void *value = (const char *)row + field->offset;
  switch (field->type) {
    case TYPE_RATIO:
      return *(const double *)value != 0;
    case TYPE_FLAG:
      return *(const bool *)value;
    case TYPE_TEXT:
      return *(const char *const *)value != NULL;
    case TYPE_PLACE:
      return ((const struct named_place *)value)->text != NULL;
    case TYPE_LOCK:
      return ((const struct named_lock *)value)->text != NULL;
    case TYPE_ROWS:
      return ((const struct found_rows *)value)->num > 0;
    default:
      return *(const uint64_t *)value != 0;
  }
}

static size_t get_field_size(enum field_type type) {
  static const size_t sizes[] = {
      [TYPE_COUNT] = sizeof(FIELD_COUNT), [TYPE_TIME] = sizeof(FIELD_TIME),
      [TYPE_RATIO] = sizeof(FIELD_RATIO), [TYPE_FLAG] = sizeof(FIELD_FLAG),
      [TYPE_TEXT] = sizeof(FIELD_TEXT),   [TYPE_PLACE] = sizeof(FIELD_PLACE),
      [TYPE_LOCK] = sizeof(FIELD_LOCK),   [TYPE_ROWS] = sizeof(struct found_rows)};
  return sizes[type];
}

static const struct finding_field *find_field(enum finding_kind kind, const char *key) {
  const struct finding_info *info = &finding_infos[kind];
  size_t i = 0;
  while (i + 1 < info->num_fields && strcmp(info->fields[i].key, key) != 0) i++;
  return &info->fields[i]; /* exclusion.def names existing ones: finding_test */
}

static bool excludes(const struct findings *f, const struct exclusion *e, const void *row) {
  if (e->by != NULL) return findings_field_is_known(find_field(e->kind, e->by), row);
  for (size_t i = 0; i < f->num; i++) {
    if (f->rows[i].kind == e->kind) return true;
  }
  return false;
}

/* Returns whether the finding stays. */
static bool exclude(const struct findings *f, const struct finding *finding) {
  for (size_t i = 0; i < num_exclusions; i++) {
    const struct exclusion *e = &exclusions[i];
    if (finding->kind != e->other || !excludes(f, e, finding->row)) continue;
    if (e->field == NULL) return false;
    const struct finding_field *field = find_field(e->other, e->field);
    memset((char *)finding->row + field->offset, 0, get_field_size(field->type));
  }
  return true;
}

/* A finding that was left out still excludes others: what it says is true. */
static void leave_out(struct findings *f) {
  size_t num = 0;
  bool *stays = calloc(f->num + 1, sizeof *stays);
  f->failed |= stays == NULL;
  for (size_t i = 0; stays != NULL && i < f->num; i++) stays[i] = exclude(f, &f->rows[i]);
  for (size_t i = 0; stays != NULL && i < f->num; i++) {
    if (stays[i]) f->rows[num++] = f->rows[i];
  }
  f->num = num;
  free(stays);
}

static int compare(const struct finding *a, const struct finding *b) {
  enum finding_rank rank = finding_infos[a->kind].rank, other = finding_infos[b->kind].rank;
  if (rank != other) return rank < other ? -1 : 1;
  return compare_numbers(b->weight, a->weight);
}

/* Keeps the order of equal ones. */
static void sort(struct findings *f) {
  for (size_t i = 1; i < f->num; i++) {
    for (size_t k = i; k > 0 && compare(&f->rows[k], &f->rows[k - 1]) < 0; k--) {
      struct finding first = f->rows[k];
      f->rows[k] = f->rows[k - 1];
      f->rows[k - 1] = first;
    }
  }
}

void findings_settle(struct findings *f) {
  if (f->failed) f->num = 0; /* rows may lack texts that their words need */
  leave_out(f);
  sort(f);
}
