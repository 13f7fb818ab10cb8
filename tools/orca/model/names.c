#include "tools/orca/model/names.h"

#include <fnmatch.h>
#include <string.h>

#include "tools/orca/dump/origin.h"

static void put_numbered(struct builder *b, const char *prefix, uint32_t number) {
  builder_string(b, prefix);
  text_hash(b, number);
}

/* --- types ------------------------------------------------------------------- */

static const char *find_primitive(char c) {
  static const struct {
    char letter;
    const char *name;
  } names[] = {{'Z', "boolean"}, {'B', "byte"},  {'C', "char"},   {'S', "short"}, {'I', "int"},
               {'J', "long"},    {'F', "float"}, {'D', "double"}, {'V', "void"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (names[i].letter == c) return names[i].name;
  }
  return NULL;
}

/* Returns "com/acme/Cart" for "Lcom/acme/Cart;". */
static struct span cut_class_name(struct span signature) {
  if (signature.len < 2 || signature.data[0] != 'L') return signature;
  struct span name = {signature.data + 1, signature.len - 1};
  if (name.data[name.len - 1] == ';') name.len--;
  return origin_cut_address(name);
}

void names_type(struct builder *b, struct span signature) {
  size_t dimensions = 0;
  while (dimensions < signature.len && signature.data[dimensions] == '[') dimensions++;
  struct span element = {signature.data + dimensions, signature.len - dimensions};
  const char *name = element.len == 1 ? find_primitive(element.data[0]) : NULL;
  if (name != NULL) {
    builder_string(b, name);
  } else {
    size_t start = b->len;
    text_plain(b, cut_class_name(element));
    for (size_t i = start; !b->failed && i < b->len; i++) {
      if (b->data[i] == '/') b->data[i] = '.';
    }
  }
  for (; dimensions > 0; dimensions--) builder_string(b, "[]");
}

void names_class(struct builder *b, const struct dump *d, uint32_t class_id) {
  const struct class_line *c = dump_class(d, class_id);
  if (c == NULL) {
    put_numbered(b, "class ", class_id);
  } else {
    names_type(b, c->signature);
  }
}

/* --- methods and places -------------------------------------------------------- */

static struct span cut_package(struct span name) {
  const char *slash = memrchr(name.data, '/', name.len);
  if (slash == NULL) return name;
  return (struct span){slash + 1, (size_t)(name.data + name.len - slash - 1)};
}

static const struct class_line *find_method_class(const struct dump *d, uint32_t method) {
  const struct method_line *m = dump_method(d, method);
  return m == NULL ? NULL : dump_class(d, m->class_id);
}

/* A method without a line in .methods: a pseudo frame, or one whose line was lost. */
static void put_undefined_method(struct builder *b, const struct dump *d, uint32_t method) {
  if (method == METHOD_CUT) method = pseudo_method(PSEUDO_DEEPER);
  if (pseudo_is(method)) {
    pseudo_put_name(b, d, method);
  } else {
    put_numbered(b, "method ", method);
  }
}

void names_method(struct builder *b, const struct dump *d, uint32_t method) {
  const struct method_line *m = dump_method(d, method);
  const struct class_line *c = find_method_class(d, method);
  if (m == NULL) {
    put_undefined_method(b, d, method);
    return;
  }
  if (c == NULL) {
    put_numbered(b, "class ", m->class_id);
  } else {
    text_plain(b, cut_package(cut_class_name(c->signature)));
  }
  builder_char(b, '.');
  text_plain(b, m->name);
}

void names_full_method(struct builder *b, const struct dump *d, uint32_t method) {
  const struct method_line *m = dump_method(d, method);
  if (m == NULL) {
    put_undefined_method(b, d, method);
    return;
  }
  names_class(b, d, m->class_id);
  builder_char(b, '.');
  text_plain(b, m->name);
}

/* Removes the first type from a list of types, and returns it. */
static struct span take_first_type(struct span *list) {
  size_t len = 0;
  while (len < list->len && list->data[len] == '[') len++;
  bool is_class = len < list->len && list->data[len] == 'L';
  while (is_class && len < list->len && list->data[len] != ';') len++;
  if (len < list->len) len++;
  struct span type = {list->data, len};
  *list = (struct span){list->data + len, list->len - len};
  return type;
}

static void put_short_type(struct builder *b, struct span type) {
  size_t start = b->len;
  names_type(b, type);
  if (b->failed) return;
  const char *dot = memrchr(b->data + start, '.', b->len - start);
  if (dot == NULL) return;
  size_t package = (size_t)(dot + 1 - b->data) - start;
  memmove(b->data + start, b->data + start + package, b->len - start - package);
  b->len -= package;
}

void names_parameters(struct builder *b, const struct dump *d, uint32_t method) {
  const struct method_line *m = dump_method(d, method);
  const char *end = m == NULL ? NULL : memchr(m->signature.data, ')', m->signature.len);
  if (end == NULL || m->signature.data[0] != '(') return;
  const char *first = m->signature.data + 1;
  struct span list = {first, (size_t)(end - first)};
  builder_char(b, '(');
  while (list.len > 0) {
    put_short_type(b, take_first_type(&list));
    if (list.len > 0) builder_string(b, ", ");
  }
  builder_char(b, ')');
}

bool names_match(const char *name, const char *pattern) {
  for (;;) {
    if (strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0) return true;
    const char *dot = strchr(name, '.');
    if (dot == NULL) return false;
    name = dot + 1;
  }
}

bool names_method_matches(const struct dump *d, uint32_t method, const char *pattern) {
  const struct method_line *m = dump_method(d, method);
  struct builder name = {0};
  if (m == NULL) return false;
  names_full_method(&name, d, method);
  builder_char(&name, '\0');
  bool is = !name.failed && names_match(name.data, pattern);
  builder_free(&name);
  return is;
}

bool names_stack_matches(const struct dump *d, const struct stacks *stacks, stack_id_t stack,
                         const char *pattern) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    if (names_method_matches(d, frames[i].method, pattern)) return true;
  }
  return false;
}

