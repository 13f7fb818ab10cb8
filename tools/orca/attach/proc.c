#include "tools/orca/attach/proc.h"

#include <limits.h>
#include <string.h>

/* --- words of a line ----------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Removes the next word, which ends at a blank or tab. Returns false if there is none. */
static bool next_word(struct span *rest, struct span *out) {
  while (rest->len > 0 && is_blank(rest->data[0])) {
    *rest = (struct span){rest->data + 1, rest->len - 1};
  }
  size_t len = 0;
  while (len < rest->len && !is_blank(rest->data[len])) len++;
  *out = (struct span){rest->data, len};
  *rest = (struct span){rest->data + len, rest->len - len};
  return len > 0;
}

/* Returns the word with this index, from 0; an empty one if there are fewer words. */
static struct span get_word(struct span line, size_t n) {
  struct span word = {"", 0};
  for (size_t i = 0; i <= n && next_word(&line, &word); i++) continue;
  return word;
}

/* --- numbers --------------------------------------------------------------------- */

static int parse_hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static bool parse_number(struct span s, int base, uint64_t max, uint64_t *out) {
  uint64_t n = 0;
  for (size_t i = 0; i < s.len; i++) {
    int d = parse_hex_digit(s.data[i]);
    if (d >= base || n > (max - (uint64_t)d) / (uint64_t)base) return false;
    n = n * (uint64_t)base + (uint64_t)d;
  }
  *out = n;
  return s.len > 0;
}

static bool parse_pid(struct span s, pid_t *out) {
  uint64_t n;
  bool ok = parse_number(s, 10, INT_MAX, &n);
  if (ok) *out = (pid_t)n;
  return ok;
}

static bool parse_id(struct span s, uint32_t *out) {
  uint64_t n;
  bool ok = parse_number(s, 10, UINT32_MAX, &n);
  if (ok) *out = (uint32_t)n;
  return ok;
}

/* --- status, stat ------------------------------------------------------------------ */

/* Gets the rest of the line "KEY:…". */
static bool find_field(struct span text, const char *key, struct span *out) {
  struct span line, name;
  while (span_cut(&text, '\n', &line)) {
    if (!span_cut(&line, ':', &name) || !span_is(name, key) || line.data == NULL) continue;
    *out = line;
    return true;
  }
  return false;
}

bool proc_status_read(struct span text, struct proc_status *out) {
  struct span state, process, inner, uid, gid, caught;
  if (!find_field(text, "State", &state) || !find_field(text, "Tgid", &process)) return false;
  if (!find_field(text, "Uid", &uid) || !find_field(text, "Gid", &gid)) return false;
  if (!find_field(text, "SigCgt", &caught)) return false;
  if (!find_field(text, "NSpid", &inner)) inner = process; /* Linux before 4.1 */
  struct span letter = get_word(state, 0), word, inner_pid = {"", 0};
  while (next_word(&inner, &word)) inner_pid = word; /* the last one: of the innermost namespace */
  out->state = letter.len == 1 ? letter.data[0] : '?';
  return parse_pid(get_word(process, 0), &out->process) && parse_pid(inner_pid, &out->inner_pid) &&
         parse_id(get_word(uid, 1), &out->uid) && parse_id(get_word(gid, 1), &out->gid) &&
         parse_number(get_word(caught, 0), 16, UINT64_MAX, &out->caught);
}

/* Index among the words after the name: starttime is the 22nd field, the name is the 2nd. */
#define START_INDEX 19

bool proc_start_read(struct span stat, uint64_t *out) {
  const char *name_end = stat.len == 0 ? NULL : memrchr(stat.data, ')', stat.len);
  if (name_end == NULL) return false;
  struct span words = {name_end + 1, stat.len - (size_t)(name_end + 1 - stat.data)};
  return parse_number(get_word(words, START_INDEX), 10, UINT64_MAX, out);
}

/* --- maps ---------------------------------------------------------------------------- */

bool proc_next_mapping(struct span *rest, struct span *out_path) {
  struct span line;
  while (span_cut(rest, '\n', &line)) {
    const char *slash = line.len == 0 ? NULL : memchr(line.data, '/', line.len);
    if (slash == NULL) continue;
    struct span path = {slash, line.len - (size_t)(slash - line.data)};
    if (span_ends(path, " (deleted)")) path.len -= strlen(" (deleted)");
    *out_path = path;
    return true;
  }
  return false;
}

struct span proc_file_name(struct span path) {
  const char *slash = path.len == 0 ? NULL : memrchr(path.data, '/', path.len);
  if (slash == NULL) return path;
  return (struct span){slash + 1, path.len - (size_t)(slash + 1 - path.data)};
}

/* --- options of the JVM ---------------------------------------------------------------- */

static bool is_space(char c) { return is_blank(c) || c == '\n' || c == '\r' || c == '\f'; }

static void skip_byte(struct span *s) { *s = (struct span){s->data + 1, s->len - 1}; }

static void skip_spaces_and_comments(struct span *rest, bool has_comments) {
  bool is_comment = false;
  for (; rest->len > 0; skip_byte(rest)) {
    char c = rest->data[0];
    is_comment = is_comment ? c != '\n' : has_comments && c == '#';
    if (!is_comment && !is_space(c)) return;
  }
}

bool proc_next_option(struct span *rest, bool has_comments, struct builder *out) {
  char quote = '\0';
  out->len = 0;
  skip_spaces_and_comments(rest, has_comments);
  if (rest->len == 0) return false;
  for (; rest->len > 0 && (quote != '\0' || !is_space(rest->data[0])); skip_byte(rest)) {
    char c = rest->data[0];
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else {
      builder_char(out, c);
    }
  }
  return !out->failed;
}

bool proc_variable(struct span variables, const char *name, struct span *out) {
  struct span value, key;
  while (span_cut(&variables, '\0', &value)) {
    if (!span_cut(&value, '=', &key) || !span_is(key, name) || value.data == NULL) continue;
    *out = value;
    return true;
  }
  return false;
}
