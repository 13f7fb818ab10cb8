#include "tools/orca/budget/budget_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/text.h"
#include "agent/options/values.h"

#define LONGEST_QUOTE 60 /* bytes of the file in a message */
#define LONGEST_NUMBER 30
#define LONGEST_TIME UINT64_C(1000000000000000) /* ns: a double has all of them */

/* --- writing -------------------------------------------------------------------------- */

/* In the largest unit in which the time is a whole number. */
static void put_duration(struct builder *b, uint64_t ns) {
  static const struct {
    uint64_t ns;
    const char *name;
  } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
  size_t unit = 0;
  while (ns % units[unit].ns != 0) unit++;
  if (ns == 0) unit = 1;
  builder_format(b, "%" PRIu64 "%s", ns / units[unit].ns, units[unit].name);
}

static void put_share(struct builder *b, uint64_t permille) {
  builder_format(b, "%" PRIu64, permille / 10);
  if (permille % 10 != 0) builder_format(b, ".%" PRIu64, permille % 10);
  builder_char(b, '%');
}

void budget_put_limits(struct builder *b, const struct budget_row *row) {
  switch (budget_kinds[row->kind].form) {
    case FORM_COUNT:
      builder_format(b, "%" PRIu64, row->number);
      return;
    case FORM_SHARE:
      put_share(b, row->number);
      return;
    case FORM_LOCK:
      builder_format(b, "%" PRIu64 " waits, longest ", row->number);
      put_duration(b, row->longest_ns);
      return;
    default:
      return;
  }
}

void budget_put_row(struct builder *b, const struct budget_row *row) {
  enum budget_form form = budget_kinds[row->kind].form;
  builder_string(b, budget_kinds[row->kind].word);
  if (form == FORM_KNOWN || form == FORM_LOCK) {
    builder_string(b, ": ");
    builder_string(b, row->key);
  }
  if (form == FORM_KNOWN) return;
  builder_string(b, " = ");
  budget_put_limits(b, row);
}

void budget_write(struct builder *b, const struct budget *budget) {
  if (budget->header != NULL) builder_string(b, budget->header);
  for (size_t i = 0; i < budget->num; i++) {
    builder_string(b, budget->rows[i].comment);
    budget_put_row(b, &budget->rows[i]);
    builder_char(b, '\n');
  }
  if (budget->footer != NULL) builder_string(b, budget->footer);
}

/* --- parsing -------------------------------------------------------------------------- */

struct parser {
  struct budget *out;
  struct builder *why;
  struct builder comment; /* the lines of comments since the last budget */
  size_t line;            /* from 1 */
};

static struct span trim(struct span s) {
  while (s.len > 0 && (s.data[0] == ' ' || s.data[0] == '\t')) s.data++, s.len--;
  while (s.len > 0 && strchr(" \t\r", s.data[s.len - 1]) != NULL) s.len--;
  return s;
}

/* Appends the reason, and what the line has instead. Returns false. */
static bool refuse(struct parser *p, const char *reason, struct span found) {
  builder_format(p->why, "line %zu: %s", p->line, reason);
  if (found.data == NULL) return false;
  builder_string(p->why, ", not \"");
  builder_bytes(p->why, found.data, found.len < LONGEST_QUOTE ? found.len : LONGEST_QUOTE);
  builder_string(p->why, found.len < LONGEST_QUOTE ? "\"" : "...\"");
  return false;
}

static const struct span nothing = {NULL, 0};

static bool parse_count(struct span s, uint64_t *out) {
  int64_t n;
  if (!text_parse_decimal(s, &n) || n < 0) return false;
  *out = (uint64_t)n;
  return true;
}

/* "12%" or "12.5%", at most 100%, into tenths of a percent. */
static bool parse_share(struct span s, uint64_t *out) {
  struct span whole;
  uint64_t percent, tenth = 0;
  if (s.len < 2 || s.data[s.len - 1] != '%') return false;
  s.len--;
  if (!span_cut(&s, '.', &whole) || !parse_count(whole, &percent)) return false;
  if (s.data != NULL && (s.len != 1 || !parse_count(s, &tenth))) return false;
  if (percent > 100 || percent * 10 + tenth > 1000) return false;
  *out = percent * 10 + tenth;
  return true;
}

static bool parse_duration(struct span s, uint64_t *out) {
  char text[LONGEST_NUMBER];
  if (s.len == 0 || s.len >= sizeof text) return false;
  memcpy(text, s.data, s.len);
  text[s.len] = '\0';
  return value_duration(text, out) && *out <= LONGEST_TIME;
}

/* "20 waits, longest 100ms" */
static bool parse_lock_limits(struct span s, struct budget_row *row) {
  static const char waits[] = " waits", longest[] = "longest ";
  struct span number;
  if (!span_cut(&s, ',', &number) || s.data == NULL || !span_ends(number, waits)) return false;
  number.len -= strlen(waits);
  s = trim(s);
  if (!span_starts(s, longest)) return false;
  s.data += strlen(longest);
  s.len -= strlen(longest);
  return parse_count(trim(number), &row->number) && parse_duration(trim(s), &row->longest_ns);
}

/* Cuts the limits off the key of a lock: a key may contain " = " itself. */
static bool cut_limits(struct span *key, struct span *out_limits) {
  for (size_t at = key->len; at >= 3; at--) {
    if (memcmp(key->data + at - 3, " = ", 3) != 0) continue;
    *out_limits = trim((struct span){key->data + at, key->len - at});
    *key = trim((struct span){key->data, at - 3});
    return true;
  }
  return false;
}