void names_source(struct builder *b, const struct dump *d, place_t place) {
  const struct class_line *c = find_method_class(d, place_method(place));
  if (c == NULL || c->source.len == 0) return;
  text_plain(b, c->source);
  if (place_line(place) == 0) return;
  builder_char(b, ':');
  text_decimal(b, place_line(place));
}

void names_path(struct builder *b, const struct dump *d, uint32_t method) {
  const struct class_line *c = find_method_class(d, method);
  if (c == NULL || c->source.len == 0) return;
  struct span name = cut_class_name(c->signature);
  text_plain(b, (struct span){name.data, name.len - cut_package(name).len});
  text_plain(b, c->source);
}

void names_place(struct builder *b, const struct dump *d, place_t place) {
  names_method(b, d, place_method(place));
  size_t method_end = b->len;
  builder_string(b, " (");
  size_t source = b->len;
  names_source(b, d, place);
  if (b->len == source) {
    b->len = method_end; /* the file is not known: remove the parenthesis */
  } else {
    builder_char(b, ')');
  }
}

void names_short_place(struct builder *b, const struct dump *d, place_t place) {
  names_method(b, d, place_method(place));
  if (place_line(place) == 0) return;
  builder_char(b, ':');
  text_decimal(b, place_line(place));
}

/* --- objects and threads --------------------------------------------------------- */

static void put_class_of_object(struct builder *b, const struct dump *d,
                                const struct dump_object *o,
                                void (*put_type)(struct builder *, struct span)) {
  const struct class_line *represented = dump_represented(d, o);
  const struct class_line *c = represented != NULL ? represented : dump_class(d, o->line.class_id);
  if (represented != NULL) builder_string(b, "class ");
  if (c == NULL) {
    put_numbered(b, "class ", o->line.class_id);
  } else {
    put_type(b, c->signature);
  }
}

