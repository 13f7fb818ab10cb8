#include "agent/event/line.h"

#include <string.h>

/* --- fields ---------------------------------------------------------------------------------- */

/* Takes fields off a line; once one is missing or misspelled `fault` says so and the rest of the
   calls do nothing, so that a reader asks once. */
struct fields {
  struct span rest;
  fault_t fault;
};

static struct span take(struct fields *f) {
  struct span field = {"", 0};
  if (f->fault == NULL && !span_cut(&f->rest, ',', &field)) f->fault = "a field is missing";
  return field;
}

/* The same where the field is known to be `len` bytes long if it is right. */
static struct span take_of(struct fields *f, size_t len) {
  if (f->fault != NULL || f->rest.len <= len || f->rest.data[len] != ',') return take(f);
  struct span field = {f->rest.data, len};
  f->rest = (struct span){f->rest.data + len + 1, f->rest.len - len - 1};
  return field;
}

#define LONGEST_SECONDS 12
#define DECIMALS 10
static ticks_t take_ticks(struct fields *f) {
  ticks_t t = 0;
  size_t dot = 0;
  while (dot < LONGEST_SECONDS && dot < f->rest.len && f->rest.data[dot] != '.') dot++;
  if (!text_parse_ticks(take_of(f, dot + 1 + DECIMALS), &t) && f->fault == NULL) {
    f->fault = "the timestamp is not seconds with ten decimals";
  }
  return t;
}

static uint32_t take_hash(struct fields *f, fault_t fault) {
  uint32_t hash = 0;
  if (!text_parse_hash(take_of(f, 8), &hash) && f->fault == NULL) f->fault = fault;
  return hash;
}

static int64_t take_decimal(struct fields *f, int64_t min, fault_t fault) {
  int64_t n = 0;
  bool good = text_parse_decimal(take(f), &n) && n >= min;
  if (!good && f->fault == NULL) f->fault = fault;
  return n;
}

static struct span take_name(struct fields *f, fault_t fault) {
  struct span name = take(f);
  if (f->fault == NULL && !text_name_ok(name)) f->fault = fault;
  return name;
}

static fault_t finish(const struct fields *f) {
  if (f->fault == NULL && f->rest.data != NULL) return "there are more fields than the line has";
  return f->fault;
}

static void put_time(struct builder *b, ticks_t t) {
  text_ticks(b, t);
  builder_char(b, ',');
}

static void put_hash(struct builder *b, uint32_t hash) {
  builder_char(b, ',');
  text_hash(b, hash);
}

static void put_decimal(struct builder *b, int64_t n) {
  builder_char(b, ',');
  text_decimal(b, n);
}

static void put_span(struct builder *b, struct span s) {
  builder_char(b, ',');
  builder_bytes(b, s.data, s.len);
}

/* --- .orca ----------------------------------------------------------------------------------- */

static void take_outcome(struct fields *f, struct event_line *out) {
  out->thrown = take_hash(f, "the class that was thrown is not eight hexadecimal digits");
  out->cpu_ns = take_decimal(f, -1, "the CPU time is not nanoseconds");
}

/* Of a line, all but its event's name, its stack and its name. */
#define MAX_FIXED (TEXT_MAX_NUMBER + 3 * sizeof ",00000000" + TEXT_MAX_NUMBER + sizeof ",,,\n")

/* A text that is empty may have no address (memcpy would not have that). */
static char *append(char *to, const char *bytes, size_t n) {
  *to++ = ',';
  if (n > 0) memcpy(to, bytes, n);
  return to + n;
}

static char *append_hash(char *to, uint32_t hash) {
  *to++ = ',';
  return text_put_hash(to, hash);
}

static char *append_outcome(char *to, const struct event_line *line) {
  to = append_hash(to, line->thrown);
  *to++ = ',';
  return text_put_decimal(to, line->cpu_ns);
}

