#include "tools/orca/dump/dump.h"

#include <set>
#include <string>

#include "tests/support/dump_files.h"

namespace {

std::string ToString(struct span s) { return std::string(s.data, s.len); }

class Dump : public testing::Test {
 protected:
  Dump() { WriteGoodDump(&files_); }
  ~Dump() override { dump_close(dump_); }

  struct dump *Open() {
    struct builder why = {};
    dump_close(dump_);
    dump_ = dump_open(files_.Prefix().c_str(), &why);
    EXPECT_NE(dump_, nullptr);
    builder_free(&why);
    return dump_;
  }

  DumpFiles files_;
  struct dump *dump_ = nullptr;
};

TEST_F(Dump, FailsToOpenWithAReason) {
  struct builder why = {};
  EXPECT_EQ(dump_open((files_.Folder() + "/foo").c_str(), &why), nullptr);
  EXPECT_NE(ToString({why.data, why.len}).find("foo.orca does not exist"), std::string::npos);
  builder_free(&why);
  dump_close(nullptr);
}

TEST_F(Dump, ReturnsItsPrefix) { EXPECT_EQ(dump_prefix(Open()), files_.Prefix()); }

TEST_F(Dump, FindsMethodsClassesAndObjectsById) {
  struct dump *d = Open();
  const struct method_line *method = dump_method(d, 9);
  ASSERT_NE(method, nullptr);
  EXPECT_EQ(ToString(method->name), "main");
  EXPECT_EQ(ToString(method->signature), "([Ljava/lang/String;)V");
  const struct class_line *owner = dump_class(d, method->class_id);
  ASSERT_NE(owner, nullptr);
  EXPECT_EQ(ToString(owner->signature), "LPingPong;");
  EXPECT_EQ(ToString(owner->source), "PingPong.java");
  EXPECT_EQ(dump_method(d, 77), nullptr);
  EXPECT_EQ(dump_class(d, 77), nullptr);
  EXPECT_EQ(dump_objects(d, 77), nullptr);
  EXPECT_EQ(dump_faults(d)->num, 0u);
}

// Methods with other lines, parameters or names, and those of classes that are not known, are
// alone.
TEST_F(Dump, FindsMethodsOfClassesOfOneOrigin) {
  files_.Append(DUMP_CLASSES,
                "1.0000000000,000000D1,LQuery.0x01;,Query.java\n"
                "1.0000000000,000000D2,LQuery.0x02;,Query.java\n"
                "1.0000000000,000000D3,LQuery.0x03;,Query.java\n");
  files_.Append(DUMP_METHODS,
                "1.0000000000,00000030,run,()V,000000D1,1;00000000;00000058\n"
                "1.0000000000,00000031,run,()V,000000D2,1;00000000;00000058\n"
                "1.0000000000,00000032,run,()V,000000D3,1;00000000;00000058\n"
                "1.0000000000,00000033,run,(I)V,000000D3,1;00000000;00000058\n"
                "1.0000000000,00000034,run,()V,000000D3,1;00000000;00000059\n"
                "1.0000000000,00000035,run,()V,000000D1,1;00000000;00000058\n"
                "1.0000000000,00000036,run,()V,000000DF,1;00000000;00000058\n");
  const struct dump *d = Open();
  for (uint32_t id : {0x30, 0x31, 0x32, 0x35}) {
    EXPECT_EQ(dump_alike_method(d, id), 0x30u) << id;
    EXPECT_EQ(dump_alike_classes(d, id), 3u) << id;
  }
  for (uint32_t id : {0x33, 0x34, 0x36, 0x77}) {
    EXPECT_EQ(dump_alike_method(d, id), id) << id;
    EXPECT_EQ(dump_alike_classes(d, id), 1u) << id;
  }
}

TEST_F(Dump, IteratesOverClassesMethodsAndObjects) {
  const struct dump *d = Open();
  std::set<uint32_t> classes, objects, methods;
  uint32_t id;
  for (size_t cursor = 0; dump_next_class(d, &cursor, &id);) {
    EXPECT_TRUE(classes.insert(id).second);
    EXPECT_NE(dump_class(d, id), nullptr);
  }
  for (size_t cursor = 0; dump_next_object(d, &cursor, &id);) {
    EXPECT_TRUE(objects.insert(id).second);
    EXPECT_NE(dump_objects(d, id), nullptr);
  }
  for (size_t cursor = 0; dump_next_method(d, &cursor, &id);) {
    EXPECT_NE(dump_method(d, id), nullptr);
    methods.insert(id);
  }
  EXPECT_TRUE(methods.count(9));
  EXPECT_TRUE(classes.count(dump_method(d, 9)->class_id));
  EXPECT_FALSE(objects.empty());
}

TEST_F(Dump, FindsSourceLines) {
  struct dump *d = Open();
  EXPECT_EQ(dump_source_line(d, {9, 0}), 10u);
  EXPECT_EQ(dump_source_line(d, {9, 7}), 10u);
  EXPECT_EQ(dump_source_line(d, {9, 99}), 11u);
  EXPECT_EQ(dump_source_line(d, {9, LOCATION_NATIVE}), 0u);
  EXPECT_EQ(dump_source_line(d, {1, 0}), 0u);   // no table
  EXPECT_EQ(dump_source_line(d, {77, 0}), 0u);  // no such method
}

TEST_F(Dump, FindsAllObjectsOfAHash) {
  files_.Append(DUMP_OBJECTS, "100.0000000099,0000000C,000000C3\n");
  files_.Append(DUMP_OBJECTS, "100.0000000100,0000000C,000000C4\n");
  const struct dump_object *o = dump_objects(Open(), 0xC);
  ASSERT_NE(o, nullptr);
  EXPECT_EQ(o->line.class_id, 0xC1u);
  uint32_t others = 0;
  for (o = o->next; o != nullptr; o = o->next) others += o->line.class_id;
  EXPECT_EQ(others, 0xC3u + 0xC4u);
}

TEST_F(Dump, KeepsTheFirstDefinitionOfAnId) {
  files_.Append(DUMP_METHODS, "100.0000000099,00000009,other,()V,000000C1,-1\n");
  files_.Append(DUMP_CLASSES, "100.0000000099,000000C4,LOther;,\n");
  struct dump *d = Open();
  EXPECT_EQ(ToString(dump_method(d, 9)->name), "main");
  EXPECT_EQ(ToString(dump_class(d, 0xC4)->signature), "LPingPong;");
}

TEST_F(Dump, ReturnsTheLastValueOfAnInfoKey) {
  files_.Append(DUMP_INFO, "end.reason=stop=now\nno.such.key=1\n");
  struct dump *d = Open();
  struct span value;
  ASSERT_TRUE(dump_info(d, INFO_END_REASON, &value));
  EXPECT_EQ(ToString(value), "stop=now");
  ASSERT_TRUE(dump_info(d, INFO_COMMAND, &value));
  EXPECT_EQ(ToString(value), "PingPong a,b");
  EXPECT_FALSE(dump_info(d, INFO_SET_NUMBER, &value));
}

TEST_F(Dump, StreamsAFileMoreThanOnce) {
  struct dump *d = Open();
  for (int i = 0; i < 2; i++) {
    struct stream *s = dump_stream(d, DUMP_EVENTS);
    size_t events = 0;
    for (struct event_line e; stream_event(s, &e);) events++;
    EXPECT_EQ(events, 21u);
    stream_close(s);
  }
}

// The 2014 format has only .orca, .methods and .classtable. Such a dump can be opened.
TEST_F(Dump, CountsMissingFilesAsFaults) {
  for (enum dump_file file : {DUMP_OBJECTS, DUMP_INFO, DUMP_SAMPLES}) files_.Remove(file);
  struct dump *d = Open();
  EXPECT_EQ(dump_faults(d)->num, 2u);  // .samples is not read on opening
  EXPECT_NE(dump_method(d, 9), nullptr);
  struct span value;
  EXPECT_FALSE(dump_info(d, INFO_PID, &value));
  EXPECT_FALSE(coverage_option(dump_coverage(d), OPTION_interval, &value));
}

}  // namespace
