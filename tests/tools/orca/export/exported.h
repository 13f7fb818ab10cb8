#pragma once
// Exports the small dump.
#include <stdio.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/export/format.h"

// An export of the small dump, which has been read, by CPU time or of the first table.
inline struct export_job MakeJob(SmallModel *small, struct output *out,
                                 const struct labels *labels) {
  struct export_job job = {};
  job.dump = small->dump;
  job.model = &small->model;
  job.value = PROFILE_CPU;
  job.table = &tsv_tables[0];
  job.out = out;
  job.labels = labels;
  return job;
}

class Exported {
 public:
  // The small dump in a format.
  std::string ExportAs(const std::string &format, enum profile_value value = PROFILE_CPU,
                       bool threads = false) {
    return Export(format, value, threads, "runs", {});
  }
  // The same as a table of the format tsv.
  std::string ExportTable(const std::string &table, const std::vector<std::string> &texts = {}) {
    return Export("tsv", PROFILE_CPU, false, table, texts);
  }

  DumpFiles &files() { return small.files; }
  // Gives worker-1 another name, in the spelling of the files.
  void NameWorker(const std::string &as_spelled) {
    files().Replace(DUMP_EVENTS, "00000002,worker-1", "00000002," + as_spelled);
  }
  // Removes all events and samples.
  void Empty() {
    for (enum dump_file file : {DUMP_EVENTS, DUMP_SAMPLES}) files().Write(file, "");
  }

  SmallModel small;

 private:
  // Reads the files if they were not read yet.
  std::string Export(const std::string &format, enum profile_value value, bool threads,
                     const std::string &table, const std::vector<std::string> &label_texts) {
    if (small.dump == nullptr) small.Read();
    char *text = nullptr;
    size_t len = 0;
    struct output out = {};
    out.file = open_memstream(&text, &len);
    struct labels labels = LABELS_NONE;
    for (const std::string &label : label_texts) {
      EXPECT_EQ(labels_add(&labels, label.c_str()), nullptr);
    }
    struct export_job job = MakeJob(&small, &out, &labels);
    job.value = value;
    job.threads = threads;
    job.table = tsv_table_find(table.c_str());
    const struct export_format *found = export_find(format.c_str());
    EXPECT_NE(found, nullptr) << format;
    EXPECT_TRUE(found->write(&job) && output_end(&out)) << format;
    fclose(out.file);
    output_free(&out);
    std::string written(text, len);
    free(text);
    return written;
  }
};