/* Of all lines these are the many: room is made once, and each field goes straight to its place. */
void event_line_write(struct builder *b, const struct event_line *line) {
  const struct event_info *info = &event_infos[line->kind];
  char *start = builder_room(b, MAX_FIXED + info->name_len + line->stack.len + line->name.len);
  if (start == NULL) return;
  char *at = text_put_ticks(start, line->time);
  at = append(at, info->name, info->name_len);
  at = append_hash(at, line->thread);
  if (shape_has_object(info->shape)) at = append_hash(at, line->object);
  if (shape_has_owner(info->shape)) at = append_hash(at, line->owner);
  if (shape_has_outcome(info->shape)) at = append_outcome(at, line);
  if (shape_has_stack(info->shape)) at = append(at, line->stack.data, line->stack.len);
  if (shape_has_name(info->shape)) at = append(at, line->name.data, line->name.len);
  *at++ = '\n';
  b->len += (size_t)(at - start);
}

/* A stack is the last field. */
static struct span take_last(struct fields *f) {
  struct span last = f->rest;
  if (f->fault == NULL && last.data == NULL) f->fault = "a field is missing";
  f->rest.data = NULL;
  return last;
}

static struct span take_stack(struct fields *f) {
  struct span stack = take(f);
  size_t depth;
  if (f->fault == NULL) f->fault = stack_check(stack, &depth);
  return stack;
}

fault_t event_line_split(struct span text, struct event_line *out) {
  struct fields f = {text, NULL};
  *out = (struct event_line){.time = take_ticks(&f)};
  if (!event_find(take(&f), &out->kind) && f.fault == NULL) f.fault = "no event has this name";
  if (f.fault != NULL) return f.fault;
  enum event_shape shape = event_infos[out->kind].shape;
  out->thread = take_hash(&f, "the thread is not eight hexadecimal digits");
  if (shape_has_object(shape)) {
    out->object = take_hash(&f, "the object is not eight hexadecimal digits");
  }
  if (shape_has_owner(shape)) {
    out->owner = take_hash(&f, "the owner is not eight hexadecimal digits");
  }
  if (shape_has_outcome(shape)) take_outcome(&f, out);
  if (shape_has_stack(shape)) out->stack = take_last(&f);
  if (shape_has_name(shape))
    out->name = take_name(&f, "the thread's name is not spelled as it must");
  return finish(&f);
}

fault_t event_line_check(const struct event_line *line) {
  struct fields f = {line->stack, NULL};
  if (!shape_has_stack(event_infos[line->kind].shape)) return NULL;
  take_stack(&f);
  return finish(&f);
}

fault_t event_line_read(struct span text, struct event_line *out) {
  fault_t fault = event_line_split(text, out);
  return fault == NULL ? event_line_check(out) : fault;
}

/* --- pairs: stacks and line tables ----------------------------------------------------------- */

static void put_pair(struct builder *b, uint32_t first, uint32_t second) {
  builder_char(b, ';');
  text_hash(b, first);
  builder_char(b, ';');
  text_hash(b, second);
}

/* The next ";XXXXXXXX;XXXXXXXX" of a list. */
#define PAIR_LEN 18
static bool next_pair(struct span *rest, uint32_t *first, uint32_t *second) {
  const char *at = rest->data;
  if (rest->len < PAIR_LEN || at[0] != ';' || at[9] != ';') return false;
  if (!text_parse_hash((struct span){at + 1, 8}, first)) return false;
  if (!text_parse_hash((struct span){at + 10, 8}, second)) return false;
  *rest = (struct span){at + PAIR_LEN, rest->len - PAIR_LEN};
  return true;
}

/* The count in front of a list, and what stands behind it. */
static bool list_count(struct span list, int64_t *out_count, struct span *out_pairs) {
  if (list.data == NULL) list.data = ""; /* no list at all: no count either */
  const char *semicolon = list.len == 0 ? NULL : memchr(list.data, ';', list.len);
  size_t head = semicolon == NULL ? list.len : (size_t)(semicolon - list.data);
  *out_pairs = (struct span){list.data + head, list.len - head};
  return text_parse_decimal((struct span){list.data, head}, out_count);
}

static fault_t pairs_check(struct span pairs, int64_t count, fault_t spelling, fault_t number) {
  uint32_t first, second;
  int64_t found = 0;
  for (; pairs.len > 0; found++) {
    if (!next_pair(&pairs, &first, &second)) return spelling;
  }
  return found == count ? NULL : number;
}

void stack_write(struct builder *b, const struct frame *frames, size_t num_frames) {
  text_decimal(b, (int64_t)num_frames);
  for (size_t i = 0; i < num_frames; i++) put_pair(b, frames[i].method, frames[i].location);
}

