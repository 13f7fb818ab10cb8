#include "tools/orca/digest/digest.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agent/event/line.h"

#define LONGEST_QUOTE 60 /* bytes of the file in a message */

/* --- the file --------------------------------------------------------------------------- */

bool digest_is_file(const char *name) {
  static const char start[] = "orca.digest,";
  char bytes[sizeof start - 1];
  struct stat st;
  if (stat(name, &st) != 0 || !S_ISREG(st.st_mode)) return false;
  FILE *file = fopen(name, "re");
  if (file == NULL) return false;
  bool is_digest = fread(bytes, 1, sizeof bytes, file) == sizeof bytes &&
                   memcmp(bytes, start, sizeof bytes) == 0;
  fclose(file);
  return is_digest;
}

/* --- fields ----------------------------------------------------------------------------- */

struct parser {
  struct digest_file *out;
  struct builder *why;
  size_t line;                   /* from 1 */
  struct span rest;              /* of the line; `data` is NULL after its last field */
  bool has_more[NUM_LOCK_SORTS]; /* the line more.waits of this sort was read */
  bool is_complete;              /* the line `end` was read */
};

/* Appends the reason. Returns false. */
static bool refuse(struct parser *p, const char *reason) {
  builder_format(p->why, "line %zu: %s", p->line, reason);
  return false;
}

static bool refuse_word(struct parser *p, const char *reason, struct span word) {
  struct builder quoted = {0};
  text_name(&quoted, word.data, word.len < LONGEST_QUOTE ? word.len : 0);
  refuse(p, reason);
  if (word.len < LONGEST_QUOTE)
    builder_format(p->why, ", not \"%.*s\"", (int)quoted.len,
                   quoted.data == NULL ? "" : quoted.data);
  p->why->failed |= quoted.failed;
  builder_free(&quoted);
  return false;
}

static bool take_field(struct parser *p, struct span *out) {
  if (p->rest.data != NULL && span_cut(&p->rest, ',', out)) return true;
  return refuse(p, "a field is missing");
}

static bool take_number(struct parser *p, int64_t most, uint64_t *out) {
  struct span field;
  int64_t number;
  if (!take_field(p, &field)) return false;
  if (!text_parse_decimal(field, &number) || number < 0 || number > most) {
    char reason[80];
    snprintf(reason, sizeof reason, "a number from 0 to %lld is expected", (long long)most);
    return refuse_word(p, reason, field);
  }
  *out = (uint64_t)number;
  return true;
}

static bool take_line_number(struct parser *p, uint32_t *out) {
  uint64_t number;
  if (!take_number(p, UINT32_MAX, &number)) return false;
  *out = (uint32_t)number;
  return true;
}

static bool take_hash(struct parser *p, uint32_t *out) {
  struct span field;
  if (!take_field(p, &field)) return false;
  return text_parse_hash(field, out) ||
         refuse_word(p, "eight hexadecimal digits are expected", field);
}

/* Returns the next field without its escapes, as a C string that the caller frees; NULL with the
   message. */
static char *take_text(struct parser *p) {
  struct span field;
  struct builder text = {0};
  if (!take_field(p, &field)) return NULL;
  if (!text_name_ok(field)) {
    refuse(p, "a text is not correctly escaped UTF-8");
    return NULL;
  }
  text_plain(&text, field);
  builder_char(&text, '\0');
  if (!text.failed) return text.data;
  builder_free(&text);
  p->why->failed = true;
  return NULL;
}

static bool check_end(struct parser *p) {
  return p->rest.data == NULL || refuse(p, "the line has too many fields");
}

static bool find_budget_kind(struct parser *p, enum budget_kind *out) {
  struct span word;
  if (!take_field(p, &word)) return false;
  for (int kind = 0; kind < NUM_BUDGET_KINDS; kind++) {
    *out = (enum budget_kind)kind;
    if (span_is(word, budget_kinds[kind].word)) return true;
  }
  return refuse_word(p, "a kind of budget is expected, such as lock", word);
}

/* --- lines ------------------------------------------------------------------------------ */

/* Adds the rest of the line to the text of a file of the dump. */
static bool keep_line(struct parser *p, enum dump_file file) {
  struct builder *b = &p->out->tables[file];
  builder_bytes(b, p->rest.data, p->rest.len);
  builder_char(b, '\n');
  p->why->failed |= b->failed;
  return !b->failed;
}

