#include "tools/orca/render/view/process.h"

/* With command=off, the command is empty. */
static void put_info(struct json *j, const struct model *m, const char *key,
                     enum info_key info_key) {
  struct span value;
  json_key(j, key);
  if (dump_info(m->dump, info_key, &value) && value.len > 0) {
    json_name(j, value);
  } else {
    json_null(j);
  }
}

static void put_ticks(struct json *j, const char *key, ticks_t ticks) {
  json_unsigned_member(j, key, (ticks + TICKS_PER_NS / 2) / TICKS_PER_NS);
}

void view_facts_object(struct json *j, const struct model *m) {
  const struct recording *r = &m->recording;
  uint64_t short_threads = 0;
  json_begin_object(j);
  put_info(j, m, "command", INFO_COMMAND);
  put_info(j, m, "pid", INFO_PID);
  put_info(j, m, "java_version", INFO_JAVA_VERSION);
  put_info(j, m, "start_utc", INFO_START_UTC);
  put_info(j, m, "end_reason", INFO_END_REASON);
  put_ticks(j, "length_ns", r->end - r->start);
  put_ticks(j, "from_ns", r->from - r->start);
  put_ticks(j, "to_ns", r->to - r->start);
  json_unsigned_member(j, "events", r->num_events);
  json_unsigned_member(j, "all_events", r->all_events);
  json_unsigned_member(j, "samples", r->samples);
  json_unsigned_member(j, "all_samples", r->all_samples);
  json_unsigned_member(j, "ticks", r->ticks);
  json_text_member(j, "sampler", r->by_signal ? "signal" : "safepoint");
  json_unsigned_member(j, "cpu_samples", r->cpu_samples);
  json_unsigned_member(j, "pause_ns", r->pause_ns);
  json_unsigned_member(j, "longest_pause_ns", r->longest_pause_ns);
  json_unsigned_member(j, "threads", r->num_threads);
  if (model_short_threads(m, &short_threads)) {
    json_unsigned_member(j, "short_threads", short_threads);
  }
  json_unsigned_member(j, "cpu_ns", m->cpu.total_ns);
  view_process_facts(j, m);
  json_end_object(j);
}

void view_facts(struct page *p, const struct model *m) {
  if (!page_is_json(p)) return;
  json_key(&p->json, "recording");
  view_facts_object(&p->json, m);
}

static void put_prose(struct page *p, const struct model *m, const char *key,
                      void (*view)(struct builder *, const struct model *, const struct style *)) {
  struct builder text = {0};
  struct style style = page_style(p);
  view(&text, m, &style);
  page_sentences(p, key, &text);
}

void view_missing(struct page *p, const struct model *m) {
  put_prose(p, m, "missing", view_losses);
}
