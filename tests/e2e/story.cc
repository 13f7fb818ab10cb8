#include "tests/e2e/story.h"

#include <stdlib.h>

#include "tests/e2e/text_file.h"

namespace {

/* The next word of a line; a name with spaces stands last and is `rest` whole. */
std::string Word(std::string *rest) {
  size_t space = rest->find(' ');
  std::string word = rest->substr(0, space);
  *rest = space == std::string::npos ? "" : rest->substr(space + 1);
  return word;
}

uint32_t Hash(std::string *rest) {
  return static_cast<uint32_t>(strtoul(Word(rest).c_str(), nullptr, 16));
}

bool Event(std::string *rest, enum event_kind *out) {
  std::string name = Word(rest);
  return event_find({name.data(), name.size()}, out);
}

bool Group(std::string *rest, enum event_group *out) {
  std::string name = Word(rest);
  return group_find({name.data(), name.size()}, out);
}

/* Other lines, of the JVM for one, are none of ours. */
void ReadLine(std::string rest, Story *story) {
  std::string what = Word(&rest);
  enum event_kind kind;
  enum event_group group;
  if (what == "thread") {
    uint32_t hash = Hash(&rest);
    story->threads[hash] = rest;
  } else if (what == "event" && Event(&rest, &kind)) {
    uint32_t thread = Hash(&rest);
    story->steps[thread].push_back({kind, Hash(&rest)});
  } else if (what == "count" && Event(&rest, &kind)) {
    story->counts[kind] = atoi(rest.c_str());
  } else if (what == "object") {
    uint32_t hash = Hash(&rest);
    story->objects[hash] = rest;
  } else if (what == "lock") {
    uint32_t hash = Hash(&rest);
    story->locks[hash] = Hash(&rest);
  } else if (what == "jdk" && Group(&rest, &group)) {
    story->jdk.insert(group);
  } else if (what == "exits") {
    story->exits.insert(Hash(&rest));
  } else if (what == "class") {
    std::string signature = Word(&rest);
    story->classes.emplace_back(signature, rest);
  } else if (what == "method") {
    story->methods.push_back(rest);
  } else if (what == "skipped") {
    story->skipped = rest;
  } else if (what == "end") {
    story->complete = true;
  }
}

}  // namespace

Story ReadStory(const std::string &output) {
  Story story;
  for (const std::string &line : WholeLines(output)) ReadLine(line, &story);
  return story;
}