fault_t stack_check(struct span stack, size_t *out_depth) {
  int64_t depth;
  struct span pairs;
  if (!list_count(stack, &depth, &pairs) || depth < 0) {
    return "the stack does not begin with its depth";
  }
  *out_depth = (size_t)depth;
  return pairs_check(pairs, depth, "a frame of the stack is not ;METHODID;LOCATION",
                     "the stack's depth is not the number of its frames");
}

struct span stack_frames(struct span stack) {
  int64_t depth;
  struct span pairs = {NULL, 0};
  list_count(stack, &depth, &pairs);
  return pairs;
}

bool stack_next(struct span *rest, struct frame *out) {
  return next_pair(rest, &out->method, &out->location);
}

fault_t lines_check(struct span lines, size_t *out_entries) {
  int64_t count;
  struct span pairs;
  if (!list_count(lines, &count, &pairs)) return "the line table does not begin with its length";
  *out_entries = count > 0 ? (size_t)count : 0;
  return pairs_check(pairs, (int64_t)*out_entries,
                     "an entry of the line table is not ;LOCATION;LINE",
                     "the line table's length is not the number of its entries");
}

uint32_t lines_find(struct span lines, uint32_t location) {
  struct span pairs = stack_frames(lines);
  uint32_t first, second, line = 0, best = 0;
  bool found = false, swapped = false, start = true;
  while (next_pair(&pairs, &first, &second)) {
    if (start) swapped = first != 0 && second == 0; /* locations ascend from 0, no line is 0 */
    start = false;
    struct line_entry e =
        swapped ? (struct line_entry){second, first} : (struct line_entry){first, second};
    if (e.location > location || (found && e.location < best)) continue;
    best = e.location;
    line = e.line;
    found = true;
  }
  return line;
}

/* --- .classtable, .methods, .objects --------------------------------------------------------- */

void class_body_write(struct builder *b, uint32_t class_id, const char *signature,
                      const char *source) {
  text_hash(b, class_id);
  builder_char(b, ',');
  text_name(b, signature, strlen(signature));
  builder_char(b, ',');
  text_name(b, source, strlen(source));
  builder_char(b, '\n');
}

fault_t class_line_read(struct span text, struct class_line *out) {
  struct fields f = {text, NULL};
  out->time = take_ticks(&f);
  out->class_id = take_hash(&f, "the class id is not eight hexadecimal digits");
  out->signature = take_name(&f, "the class's signature is not spelled as it must");
  out->source = take_name(&f, "the source file's name is not spelled as it must");
  return finish(&f);
}

void method_body_write(struct builder *b, uint32_t method_id, const char *name,
                       const char *signature, uint32_t class_id, const struct line_entry *entries,
                       int num_entries) {
  text_hash(b, method_id);
  builder_char(b, ',');
  text_name(b, name, strlen(name));
  builder_char(b, ',');
  text_name(b, signature, strlen(signature));
  put_hash(b, class_id);
  put_decimal(b, num_entries);
  for (int i = 0; i < num_entries; i++) put_pair(b, entries[i].location, entries[i].line);
  builder_char(b, '\n');
}

fault_t method_line_read(struct span text, struct method_line *out) {
  struct fields f = {text, NULL};
  size_t entries;
  out->time = take_ticks(&f);
  out->method_id = take_hash(&f, "the method id is not eight hexadecimal digits");
  out->name = take_name(&f, "the method's name is not spelled as it must");
  out->signature = take_name(&f, "the method's signature is not spelled as it must");
  out->class_id = take_hash(&f, "the class id is not eight hexadecimal digits");
  out->lines = take(&f);
  if (f.fault == NULL) f.fault = lines_check(out->lines, &entries);
  return finish(&f);
}

void object_body_write(struct builder *b, uint32_t hash, uint32_t class_id) {
  text_hash(b, hash);
  put_hash(b, class_id);
  builder_char(b, '\n');
}

fault_t object_line_read(struct span text, struct object_line *out) {
  struct fields f = {text, NULL};
  out->time = take_ticks(&f);
  out->hash = take_hash(&f, "the object is not eight hexadecimal digits");
  out->class_id = take_hash(&f, "the class id is not eight hexadecimal digits");
  return finish(&f);
}

/* --- .counts --------------------------------------------------------------------------------- */

