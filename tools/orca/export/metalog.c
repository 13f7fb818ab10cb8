/* The meta log of the first Orca, one file: a line a class, then a line a method.
     classSignature,sourceFileName
     methodID,methodName,methodSignature,declaringClass,entries,startLocation,lineNumber,…
   Names stay spelled as in the dump, where no comma can stand in one. */
#include "tools/orca/export/format.h"

static void put(struct builder *b, struct span s) { builder_bytes(b, s.data, s.len); }

/* The dump may repeat a class that was redefined: its first line stands for it. */
static bool put_classes(const struct export_job *job) {
  struct stream *s = dump_stream(job->dump, DUMP_CLASSES);
  struct builder *b = &job->out->text;
  struct class_line line;
  bool good = true;
  while (good && stream_class(s, &line)) {
    const struct class_line *first = dump_class(job->dump, line.class_id);
    if (first == NULL || first->time != line.time) continue;
    put(b, line.signature);
    builder_char(b, ',');
    put(b, line.source);
    builder_char(b, '\n');
    good = output_pass_on(job->out);
  }
  stream_close(s);
  return good;
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

static void put_method(struct builder *b, const struct dump *d, const struct method_line *line) {
  const struct class_line *c = dump_class(d, line->class_id);
  text_hash(b, line->method_id);
  builder_char(b, ',');
  put(b, line->name);
  builder_char(b, ',');
  put(b, line->signature);
  builder_char(b, ',');
  if (c != NULL) put(b, c->signature);
  builder_char(b, ',');
  put_line_table(b, line->lines);
  builder_char(b, '\n');
}

static bool put_methods(const struct export_job *job) {
  struct stream *s = dump_stream(job->dump, DUMP_METHODS);
  struct method_line line;
  bool good = true;
  while (good && stream_method(s, &line)) {
    put_method(&job->out->text, job->dump, &line);
    good = output_pass_on(job->out);
  }
  stream_close(s);
  return good;
}

bool export_metalog(const struct export_job *job) { return put_classes(job) && put_methods(job); }