static bool parse_info(struct parser *p) {
  struct span rest = p->rest, key;
  if (rest.data == NULL || !span_cut(&rest, '=', &key) || rest.data == NULL ||
      info_key_find(key) == NUM_INFO_KEYS) {
    return refuse(p, "a key of .info and its value are expected, such as info,pid=7");
  }
  return keep_line(p, DUMP_INFO);
}

static bool parse_class(struct parser *p) {
  struct class_line line;
  fault_t fault = class_line_read(p->rest, &line);
  return fault == NULL ? keep_line(p, DUMP_CLASSES) : refuse(p, fault);
}

static bool parse_method(struct parser *p) {
  struct method_line line;
  fault_t fault = method_line_read(p->rest, &line);
  return fault == NULL ? keep_line(p, DUMP_METHODS) : refuse(p, fault);
}

#define MOST DIGEST_MOST_NUMBER

/* Where a struct model has the values. */
static const struct value {
  const char *key;
  size_t offset, size;
  int64_t most;
} values[] = {
#define VALUE(key, member, most) \
  {key, offsetof(struct model, member), sizeof(((struct model *)NULL)->member), most},
#include "tools/orca/digest/value.def"
};

#define VALUE(key, member, most)                                                                 \
  _Static_assert(sizeof(((struct model *)NULL)->member) == ((most) == 1 ? 1 : sizeof(uint64_t)), \
                 "store_value stores no number of this size");
#include "tools/orca/digest/value.def"

static void store_value(struct model *m, const struct value *value, uint64_t number) {
  char *at = (char *)m + value->offset;
  if (value->size == 1) {
    *(bool *)at = number != 0;
  } else {
    memcpy(at, &number, sizeof number);
  }
}

static bool parse_value(struct parser *p) {
  struct span key;
  uint64_t number;
  const struct value *value = values, *end = values + sizeof values / sizeof *values;
  if (!take_field(p, &key)) return false;
  while (value < end && !span_is(key, value->key)) value++;
  if (value == end) return refuse_word(p, "a value is expected, such as threads", key);
  if (!take_number(p, value->most, &number)) return false;
  store_value(&p->out->values, value, number);
  return check_end(p);
}

static bool parse_task(struct parser *p) {
  struct span word;
  enum task_kind kind;
  if (!take_field(p, &word)) return false;
  if (!task_kind_find(word, &kind)) return refuse_word(p, "a kind of task is expected", word);
  struct digest_task *task = &p->out->tasks[kind];
  task->is_known = true;
  return take_number(p, DIGEST_MOST_NUMBER, &task->cpu_ns) &&
         take_number(p, DIGEST_MOST_NUMBER, &task->wait_ns) && check_end(p);
}

static bool find_part(struct parser *p, enum compare_part *out) {
  static const char *const words[] = {
      [COMPARE_METHODS] = "method", [COMPARE_LOCKS] = "lock", [COMPARE_WAITS] = "wait"};
  struct span word;
  if (!take_field(p, &word)) return false;
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) {
    *out = (enum compare_part)part;
    if (span_is(word, words[part])) return true;
  }
  return refuse_word(p, "method, lock or wait is expected", word);
}

static bool find_lock_sort(struct span word, unsigned *out) {
  for (unsigned sort = 0; sort < NUM_LOCK_SORTS; sort++) {
    *out = sort;
    if (span_is(word, lock_sorts[sort].key)) return true;
  }
  return false;
}

/* The event of a pair that is no attempt to get a lock. */
static bool find_wait(struct span word, unsigned *out) {
  enum event_kind kind;
  if (!event_find(word, &kind)) return false;
  *out = kind;
  return event_infos[kind].role == ROLE_BEGIN && !lock_event_asks(kind);
}

static bool take_kind(struct parser *p, enum compare_part part, unsigned *out) {
  struct span word;
  if (!take_field(p, &word)) return false;
  *out = 0;
  switch (part) {
    case COMPARE_LOCKS:
      return find_lock_sort(word, out) || refuse_word(p, "a kind of lock is expected", word);
    case COMPARE_WAITS:
      return find_wait(word, out) ||
             refuse_word(p, "the event at which a call begins to wait is expected", word);
    default:
      return span_is(word, "") || refuse_word(p, "a method has no kind", word);
  }
}

static size_t count_rows(const struct sums *s, enum compare_part part) {
  size_t num = 0;
  for (size_t i = 0; i < s->num; i++) num += s->rows[i].part == part;
  return num;
}