void names_object_class(struct builder *b, const struct dump *d, const struct dump_object *o) {
  put_class_of_object(b, d, o, names_type);
}

static void put_object(struct builder *b, const struct dump *d, uint32_t hash,
                       void (*put_type)(struct builder *, struct span)) {
  const struct dump_object *o = dump_objects(d, hash);
  if (o == NULL) builder_string(b, "object");
  for (; o != NULL; o = o->next) {
    put_class_of_object(b, d, o, put_type);
    if (o->next != NULL) builder_string(b, " or ");
  }
  builder_char(b, '@');
  text_hash(b, hash);
}

void names_object(struct builder *b, const struct dump *d, uint32_t hash) {
  put_object(b, d, hash, names_type);
}

void names_short_object(struct builder *b, const struct dump *d, uint32_t hash) {
  put_object(b, d, hash, put_short_type);
}

void names_thread(struct builder *b, const struct threads *t, uint32_t hash) {
  const struct thread *thread = threads_find(t, hash);
  if (thread != NULL && thread->name != NULL && thread->name[0] != '\0') {
    builder_string(b, thread->name);
  } else {
    put_numbered(b, "thread ", hash);
  }
}

/* What the program calls, for each event that begins a pair. */
static const char *const call_names[NUM_EVENTS] = {
#define EVENT(id, name, group, shape, role, lock, wake, traits, call) call,
#include "agent/event/event.def"
};

const char *names_call(enum event_kind kind) {
  return call_names[kind] != NULL ? call_names[kind] : event_infos[kind].name;
}

/* --- the program ------------------------------------------------------------- */

/* Options of `java` whose value is the next word. */
static const char *const options_with_value[] = {
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--add-reads",
    "--add-exports",
    "--add-opens",
    "--limit-modules",
    "--patch-module",
    "--enable-native-access",
    "--source",
};

/* Options of `java` whose value is the program. */
static const char *const program_options[] = {"-jar", "-m", "--module"};

static bool is_any_of(struct span word, const char *const *texts, size_t num) {
  for (size_t i = 0; i < num; i++) {
    if (span_is(word, texts[i])) return true;
  }
  return false;
}
#define IS_ANY_OF(word, texts) is_any_of(word, texts, sizeof(texts) / sizeof *(texts))

static struct span get_file_name(struct span path) {
  const char *slash = path.len == 0 ? NULL : memrchr(path.data, '/', path.len);
  if (slash == NULL) return path;
  return (struct span){slash + 1, path.len - (size_t)(slash + 1 - path.data)};
}

/* Returns the word of the command that names the program; an empty one if there is none. `rest` is
   the command without the executable. */
static struct span find_program(struct span rest) {
  struct span word;
  while (span_cut(&rest, ' ', &word)) {
    bool is_option = word.len == 0 || word.data[0] == '-' || word.data[0] == '@';
    if (!is_option) return word;
    bool names_program = IS_ANY_OF(word, program_options);
    if (!names_program && !IS_ANY_OF(word, options_with_value)) continue;
    if (!span_cut(&rest, ' ', &word)) break;
    if (names_program) return get_file_name(word);
  }
  return (struct span){"", 0};
}

/* Words are separated by spaces, which a path may contain too. The name of a class has no slash, so
   a word with one is part of such a path. */
void names_program(struct builder *b, const struct dump *d) {
  struct span rest, word;
  if (!dump_info(d, INFO_COMMAND, &rest) || !span_cut(&rest, ' ', &word)) return;
  struct span name = get_file_name(word), program = {"", 0};
  if (span_is(name, "java")) program = find_program(rest);
  bool is_clear = program.len > 0 && memchr(program.data, '/', program.len) == NULL;
  text_plain(b, is_clear ? program : name);
}
