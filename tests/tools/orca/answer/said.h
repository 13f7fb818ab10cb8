#pragma once
// What a report says of a model: the sentences of its findings. Each sentence must also follow from
// the JSON of its finding.
#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tests/tools/orca/render/view/said_again.h"
#include "tools/orca/answer/find.h"

using Kinds = std::vector<enum finding_kind>;
using Finder = void (*)(const struct finder *);

// The answer of a model. Its findings are added by answer_read, or by Find.
class Said {
 public:
  Said() = default;
  explicit Said(struct model *m, const struct locks *locks = nullptr) {
    EXPECT_TRUE(answer_read(&answer, m, locks));
  }
  Said(const Said &) = delete;
  Said &operator=(const Said &) = delete;
  ~Said() { answer_free(&answer); }

  // Adds what one finder finds. The model and the bounds must be set.
  void Find(Finder find) {
    struct finder finder = {&answer, answer.model, &answer.findings};
    find(&finder);
    EXPECT_FALSE(answer.findings.failed);
  }

  // The sentences, or those of some kinds, each as "* TEXT\n".
  std::string Text(const Kinds &kinds = {}) const {
    std::string text;
    for (const struct finding *finding : List(kinds)) {
      Json json = ReadJson(ShowFinding(answer.model->dump, finding));
      ExpectSaidAgain(json);
      text += "* " + json["text"].text + "\n";
    }
    return text;
  }

  std::vector<const struct finding *> List(const Kinds &kinds = {}) const {
    std::vector<const struct finding *> list;
    for (size_t i = 0; i < answer.findings.num; i++) {
      const struct finding *finding = &answer.findings.rows[i];
      bool is_kind = kinds.empty();
      for (enum finding_kind kind : kinds) is_kind |= finding->kind == kind;
      if (is_kind) list.push_back(finding);
    }
    return list;
  }

  struct answer answer = {};
};

// The sentences of a model, or those of some kinds.
inline std::string Say(struct model *m, const Kinds &kinds = {}) { return Said(m).Text(kinds); }