static bool parse_sum(struct parser *p) {
  struct sums_row row = {0};
  uint32_t method, line;
  if (!find_part(p, &row.part) || !take_kind(p, row.part, &row.kind) || !take_hash(p, &row.id) ||
      !take_hash(p, &method) || !take_line_number(p, &line) ||
      !take_number(p, DIGEST_MOST_NUMBER, &row.time) ||
      !take_number(p, DIGEST_MOST_NUMBER, &row.count) || !check_end(p)) {
    return false;
  }
  if (count_rows(&p->out->sums, row.part) >= DIGEST_MOST_ROWS) {
    return refuse(p, "a digest has at most 300 rows of this kind");
  }
  row.place = place(method, line);
  row.most = row.time;
  p->why->failed |= !sums_add(&p->out->sums, &row);
  return !p->why->failed;
}

static bool parse_cut(struct parser *p) {
  enum compare_part part;
  if (!find_part(p, &part)) return false;
  struct sums_cut *cut = &p->out->sums.cut[part];
  return take_number(p, DIGEST_MOST_NUMBER, &cut->num) &&
         take_number(p, DIGEST_MOST_NUMBER, &cut->time) &&
         take_number(p, DIGEST_MOST_NUMBER, &cut->count) &&
         take_number(p, DIGEST_MOST_NUMBER, &cut->most) &&
         take_number(p, DIGEST_MOST_NUMBER, &cut->most_count) && check_end(p);
}

static bool parse_scale(struct parser *p) {
  if (!take_number(p, DIGEST_MOST_NUMBER, &p->out->figures.scale)) return false;
  if (p->out->figures.scale < FIGURES_SCALE) return refuse(p, "a scale is at least 1000");
  return check_end(p);
}

static bool take_lock_sort(struct parser *p, unsigned *out) {
  struct span word;
  return take_field(p, &word) &&
         (find_lock_sort(word, out) || refuse_word(p, "a kind of lock is expected", word));
}

static bool parse_more_waits(struct parser *p) {
  unsigned sort;
  if (!take_lock_sort(p, &sort)) return false;
  if (p->has_more[sort]) return refuse(p, "another line has this kind too");
  p->has_more[sort] = true;
  struct more_waits *more = &p->out->figures.more[sort];
  return take_number(p, DIGEST_MOST_NUMBER, &more->number) &&
         take_number(p, DIGEST_MOST_NUMBER, &more->longest_ns) && check_end(p);
}

static bool parse_unproven(struct parser *p) {
  enum budget_kind kind;
  if (!find_budget_kind(p, &kind)) return false;
  if (p->out->reasons[kind] != NULL) return refuse(p, "another line has this kind too");
  p->out->reasons[kind] = take_text(p);
  p->out->figures.unproven[kind] = p->out->reasons[kind];
  return p->out->reasons[kind] != NULL && check_end(p);
}

/* The rest of the line is the text, line by line. */
static char *take_lines(struct parser *p) {
  struct builder text = {0};
  size_t num = 0;
  bool good = p->rest.data != NULL || refuse(p, "a field is missing");
  while (good && p->rest.data != NULL) {
    char *line = take_text(p);
    good = line != NULL;
    if (num > 0) builder_char(&text, '\n');
    if (good) builder_string(&text, line);
    free(line);
    if (++num <= DIGEST_MOST_LINES) continue;
    good = refuse(p, "the text of a figure has more than 300 lines");
  }
  builder_char(&text, '\0');
  p->why->failed |= text.failed;
  if (good && !text.failed) return text.data;
  builder_free(&text);
  return NULL;
}

static size_t count_figures(const struct figures *f, enum budget_kind kind) {
  size_t num = 0;
  for (size_t i = 0; i < f->num; i++) num += f->rows[i].kind == kind;
  return num;
}

static bool add_figure(struct parser *p, struct figure *figure) {
  struct figures *all = &p->out->figures;
  if (count_figures(all, figure->kind) >= DIGEST_MOST_FIGURES) {
    return refuse(p, "a digest has at most 200 figures of a kind");
  }
  if (figures_find(all, figure->kind, figure->key) != NULL) {
    return refuse(p, "another line has this figure too");
  }
  p->why->failed |= !figures_add(all, figure);
  return !p->why->failed;
}