/* Adds the row with this key, and the comment above it. */
static bool add_row(struct parser *p, struct budget_row *row, struct span key) {
  builder_char(&p->comment, '\0');
  row->key = span_copy(key);
  row->comment = p->comment.data;
  bool good = row->key != NULL && !p->comment.failed;
  p->why->failed |= !good;
  if (good && budget_find(p->out, row->kind, row->key) != NULL) {
    good = refuse(p, "another line has this budget too; keep one of them", nothing);
  } else if (good && p->out->num == BUDGET_MOST_ROWS) {
    good = refuse(p, "the file has more than 10000 budgets", nothing);
  } else if (good) {
    good = budget_add(p->out, row);
    p->why->failed |= !good;
  }
  free(row->key);
  p->comment.len = 0;
  return good;
}

/* The text after "word:". */
static bool parse_keyed(struct parser *p, struct budget_row *row, struct span rest) {
  struct span limits, key = trim(rest);
  if (budget_kinds[row->kind].form == FORM_LOCK) {
    static const char reason[] =
        "a lock takes its limits at the end, such as lock: * = 20 waits, longest 100ms";
    if (!cut_limits(&key, &limits)) return refuse(p, reason, nothing);
    if (!parse_lock_limits(limits, row)) return refuse(p, reason, limits);
  }
  if (key.len == 0) return refuse(p, "the key is missing: CLASS at METHOD", nothing);
  return add_row(p, row, key);
}

/* The text after "word =". */
static bool parse_number(struct parser *p, struct budget_row *row, struct span rest) {
  struct span value = trim(rest);
  bool is_share = budget_kinds[row->kind].form == FORM_SHARE;
  if (is_share && !parse_share(value, &row->number)) {
    return refuse(p, "blocked takes a share such as 12% or 12.5%", value);
  }
  if (!is_share && !parse_count(value, &row->number)) {
    return refuse(p, "the budget takes a number from 0", value);
  }
  return add_row(p, row, (struct span){"", 0});
}

static bool find_kind(struct span word, enum budget_kind *out) {
  for (int kind = 0; kind < NUM_BUDGET_KINDS; kind++) {
    if (!span_is(word, budget_kinds[kind].word)) continue;
    *out = (enum budget_kind)kind;
    return true;
  }
  return false;
}

static bool parse_row(struct parser *p, struct span line) {
  struct span rest = line;
  size_t len = 0;
  while (len < line.len && line.data[len] >= 'a' && line.data[len] <= 'z') len++;
  struct span word = {line.data, len};
  struct budget_row row = {.kind = NUM_BUDGET_KINDS};
  if (!find_kind(word, &row.kind)) {
    return refuse(p, "a budget begins with lost, order, value, sleep, io, unheard, blocked or lock",
                  line);
  }
  enum budget_form form = budget_kinds[row.kind].form;
  if (form == FORM_NEVER) return refuse(p, "a deadlock is never allowed; remove the line", nothing);
  rest.data += len;
  rest.len -= len;
  rest = trim(rest);
  bool is_keyed = form == FORM_KNOWN || form == FORM_LOCK;
  char separator = is_keyed ? ':' : '=';
  if (rest.len == 0 || rest.data[0] != separator) {
    return refuse(p, is_keyed ? "a colon follows the word" : "an equals sign follows the word",
                  line);
  }
  rest.data++;
  rest.len--;
  return is_keyed ? parse_keyed(p, &row, rest) : parse_number(p, &row, rest);
}

static bool has_control(struct span line) {
  for (size_t i = 0; i < line.len; i++) {
    if ((unsigned char)line.data[i] < ' ' && line.data[i] != '\t') return true;
  }
  return false;
}

/* Returns the collected comments as a C string, and forgets them. */
static char *take_comment(struct parser *p) {
  builder_char(&p->comment, '\0');
  char *text = p->comment.failed ? NULL : strdup(p->comment.data);
  p->why->failed |= text == NULL;
  p->comment.len = 0;
  return text;
}

/* An empty line after the first comments ends the header. Other empty lines are dropped. */
static bool parse_line(struct parser *p, struct span line) {
  bool is_comment = line.len > 0 && line.data[0] == '#';
  if (line.len > 0 && !is_comment) return parse_row(p, line);
  if (is_comment) {
    builder_bytes(&p->comment, line.data, line.len);
    builder_char(&p->comment, '\n');
  } else if (p->comment.len > 0 && p->out->num == 0 && p->out->header == NULL) {
    builder_char(&p->comment, '\n');
    p->out->header = take_comment(p);
  }
  return !p->comment.failed && !p->why->failed;
}

/* The byte order mark of UTF-8. Some editors of Windows put it at the start of a file. */
static const char byte_order_mark[] = "\xEF\xBB\xBF";

static bool parse_lines(struct parser *p, struct span text) {
  struct span line;
  if (span_starts(text, byte_order_mark)) {
    text.data += strlen(byte_order_mark);
    text.len -= strlen(byte_order_mark);
  }
  for (p->line = 1; span_cut(&text, '\n', &line); p->line++) {
    if (text.data == NULL && line.len == 0) break; /* after the last newline */
    line = trim(line);
    if (has_control(line)) return refuse(p, "the line has a control character", nothing);
    if (!parse_line(p, line)) return false;
  }
  if (p->comment.len > 0) p->out->footer = take_comment(p);
  return !p->why->failed;
}

bool budget_parse(struct span text, struct budget *out, struct builder *why) {
  struct parser p = {.out = out, .why = why};
  bool good = parse_lines(&p, text);
  why->failed |= p.comment.failed;
  builder_free(&p.comment);
  budget_sort(out);
  return good;
}
