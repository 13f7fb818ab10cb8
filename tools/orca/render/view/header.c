#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/process.h"
#include "tools/orca/render/width.h"

/* Appends a value of .info; nothing if .info does not contain the key. */
static void put_info(struct builder *b, const struct model *m, enum info_key key) {
  struct span value;
  if (dump_info(m->dump, key, &value)) text_plain(b, value);
}

/* "2026-11-20 11:30:00 UTC" of "2026-11-20T11:30:00.123456789Z". */
static void put_start(struct builder *b, const struct model *m) {
  struct span utc, day;
  if (!dump_info(m->dump, INFO_START_UTC, &utc) || !span_cut(&utc, 'T', &day) || utc.len < 8)
    return;
  builder_format(b, " from %.*s %.8s UTC", (int)day.len, day.data, utc.data);
}

static void put_end(struct builder *b, const struct model *m) {
  struct span reason;
  if (!m->recording.ended) {
    builder_string(b, "; the JVM was killed, or it is still running");
  } else if (dump_info(m->dump, INFO_END_REASON, &reason)) {
    builder_string(b, "; ended by ");
    text_plain(b, reason);
  }
}

void view_recorded(struct builder *b, const struct model *m) {
  unit_ticks(b, recording_time(&m->recording));
  put_start(b, m);
  put_end(b, m);
}

void view_jvm(struct builder *b, const struct model *m) { put_info(b, m, INFO_JAVA_VERSION); }

static void put_jvm(struct builder *b, const struct model *m) {
  struct span pid;
  size_t start = b->len;
  view_jvm(b, m);
  if (!dump_info(m->dump, INFO_PID, &pid)) return;
  builder_string(b, b->len > start ? ", pid " : "pid ");
  text_plain(b, pid);
}

/* CPU time of the process. Old recordings contain only that of Java threads. */
static void put_cpu(struct builder *b, const struct model *m) {
  double seconds = (double)recording_time(&m->recording) / (double)TICKS_PER_S;
  if (!m->recording.cpu_known) {
    builder_string(b, "not known");
    return;
  }
  if (m->process.known) {
    view_process_cpu(b, m);
    return;
  }
  unit_time(b, m->cpu.total_ns);
  if (seconds <= 0) return;
  builder_format(b, " in Java threads: %.2f CPUs busy on average",
                 (double)m->cpu.total_ns / 1e9 / seconds);
}

static void put_threads(struct builder *b, const struct model *m) {
  uint64_t alive = 0;
  for (size_t i = 0; i < m->threads.num; i++) alive += m->threads.rows[i].alive;
  builder_format(b, "%s, %s of them alive at the end", UNIT_COUNT(m->threads.num),
                 UNIT_COUNT(alive));
}

static void put_engine(struct builder *b, const struct model *m) {
  struct span engine;
  if (!dump_option(m->dump, "engine", &engine)) return;
  builder_string(b, ", engine ");
  text_plain(b, engine);
}

/* Pairs that the option threshold left out. Their number is written when the recording ends. */
static void put_left_out(struct builder *b, const struct model *m) {
  struct span threshold, number;
  int64_t n;
  if (!dump_threshold(m->dump, &threshold)) return;
  bool known = dump_info(m->dump, INFO_THRESHOLD_PAIRS, &number) && text_parse_decimal(number, &n);
  builder_string(b, "; ");
  if (known && n >= 0) {
    unit_many(b, (uint64_t)n, "pair", "pairs");
  } else {
    builder_string(b, "pairs");
  }
  builder_string(b, " shorter than ");
  text_plain(b, threshold);
  builder_string(b, " left out");
}

static void put_events(struct builder *b, const struct model *m) {
  unit_count(b, m->recording.num_events);
  put_engine(b, m);
  put_left_out(b, m);
}

/* Is this the JVM option that loads Orca's agent? It is not part of the program's command. */
static bool is_agent_option(struct span word) {
  static const char agent[] = "-agentpath:", library[] = "liborca.so";
  return word.len > strlen(agent) && memcmp(word.data, agent, strlen(agent)) == 0 &&
         memmem(word.data, word.len, library, strlen(library)) != NULL;
}

void view_command_line(struct builder *b, const struct model *m) {
  struct span command, word;
  size_t start = b->len;
  if (!dump_info(m->dump, INFO_COMMAND, &command)) return;
  while (span_cut(&command, ' ', &word)) {
    if (is_agent_option(word)) continue;
    if (b->len > start) builder_char(b, ' ');
    text_plain(b, word);
  }
}

/* The rows. `cut` shortens a row to one line; commands lose their middle, because the main class is
   at the end. Rows without `cut` are wrapped. With `may_miss`, an empty row is left out. */
static const struct row {
  const char *label;
  void (*put)(struct builder *, const struct model *);
  void (*cut)(struct builder *, struct span, size_t);
  bool may_miss;
} rows[] = {{"Command   ", view_command_line, width_cut, false},
            {"JVM       ", put_jvm, width_cut_end, false},
            {"Recorded  ", view_recorded, width_cut_end, false},
            {"CPU time  ", put_cpu, NULL, false},
            {"CPUs      ", view_cpus, NULL, true},
            {"Pauses    ", view_pauses, width_cut_end, true},
            {"Threads   ", put_threads, width_cut_end, false},
            {"Events    ", put_events, width_cut_end, false},
            {"Sampled   ", view_sampled, NULL, false}};

static void put_row(struct builder *b, const struct model *m, const struct style *style,
                    const struct row *row) {
  struct builder text = {0};
  builder_string(&text, row->label);
  size_t start = text.len;
  row->put(&text, m);
  bool is_missing = text.len == start;
  if (is_missing) builder_string(&text, "not known");
  if (text.failed || (is_missing && row->may_miss)) {
    b->failed |= text.failed;
  } else if (row->cut != NULL) {
    row->cut(b, (struct span){text.data, text.len}, style->width);
    builder_char(b, '\n');
  } else {
    style_wrap(b, style, row->label, (struct span){text.data + start, text.len - start});
  }
  builder_free(&text);
}

void view_header(struct builder *b, const struct model *m, const struct style *style) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) put_row(b, m, style, &rows[i]);
  view_sampled_caution(b, m, style);
  view_filter(b, m, style);
}
