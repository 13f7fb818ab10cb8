#include "tools/orca/export/format.h"

#include <string>

#include "tests/tools/orca/export/exported.h"

namespace {

TEST(ExportFormat, FindsEachByItsName) {
  for (const struct export_format &format : export_formats) {
    EXPECT_EQ(export_find(format.name), &format);
    EXPECT_NE(format.write, nullptr);
    EXPECT_LT(std::string(format.help).size(), 80u);
  }
  EXPECT_EQ(export_find("frob"), nullptr);
  EXPECT_EQ(export_find(""), nullptr);
}

TEST(ExportFormat, EachExportsAnEmptyDump) {
  for (const struct export_format &format : export_formats) {
    Exported e;
    e.Empty();
    for (enum dump_file file : {DUMP_CLASSES, DUMP_METHODS, DUMP_OBJECTS}) e.files().Remove(file);
    if (std::string(format.name) != "tsv") e.files().Remove(DUMP_INFO);  // see tsv_test.cc
    e.ExportAs(format.name);
  }
}

TEST(ExportFormat, EachStopsIfAWriteFails) {
  for (const struct export_format &format : export_formats) {
    SmallModel small;
    small.Read();
    struct output out = {};
    out.file = fopen("/dev/full", "w");
    struct labels labels = LABELS_NONE;
    struct export_job job = MakeJob(&small, &out, &labels);
    EXPECT_FALSE(format.write(&job) && output_end(&out)) << format.name;
    EXPECT_EQ(out.error, ENOSPC) << format.name;
    fclose(out.file);
    output_free(&out);
  }
}

}  // namespace
