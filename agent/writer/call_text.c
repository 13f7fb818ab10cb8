#include "agent/writer/call_text.h"

#include <stdio.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/text.h"

#define MAX_NAME 300 /* bytes of the name of a method */

/* --- names ------------------------------------------------------------------------------------ */

/* "Lcom/acme/Cart;" becomes com.acme.Cart. */
static void put_class(struct builder *b, struct span signature) {
  bool is_object = signature.len > 2 && signature.data[0] == 'L' && span_ends(signature, ";");
  struct span name = is_object ? (struct span){signature.data + 1, signature.len - 2} : signature;
  size_t start = b->len;
  text_plain(b, name);
  for (size_t i = start; i < b->len; i++) {
    if (b->data[i] == '/') b->data[i] = '.';
  }
}

/* The text of a method begins "METHODID,name,signature,CLASSID,", that of a class
   "CLASSID,signature,". */
static bool put_method(struct definitions *d, uint32_t method, struct builder *b) {
  struct builder text = {0}, class_text = {0};
  struct span id, name, signature, class_field, class_name;
  uint32_t class_id = 0;
  bool good = method != 0 && definitions_find(d, FILE_METHODS, method, &text) && !text.failed;
  struct span rest = {text.data, text.len};
  good = good && span_cut(&rest, ',', &id) && span_cut(&rest, ',', &name) &&
         span_cut(&rest, ',', &signature) && span_cut(&rest, ',', &class_field) &&
         text_parse_hash(class_field, &class_id) &&
         definitions_find(d, FILE_CLASSES, class_id, &class_text) && !class_text.failed;
  struct span class_rest = {class_text.data, class_text.len};
  good = good && span_cut(&class_rest, ',', &id) && span_cut(&class_rest, ',', &class_name);
  if (good) {
    put_class(b, class_name);
    builder_char(b, '.');
    text_plain(b, name);
  }
  builder_free(&text);
  builder_free(&class_text);
  return good;
}

/* --- the sentence ----------------------------------------------------------------------------- */

/* Cuts a name that is too long, but no character. */
static void cut_name(struct builder *b) {
  if (b->len <= MAX_NAME) return;
  size_t len = MAX_NAME;
  while (len > 0 && (b->data[len] & 0xC0) == 0x80) len--;
  b->len = len;
  builder_string(b, "…");
}

static void put_time(struct builder *b, uint64_t ns) {
  bool is_short = ns < NS_PER_S;
  builder_format(b, is_short ? "%.0f ms" : "%.1f s",
                 (double)ns / (double)(is_short ? NS_PER_MS : NS_PER_S));
}

static void put_thread(struct builder *b, const struct long_call *call) {
  if (call->name_len == 0) {
    builder_format(b, "thread %08X", call->thread);
    return;
  }
  builder_string(b, "thread \"");
  text_plain(b, (struct span){call->name, call->name_len});
  builder_char(b, '"');
}

void call_text_write(struct output *o, const struct long_call *call, char *out, size_t size) {
  struct builder b = {0};
  output_flush(o); /* takes the definitions */
  if (!put_method(&o->definitions, call->method, &b))
    builder_format(&b, "method %08X", call->method);
  cut_name(&b);
  builder_string(&b, call->is_over ? " took " : " has run for ");
  put_time(&b, call->ns);
  builder_string(&b, " in ");
  put_thread(&b, call);
  if (!call->is_over) builder_string(&b, " and goes on");
  if (call->num > 1)
    builder_format(&b, "; %zu calls were too long, this one the longest", call->num);
  snprintf(out, size, "%.*s", (int)b.len, b.data);
  builder_free(&b);
}
