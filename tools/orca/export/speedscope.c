/* The file format of speedscope.app: a table of frames, then a profile for each value. A stack is a
   list of frame numbers, with nanoseconds as its weight. The stacks are those of the model's
   profile: each occurs once, with its time in the whole recording. So their order is not that of
   time, and the names of the profiles say so. */
#include <string.h>

#include "agent/base/version.h"
#include "tools/orca/export/format.h"
#include "tools/orca/export/frame.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/json.h"

/* Speedscope opens a file in its view Time Order. */
#define NO_ORDER " (sums, in no order of time: use Left Heavy)"

static const char *const titles[NUM_PROFILE_VALUES] = {
    [PROFILE_CPU] = "CPU time" NO_ORDER,
    [PROFILE_WALL] = "Wall-clock time" NO_ORDER,
    [PROFILE_BLOCKED] = "Blocked on locks" NO_ORDER,
    [PROFILE_WAITS] = "Waiting" NO_ORDER,
};

struct scope {
  const struct export_job *job;
  const struct profile *profile;
  struct json json;
  struct hashmap numbers; /* sort and id of a frame -> its number plus one */
  struct builder name;    /* of the frame that is being written */
};

static uint64_t make_frame_key(struct shown_frame frame) {
  return (uint64_t)frame.sort << 32 | frame.id;
}

static bool pass_output_on(struct scope *s) { return output_write_if_large(s->job->out); }

/* --- frames -------------------------------------------------------------------------- */

static void put_member(struct scope *s, const char *key) {
  json_key(&s->json, key);
  json_string(&s->json, (struct span){s->name.data, s->name.len});
  s->name.len = 0;
}

static void put_source(struct scope *s, uint32_t method) {
  names_path(&s->name, s->job->dump, method);
  if (s->name.len == 0) return;
  put_member(s, "file");
  uint32_t line = dump_source_line(s->job->dump, (struct frame){method, 0});
  if (line > 0) json_unsigned_member(&s->json, "line", line);
}

static bool put_frame(struct scope *s, struct shown_frame frame) {
  uint64_t *number = hashmap_at(&s->numbers, make_frame_key(frame));
  if (number == NULL) return false;
  if (*number != 0) return true;
  *number = hashmap_size(&s->numbers);
  json_begin_object(&s->json);
  frame_put_name(&s->name, s->job, frame);
  put_member(s, "name");
  if (frame.sort == FRAME_METHOD) put_source(s, frame.id);
  json_end_object(&s->json);
  return !s->name.failed && pass_output_on(s);
}

static bool put_frames(struct scope *s) {
  json_key(&s->json, "shared");
  json_begin_object(&s->json);
  json_key(&s->json, "frames");
  json_begin_array(&s->json);
  for (size_t i = 0; i < s->profile->num; i++) {
    struct frame_walk walk = frame_walk(s->job, &s->profile->rows[i]);
    for (struct shown_frame frame; frame_walk_next(&walk, &frame);) {
      if (!put_frame(s, frame)) return false;
    }
  }
  json_end_array(&s->json);
  json_end_object(&s->json);
  return true;
}

/* --- profiles -------------------------------------------------------------------------- */

static bool put_stacks(struct scope *s, enum profile_value value) {
  json_key(&s->json, "samples");
  json_begin_array(&s->json);
  for (size_t i = 0; i < s->profile->num; i++) {
    const struct profile_row *row = &s->profile->rows[i];
    if (profile_ns(row, value) == 0) continue;
    struct frame_walk walk = frame_walk(s->job, row);
    json_begin_array(&s->json);
    for (struct shown_frame frame; frame_walk_next(&walk, &frame);) {
      uint64_t number = 0;
      hashmap_get(&s->numbers, make_frame_key(frame), &number);
      json_unsigned(&s->json, number - 1);
    }
    json_end_array(&s->json);
    if (!pass_output_on(s)) return false;
  }
  json_end_array(&s->json);
  return true;
}

static bool put_profile(struct scope *s, enum profile_value value) {
  json_begin_object(&s->json);
  json_text_member(&s->json, "type", "sampled");
  json_text_member(&s->json, "name", titles[value]);
  json_text_member(&s->json, "unit", "nanoseconds");
  json_unsigned_member(&s->json, "startValue", 0);
  if (!put_stacks(s, value)) return false;
  uint64_t sum = 0;
  json_key(&s->json, "weights");
  json_begin_array(&s->json);
  for (size_t i = 0; i < s->profile->num; i++) {
    uint64_t ns = profile_ns(&s->profile->rows[i], value);
    if (ns > 0) json_unsigned(&s->json, ns);
    sum += ns;
    pass_output_on(s); /* the output keeps its error, which the return statement checks */
  }
  json_end_array(&s->json);
  json_unsigned_member(&s->json, "endValue", sum);
  json_end_object(&s->json);
  return pass_output_on(s);
}

static bool put_file(struct scope *s) {
  json_begin_object(&s->json);
  json_text_member(&s->json, "$schema", "https://www.speedscope.app/file-format-schema.json");
  /* "run (CPU time sampled by signals)" */
  builder_string(&s->name, basename(dump_prefix(s->job->dump)));
  builder_string(&s->name, " (");
  recording_put_sampler(&s->name, &s->job->model->recording);
  builder_char(&s->name, ')');
  put_member(s, "name");
  json_text_member(&s->json, "exporter", "orca " ORCA_VERSION);
  json_unsigned_member(&s->json, "activeProfileIndex", PROFILE_CPU);
  if (!put_frames(s)) return false;
  json_key(&s->json, "profiles");
  json_begin_array(&s->json);
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
    if (!put_profile(s, (enum profile_value)value)) return false;
  }
  json_end_array(&s->json);
  json_end_object(&s->json);
  builder_char(&s->job->out->text, '\n');
  return true;
}

bool export_speedscope(const struct export_job *job) {
  struct profile folded;
  struct scope s = {.job = job, .json = {.out = &job->out->text}};
  s.profile = frame_profile(job, &folded);
  bool is_good = s.profile != NULL && put_file(&s);
  profile_free(&folded);
  hashmap_free(&s.numbers);
  builder_free(&s.name);
  return is_good;
}
