/* The meta log of the first Orca, a single file: a line per class, then a line per method.
     classSignature,sourceFileName
     methodID,methodName,methodSignature,declaringClass,entries,startLocation,lineNumber,…
   Names are spelled as in the dump, which escapes commas. */
#include "tools/orca/export/format.h"

static void put_quoted(struct builder *b, struct span s) { builder_bytes(b, s.data, s.len); }

/* The dump repeats a class that was redefined. Only the class's first line is exported. */
static bool put_classes(const struct export_job *job) {
  struct stream *s = dump_stream(job->dump, DUMP_CLASSES);
  struct builder *b = &job->out->text;
  struct class_line line;
  bool is_good = true;
  while (is_good && stream_class(s, &line)) {
    const struct class_line *first = dump_class(job->dump, line.class_id);
    if (first == NULL || first->time != line.time) continue;
    put_quoted(b, line.signature);
    builder_char(b, ',');
    put_quoted(b, line.source);
    builder_char(b, '\n');
    is_good = output_write_if_large(job->out);
  }
  stream_close(s);
  return is_good;
}

static void put_line_table(struct builder *b, struct span lines) {
  size_t entries;
  if (lines_check(lines, &entries) != NULL || entries == 0) {
    builder_string(b, "-1");
    return;
  }
  for (size_t i = 0; i < lines.len; i++) {
    builder_char(b, lines.data[i] == ';' ? ',' : lines.data[i]);
  }
}

static bool put_symbols(const struct export_job *job) {
  struct stream *s = dump_stream(job->dump, DUMP_METHODS);
  struct builder *b = &job->out->text;
  struct method_line line;
  bool is_good = true;
  while (is_good && stream_method(s, &line)) {
    const struct class_line *c = dump_class(job->dump, line.class_id);
    text_hash(b, line.method_id);
    builder_char(b, ',');
    put_quoted(b, line.name);
    builder_char(b, ',');
    put_quoted(b, line.signature);
    builder_char(b, ',');
    if (c != NULL) put_quoted(b, c->signature);
    builder_char(b, ',');
    put_line_table(b, line.lines);
    builder_char(b, '\n');
    is_good = output_write_if_large(job->out);
  }
  stream_close(s);
  return is_good;
}

bool export_metalog(const struct export_job *job) { return put_classes(job) && put_symbols(job); }