void count_line_write(struct builder *b, const struct count_line *line) {
  put_time(b, line->time);
  builder_string(b, event_infos[line->kind].name);
  put_hash(b, line->object);
  put_decimal(b, line->count);
  builder_char(b, '\n');
}

fault_t count_line_read(struct span text, struct count_line *out) {
  struct fields f = {text, NULL};
  *out = (struct count_line){.time = take_ticks(&f)};
  if (!event_find(take(&f), &out->kind) && f.fault == NULL) f.fault = "no event has this name";
  out->object = take_hash(&f, "the object is not eight hexadecimal digits");
  out->count = take_decimal(&f, 0, "the count is not a decimal number");
  return finish(&f);
}

/* --- .samples -------------------------------------------------------------------------------- */

static const char *const sample_kinds[] = {"Tick", "Stack", "Sample"};

void sample_line_write(struct builder *b, const struct sample_line *line) {
  put_time(b, line->time);
  builder_string(b, sample_kinds[line->kind]);
  switch (line->kind) {
    case SAMPLE_TICK:
      put_decimal(b, line->number);
      put_decimal(b, line->pause_ns);
      put_decimal(b, line->threads);
      break;
    case SAMPLE_STACK:
      put_decimal(b, (int64_t)line->stack_id);
      put_span(b, line->stack);
      break;
    case SAMPLE_THREAD:
      put_hash(b, line->thread);
      builder_char(b, ',');
      builder_string(b, thread_state_names[line->state]);
      put_decimal(b, line->cpu_ns);
      put_decimal(b, (int64_t)line->stack_id);
      break;
  }
  builder_char(b, '\n');
}

static void read_tick(struct fields *f, struct sample_line *out) {
  out->kind = SAMPLE_TICK;
  out->number = take_decimal(f, 0, "the tick's number is not decimal");
  out->pause_ns = take_decimal(f, 0, "the tick's pause is not decimal");
  out->threads = take_decimal(f, 0, "the tick's number of threads is not decimal");
}

static void read_stack(struct fields *f, struct sample_line *out) {
  out->kind = SAMPLE_STACK;
  out->stack_id = (uint64_t)take_decimal(f, 0, "the stack's id is not decimal");
  out->stack = take_stack(f);
}

static void read_thread(struct fields *f, struct sample_line *out) {
  out->kind = SAMPLE_THREAD;
  out->thread = take_hash(f, "the thread is not eight hexadecimal digits");
  if (!state_find(take(f), &out->state) && f->fault == NULL) f->fault = "no state has this name";
  out->cpu_ns = take_decimal(f, -1, "the CPU time is neither decimal nor -1");
  out->stack_id = (uint64_t)take_decimal(f, 0, "the stack's id is not decimal");
}

fault_t sample_line_read(struct span text, struct sample_line *out) {
  struct fields f = {text, NULL};
  *out = (struct sample_line){.time = take_ticks(&f)};
  struct span kind = take(&f);
  if (span_is(kind, sample_kinds[SAMPLE_TICK])) {
    read_tick(&f, out);
  } else if (span_is(kind, sample_kinds[SAMPLE_STACK])) {
    read_stack(&f, out);
  } else if (span_is(kind, sample_kinds[SAMPLE_THREAD])) {
    read_thread(&f, out);
  } else if (f.fault == NULL) {
    f.fault = "the line is neither Tick, Stack nor Sample";
  }
  return finish(&f);
}

/* --- .info ----------------------------------------------------------------------------------- */

void info_line_write(struct builder *b, const char *key, const char *value) {
  builder_string(b, key);
  builder_char(b, '=');
  /* Text between commas is a name; the commas themselves are harmless here. */
  for (const char *comma; (comma = strchr(value, ',')) != NULL; value = comma + 1) {
    text_name(b, value, (size_t)(comma - value));
    builder_char(b, ',');
  }
  text_name(b, value, strlen(value));
  builder_char(b, '\n');
}

fault_t info_line_read(struct span text, struct span *out_key, struct span *out_value) {
  struct span rest = text, piece;
  if (!span_cut(&rest, '=', out_key) || rest.data == NULL || out_key->len == 0) {
    return "the line is not key=value";
  }
  if (!text_name_ok(*out_key)) return "the key is not spelled as it must";
  *out_value = rest;
  while (span_cut(&rest, ',', &piece)) {
    if (!text_name_ok(piece)) return "the value is not spelled as it must";
  }
  return NULL;
}
