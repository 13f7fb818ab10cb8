#include "tools/orca/cmd/first_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/orca/answer/answer.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/model/model.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/findings.h"
#include "tools/orca/render/view/say.h"
#include "tools/orca/render/view/view.h"
#include "tools/orca/render/width.h"
#include "tools/orca/run/launch.h"
#include "tools/orca/run/shown_path.h"

#define SCREEN_LINES 30
#define MAX_SENTENCES 5
#define MIN_SENTENCE_LINES 4
#define MAX_OTHERS 6     /* lines about other JVMs */
#define TIME_WIDTH 7     /* columns of "12.3 ms" */
#define LEAST_COMMAND 20 /* columns */

/* --- the JVMs of the run --------------------------------------------------------------------- */

static void quote_path(struct builder *out, const char *path) {
  struct builder shown = {0};
  shown_path(&shown, path);
  builder_char(&shown, '\0');
  launch_quote(out, shown.failed ? path : shown.data);
  builder_char(out, '\0');
  builder_free(&shown);
}

/* The report of the first one says why its recording cannot be read. */
static void read_jvm(struct run_jvm *jvm, const char *path) {
  struct builder why = {0};
  struct model model = {0};
  jvm->path = path;
  quote_path(&jvm->quoted, path);
  struct dump *d = dump_open(path, &why);
  if (d != NULL && model_read(&model, d, NULL, ANALYSES(PROCESS))) {
    jvm->cpu_ns = model.process.known ? model.process.cpu_ns : model.cpu.total_ns;
    jvm->time = recording_time(&model.recording);
    view_command_line(&jvm->command, &model);
  }
  if (d != NULL) {
    model_free(&model);
    dump_close(d);
  }
  builder_free(&why);
}

static int compare_work(const void *left, const void *right) {
  const struct run_jvm *a = left, *b = right;
  if (a->cpu_ns != b->cpu_ns) return a->cpu_ns < b->cpu_ns ? 1 : -1;
  if (a->time != b->time) return a->time < b->time ? 1 : -1;
  return strcmp(a->path, b->path);
}

bool run_jvms_read(struct run_jvms *out, const struct new_dumps *dumps) {
  *out = (struct run_jvms){.rows = calloc(dumps->num, sizeof *out->rows)};
  if (out->rows == NULL) return false;
  bool ok = true;
  for (; out->num < dumps->num; out->num++) {
    read_jvm(&out->rows[out->num], dumps->prefixes[out->num]);
    ok &= !out->rows[out->num].quoted.failed;
  }
  qsort(out->rows, out->num, sizeof *out->rows, compare_work);
  if (!ok) run_jvms_free(out);
  return ok;
}

void run_jvms_put_first(struct run_jvms *jvms, const char *prefix) {
  for (size_t i = 0; i < jvms->num; i++) {
    struct run_jvm first = jvms->rows[i];
    if (strcmp(first.path, prefix) != 0) continue;
    memmove(jvms->rows + 1, jvms->rows, i * sizeof *jvms->rows);
    jvms->rows[0] = first;
    jvms->begins_with_deadlock = true;
  }
}

void run_jvms_free(struct run_jvms *jvms) {
  for (size_t i = 0; i < jvms->num; i++) {
    builder_free(&jvms->rows[i].quoted);
    builder_free(&jvms->rows[i].command);
  }
  free(jvms->rows);
  *jvms = (struct run_jvms){0};
}

struct screen {
  struct builder program; /* in the spelling of a shell, with a NUL */
  const struct run_jvms *run;
};

/* --- the parts of the screen ----------------------------------------------------------------- */

static size_t count_lines(struct span text) {
  size_t n = 0;
  for (size_t i = 0; i < text.len; i++) n += text.data[i] == '\n';
  return n;
}

static struct span get_text(const struct builder *b) { return (struct span){b->data, b->len}; }

static void append_heading(struct builder *b, const struct screen *s) {
  uint64_t all = 0;
  for (size_t i = 0; i < s->run->num; i++) all += s->run->rows[i].cpu_ns;
  if (s->run->num == 1) return;
  builder_format(b, "%s JVMs were recorded. This one %s, with %s of %s of CPU time:\n",
                 UNIT_COUNT(s->run->num),
                 s->run->begins_with_deadlock ? "has a deadlock" : "worked most",
                 UNIT_TIME(s->run->rows[0].cpu_ns), UNIT_TIME(all));
}

static size_t get_prefix_width(const struct run_jvm *jvm) {
  return width_measure((struct span){jvm->quoted.data, strlen(jvm->quoted.data)});
}

/* The prefix is padded to `prefix_width` columns. The command to copy is never cut. */
static void append_other(struct builder *b, const struct screen *s, const struct run_jvm *jvm,
                         size_t prefix_width, size_t columns) {
  struct builder line = {0};
  struct unit_text time = unit_time_text(jvm->cpu_ns);
  size_t time_width = width_measure((struct span){time.text, strlen(time.text)});
  size_t padding = prefix_width - get_prefix_width(jvm) + 2;
  if (time_width < TIME_WIDTH) padding += TIME_WIDTH - time_width;
  builder_format(&line, "  %s report %s%*s%s  ", s->program.data, jvm->quoted.data, (int)padding,
                 "", time.text);
  size_t width = width_measure(get_text(&line));
  builder_bytes(b, line.data, line.len);
  width_cut(b, get_text(&jvm->command),
            width + LEAST_COMMAND < columns ? columns - width : LEAST_COMMAND);
  builder_char(b, '\n');
  b->failed |= line.failed;
  builder_free(&line);
}

