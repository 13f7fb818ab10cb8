#include "tools/orca/dump/tables.h"

#include <string>

#include "tests/support/dump_files.h"

namespace {

TEST(Tables, StayEmptyForAnUnreadableFile) {
  struct tables t = {};
  for (int file = 0; file < NUM_DUMP_FILES; file++) {
    EXPECT_TRUE(tables_load(&t, static_cast<enum dump_file>(file), nullptr));
  }
  EXPECT_EQ(hashmap_size(&t.classes), 0u);
  EXPECT_EQ(t.info, nullptr);
  tables_free(&t);
}

// The ids 0 and 2^32-1 have no special meaning for the reader.
TEST(Tables, AcceptManyRowsAndExtremeIds) {
  DumpFiles files;
  std::string text;
  char line[80];
  for (uint32_t i = 0; i < 5000; i++) {
    snprintf(line, sizeof line, "1.0000000000,%08X,%08X\n", i * 0x01000193u, i % 7);
    text += line;
  }
  files.Write(DUMP_OBJECTS, text + "1.0000000000,FFFFFFFF,00000000\n");
  struct faults faults = {};
  struct tables t = {};
  struct stream *s = stream_open(files.Path(DUMP_OBJECTS).c_str(), DUMP_OBJECTS, &faults);
  EXPECT_TRUE(tables_load(&t, DUMP_OBJECTS, s));
  stream_close(s);
  EXPECT_EQ(hashmap_size(&t.objects), 5001u);
  uint64_t row = 0;
  for (uint32_t i = 0; i < 5000; i++) {
    ASSERT_TRUE(hashmap_get(&t.objects, i * 0x01000193u, &row));
    const auto *object = reinterpret_cast<const struct dump_object *>(row);
    EXPECT_EQ(object->line.class_id, i % 7);
    EXPECT_EQ(object->next, nullptr);
  }
  EXPECT_EQ(faults.num, 0u);
  tables_free(&t);
}

// The texts stay valid after the stream is closed.
TEST(Tables, KeepTheirOwnCopyOfTheText) {
  DumpFiles files;
  WriteGoodDump(&files);
  struct faults faults = {};
  struct tables t = {};
  struct stream *s = stream_open(files.Path(DUMP_METHODS).c_str(), DUMP_METHODS, &faults);
  EXPECT_TRUE(tables_load(&t, DUMP_METHODS, s));
  stream_close(s);
  uint64_t row = 0;
  ASSERT_TRUE(hashmap_get(&t.methods, 9, &row));
  const auto *method = reinterpret_cast<const struct method_line *>(row);
  EXPECT_EQ(std::string(method->name.data, method->name.len), "main");
  tables_free(&t);
}

// A crafted file may contain thousands of objects with one hash.
TEST(Tables, KeepSixteenObjectsOfAHash) {
  DumpFiles files;
  std::string text;
  char line[80];
  for (uint32_t i = 1; i <= 3000; i++) {
    snprintf(line, sizeof line, "1.0000000000,0000000A,%08X\n", i);
    text += line;
  }
  files.Write(DUMP_OBJECTS, text);
  struct faults faults = {};
  struct tables t = {};
  struct stream *s = stream_open(files.Path(DUMP_OBJECTS).c_str(), DUMP_OBJECTS, &faults);
  EXPECT_TRUE(tables_load(&t, DUMP_OBJECTS, s));
  stream_close(s);
  uint64_t row = 0;
  ASSERT_TRUE(hashmap_get(&t.objects, 0xA, &row));
  const auto *object = reinterpret_cast<const struct dump_object *>(row);
  EXPECT_EQ(object->line.class_id, 1u);
  size_t num = 0;
  for (; object != nullptr; object = object->next) num++;
  EXPECT_EQ(num, 16u);
  tables_free(&t);
}

}  // namespace
