#pragma once
// A build whose tests left small dumps, and what was collected from them. The objects own both.
#include <stdio.h>

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/collect/answer.h"

// Adds sums of short calls, among them 30 waits for monitors that are not told apart.
inline void AddWaitsOfSeveralLocks(DumpFiles *files) {
  AddShortCalls(files);
  files->Append(DUMP_COUNTS,
                "109.6000000000,MonitorContendedEnter,00000000,30,60000000,3000000,0\n");
}

// Reads build events from a text.
class Events {
 public:
  explicit Events(std::string text) {
    FILE *in = fmemopen(text.data(), text.size(), "r");
    struct builder message = {};
    is_read = in != nullptr && build_events_read(&build, in, &message);
    why = message.len == 0 ? "" : std::string(message.data, message.len);
    builder_free(&message);
    if (in != nullptr) fclose(in);
  }
  Events(const Events &) = delete;
  ~Events() { build_events_free(&build); }

  struct build_events build = {};
  bool is_read;
  std::string why;
};

inline std::string ResultEvent(const std::string &label, const std::string &outputs) {
  return "{\"id\":{\"testResult\":{\"label\":\"" + label +
         "\",\"run\":1}},\"testResult\":{\"testActionOutput\":[" + outputs + "]}}\n";
}
inline std::string OutputOf(const std::string &uri,
                            const std::string &name = "test.outputs__outputs.zip") {
  return "{\"name\":\"" + name + "\",\"uri\":\"" + uri + "\"}";
}
inline std::string TargetEvent(const std::string &label) {
  return "{\"id\":{\"targetConfigured\":{\"label\":\"" + label +
         "\"}},\"configured\":{\"targetKind\":\"java_test rule\",\"testSize\":\"SMALL\"}}\n";
}
inline std::string LastEvent() { return "{\"id\":{\"progress\":{}},\"lastMessage\":true}\n"; }

// //a:one and //b:two left a small dump each, //c:none left none, //d:far left outputs elsewhere,
// //e:idle did not run.
class Collected {
 public:
  explicit Collected(const std::string &last = LastEvent())
      : events(ResultEvent("//b:two", "") + ResultEvent("//a:one", "") +
               ResultEvent("//c:none", "") +
               ResultEvent("//d:far", OutputOf("bytestream://cache/blobs/1")) +
               TargetEvent("//e:idle") + last) {
    EXPECT_TRUE(events.is_read) << events.why;
    EXPECT_TRUE(collection_start(&all, &events.build));
    all.tests[3].elsewhere = 1;
  }
  Collected(const Collected &) = delete;
  ~Collected() { collection_free(&all); }

  // Adds the small dump, whose files a caller may change, as a recording of a test.
  void Add(size_t test, const std::string &name, SmallModel *small) {
    EXPECT_TRUE(collection_add(&all, test, name.c_str(), small->Read()));
  }
  void AddBoth() {
    SmallModel one, two;
    Add(0, "/out/one.zip/run", &one);
    Add(1, "/out/two", &two);
    collection_end(&all);
  }

  std::string Write(void (*write)(struct builder *, const struct collection *,
                                  const struct answer_context *),
                    size_t top = 20) const {
    struct builder b = {};
    struct answer_context x = {"bep.json", top};
    write(&b, &all, &x);
    EXPECT_FALSE(b.failed);
    std::string text(b.data, b.len);
    builder_free(&b);
    return text;
  }
  std::vector<std::string> Keys(int kind) const {
    size_t num;
    const struct collected_row *rows = collection_of(&all, kind, &num);
    std::vector<std::string> keys;
    for (size_t i = 0; i < num; i++) keys.push_back(rows[i].key);
    return keys;
  }

  Events events;
  struct collection all = {};
};

using Strings = std::vector<std::string>;