/* Appends at most `room` lines. */
static void append_others(struct builder *b, const struct screen *s, const struct style *style,
                          size_t room) {
  size_t others = s->run->num - 1, shown = room < 3 ? 0 : room - 2;
  if (others == 0) return;
  if (shown > MAX_OTHERS) shown = MAX_OTHERS;
  if (shown < others && shown > 0) shown--; /* a line says how many are left out */
  if (shown > others) shown = others;
  style_heading(b, style, "The other JVMs, by CPU time");
  size_t prefix_width = 0;
  for (size_t i = 1; i <= shown; i++) {
    size_t width = get_prefix_width(&s->run->rows[i]);
    if (width > prefix_width) prefix_width = width;
  }
  for (size_t i = 1; i <= shown; i++) {
    append_other(b, s, &s->run->rows[i], prefix_width, style->width);
  }
  if (shown < others) page_more(b, others - shown);
}

/* Appends the first `room` lines of a sentence. */
static void append_part(struct builder *b, struct span sentence, size_t room) {
  struct span line;
  for (size_t i = 0; i < room && span_cut(&sentence, '\n', &line); i++) {
    builder_bytes(b, line.data, line.len);
    if (i + 1 == room) builder_string(b, " …");
    builder_char(b, '\n');
  }
}

static void put_sentence(struct builder *out, const struct finding *finding,
                         const struct style *style) {
  struct builder text = {0};
  say_finding(&text, finding);
  view_put_sentence(out, style, &text);
}

/* Appends the heading and those of the first sentences that fit. Returns how many are left out. */
static size_t append_findings(struct builder *b, const struct findings *f,
                              const struct style *style, size_t room) {
  size_t shown = 0, start = b->len;
  style_heading(b, style, "In short");
  size_t heading = count_lines((struct span){b->data + start, b->len - start});
  room -= room < heading ? room : heading;
  for (; shown < f->num && shown < MAX_SENTENCES; shown++) {
    struct builder sentence = {0};
    put_sentence(&sentence, &f->rows[shown], style);
    size_t lines = count_lines(get_text(&sentence));
    bool fits = lines <= room;
    if (fits) builder_bytes(b, sentence.data, sentence.len);
    if (!fits && shown == 0) append_part(b, get_text(&sentence), room);
    b->failed |= sentence.failed;
    builder_free(&sentence);
    if (!fits) break;
    room -= lines;
  }
  return f->num - shown;
}

static void append_screen(struct page *p, struct model *m, size_t top, const void *options) {
  const struct screen *s = options;
  struct builder head = {0}, body = {0}, next = {0}, others = {0};
  struct answer a;
  struct view_next steps = {.program = s->program.data, .prefix = s->run->rows[0].quoted.data};
  (void)top;
  p->out.failed |= !answer_read(&a, m, NULL);
  append_heading(&head, s);
  view_brief_header(&head, m, &p->style);
  view_next_steps(&next, m, &p->style, &steps);
  size_t used = count_lines(get_text(&head)) + count_lines(get_text(&next));
  size_t least = used + MIN_SENTENCE_LINES + 2; /* with an empty line and a heading */
  append_others(&others, s, &p->style, least < SCREEN_LINES ? SCREEN_LINES - least : 0);
  used += count_lines(get_text(&others));
  steps.more = append_findings(&body, &a.findings, &p->style,
                               used + MIN_SENTENCE_LINES < SCREEN_LINES ? SCREEN_LINES - used : 6);
  next.len = 0; /* now it is known how many sentences are left out */
  view_next_steps(&next, m, &p->style, &steps);
  struct builder *const parts[] = {&head, &body, &next, &others};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    p->out.failed |= parts[i]->failed;
    builder_bytes(&p->out, parts[i]->data, parts[i]->len);
    builder_free(parts[i]);
  }
  answer_free(&a);
}

static void quote_program(struct builder *out, const char *program) {
  struct builder shown = {0};
  shown_path(&shown, program);
  builder_char(&shown, '\0');
  /* a shell searches a name without a slash in PATH */
  bool is_path = !shown.failed && strchr(shown.data, '/') != NULL;
  launch_quote(out, is_path ? shown.data : program);
  builder_char(out, '\0');
  builder_free(&shown);
}

int first_screen_print(const struct run_jvms *run, const char *program) {
  static const struct command command = {.view = {.append = append_screen}};
  struct screen screen = {.run = run};
  char *operands[] = {(char *)run->rows[0].path, NULL};
  struct call call = {"run", &command, &screen, {.top = 1}, operands, 1, 0};
  quote_program(&screen.program, program);
  int status = view_command_run(&call);
  builder_free(&screen.program);
  return status;
}