static bool parse_figure(struct parser *p) {
  struct figure figure = {.kind = NUM_BUDGET_KINDS};
  bool good = find_budget_kind(p, &figure.kind) &&
              take_number(p, DIGEST_MOST_NUMBER, &figure.number) &&
              take_number(p, DIGEST_MOST_NUMBER, &figure.longest_ns) &&
              take_line_number(p, &figure.source_line) && (figure.path = take_text(p)) != NULL &&
              (figure.key = take_text(p)) != NULL && (figure.text = take_lines(p)) != NULL &&
              add_figure(p, &figure);
  free(figure.path);
  free(figure.key);
  free(figure.text);
  return good;
}

/* The figure of a lock that a line lock.sorts is about; NULL with the message. */
static struct figure *take_lock(struct parser *p) {
  struct figures *f = &p->out->figures;
  char *key = take_text(p);
  const struct figure *found = key == NULL ? NULL : figures_find(f, BUDGET_LOCK, key);
  if (key != NULL && found == NULL) refuse(p, "no line before has the figure of this lock");
  free(key);
  if (found == NULL || found->sorts == 0) return found == NULL ? NULL : &f->rows[found - f->rows];
  refuse(p, "another line has this lock too");
  return NULL;
}

static bool parse_lock_sorts(struct parser *p) {
  unsigned sort;
  struct figure *figure = take_lock(p);
  if (figure == NULL) return false;
  do {
    if (!take_lock_sort(p, &sort)) return false;
    figure->sorts |= 1u << sort;
  } while (p->rest.data != NULL);
  return true;
}

/* "end,61": so many lines are before this one. */
static bool parse_end(struct parser *p) {
  uint64_t number;
  if (!take_number(p, DIGEST_MOST_NUMBER, &number) || !check_end(p)) return false;
  if (number != p->line - 1) return refuse(p, "lines are missing before the end");
  const struct recording *r = &p->out->values.recording;
  if (r->start > r->end) return refuse(p, "start.ticks is larger than end.ticks");
  p->is_complete = true;
  return true;
}

/* --- all -------------------------------------------------------------------------------- */

static const struct {
  const char *word;
  bool (*parse)(struct parser *p);
} lines[] = {{"info", parse_info},
             {"class", parse_class},
             {"method", parse_method},
             {"value", parse_value},
             {"task", parse_task},
             {"sum", parse_sum},
             {"cut", parse_cut},
             {"scale", parse_scale},
             {"unproven", parse_unproven},
             {"figure", parse_figure},
             {"more.waits", parse_more_waits},
             {"lock.sorts", parse_lock_sorts},
             {"end", parse_end}};

static bool parse_line(struct parser *p, struct span line) {
  struct span word;
  p->rest = line;
  if (p->is_complete) return refuse(p, "the digest goes on after its end");
  if (!take_field(p, &word)) return false;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    if (span_is(word, lines[i].word)) return lines[i].parse(p);
  }
  return refuse_word(p, "a line of a digest is expected, such as value,threads,7", word);
}

static bool parse_lines(struct parser *p, struct span text) {
  struct span line;
  if (!span_cut(&text, '\n', &line) || !span_is(line, DIGEST_FIRST_LINE)) {
    p->line = 1;
    return refuse(p, "a digest of this version of Orca begins with " DIGEST_FIRST_LINE
                     "; make it again with orca digest");
  }
  for (p->line = 2; text.data != NULL && text.len > 0 && span_cut(&text, '\n', &line); p->line++) {
    if (text.data == NULL) return refuse(p, "the line has no end: the file is cut");
    if (!parse_line(p, line) || p->why->failed) return false;
  }
  return p->is_complete || refuse(p, "the line end is missing: the file is cut");
}

bool digest_parse(struct span text, struct digest_file *out, struct builder *why) {
  struct parser p = {.out = out, .why = why};
  out->figures.scale = FIGURES_SCALE;
  out->sums.is_read = true;
  if (text.len > DIGEST_MOST_BYTES) {
    builder_string(why, "a digest has at most 16 MiB");
    return false;
  }
  return parse_lines(&p, text) && !why->failed;
}

void digest_file_free(struct digest_file *f) {
  for (int file = 0; file < NUM_DUMP_FILES; file++) builder_free(&f->tables[file]);
  for (int kind = 0; kind < NUM_BUDGET_KINDS; kind++) free(f->reasons[kind]);
  sums_free(&f->sums);
  figures_free(&f->figures);
  *f = (struct digest_file){0};
}
