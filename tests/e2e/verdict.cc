#include "tests/e2e/verdict.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/text.h"
#include "tools/orca/dump/dump.h"
#include "tools/orca/model/model.h"

namespace {

using Names = std::set<std::string>;

/* The cases of a truth: what is plain to see, and all that the program knows; if a time limit can
   end a wait, and if not. */
enum { kPlain, kKnown, kPlainWithoutLimits, kKnownWithoutLimits, kCases };

struct TrueThread {
  std::string state, step;
  bool is_stuck[kCases] = {};
  Names owners;
};

struct Truth {
  std::map<std::string, TrueThread> threads;
  bool runs[kCases] = {};
  std::set<Names> rings;
};

Names ReadNames(std::istream *words) {
  Names names;
  for (std::string name; *words >> name;) names.insert(name);
  return names;
}

Truth ReadTruth(const std::string &out) {
  Truth truth;
  for (const std::string &line : SplitLines(out)) {
    std::istringstream words(line);
    std::string word, name;
    words >> word;
    if (word == "thread") {
      TrueThread thread;
      words >> name >> thread.state >> thread.step;
      for (bool &is_stuck : thread.is_stuck) words >> is_stuck;
      thread.owners = ReadNames(&words);
      truth.threads[name] = thread;
    } else if (word == "runs") {
      for (bool &runs : truth.runs) words >> runs;
    } else if (word == "ring") {
      truth.rings.insert(ReadNames(&words));
    }
  }
  return truth;
}

/* What Orca says. */
struct Said {
  Names stuck; /* the threads of the hang */
  bool hangs = false, is_part = false, has_limits = false;
  struct Link {
    std::string thread, owner;
  };
  std::map<size_t, std::vector<Link>> rings;
};

std::string NameOf(const struct model *m, uint32_t hash) {
  const struct thread *t = threads_find(&m->threads, hash);
  return t == nullptr || t->name == nullptr ? "?" : t->name;
}

Said FillSaid(const struct model *m) {
  Said said;
  const struct hang *h = &m->hang;
  said.hangs = h->since != 0;
  said.is_part = h->is_part;
  said.has_limits = h->has_limits;
  for (size_t i = 0; said.hangs && i < h->graph.num; i++) {
    const struct waiter *w = &h->graph.waiters[i];
    if (!w->can_end && !hang_is_idle(m, w)) said.stuck.insert(NameOf(m, w->pair.thread));
  }
  for (size_t i = 0; i < m->deadlocks.num; i++) {
    const struct deadlock_link *link = &m->deadlocks.links[i];
    said.rings[link->ring].push_back(
        {NameOf(m, link->wait.pair.thread), NameOf(m, link->wait.owner)});
  }
  return said;
}

bool ReadSaid(const std::string &prefix, Said *said) {
  struct builder why = {};
  struct model m = {};
  struct dump *d = dump_open(prefix.c_str(), &why);
  builder_free(&why);
  if (d == nullptr) return false;
  bool good = model_read(&m, d, nullptr, ANALYSES(HANG) | ANALYSES(DEADLOCKS));
  if (good) *said = FillSaid(&m);
  model_free(&m);
  dump_close(d);
  return good;
}

/* --- the comparison ------------------------------------------------------------------------- */

class Comparison {
 public:
  Comparison(Truth truth, Said said) : truth_(std::move(truth)), said_(std::move(said)) {}

  std::vector<std::string> Run() {
    CompareHang();
    CompareRings();
    return faults_;
  }

 private:
  void Blame(const std::string &who, const std::string &what) {
    faults_.push_back(who + " " + what);
  }

  /* An idle thread of a pool neither runs nor hangs. */
  void ExpectSaid(int plain) {
    for (const auto &[name, thread] : truth_.threads) {
      bool must = thread.state == "in" && thread.is_stuck[plain];
      if (must && said_.stuck.count(name) == 0) Blame(name, "can never go on, and is not named");
    }
  }

  void ExpectTrue(int known) {
    for (const std::string &name : said_.stuck) {
      auto found = truth_.threads.find(name);
      if (found == truth_.threads.end() || !found->second.is_stuck[known]) {
        Blame(name, "is said to be stuck, but can go on");
      }
    }
  }

  void CompareHang() {
    bool limits_matter = said_.hangs ? said_.has_limits : !HasStuck(kPlain);
    int plain = limits_matter ? kPlainWithoutLimits : kPlain;
    int known = plain + 1;
    if (said_.hangs && said_.has_limits && said_.is_part) Blame("a part", "hangs until a limit");
    if (said_.hangs && !said_.is_part && truth_.runs[known]) Blame("the program", "can go on");
    if (said_.hangs && said_.is_part && !truth_.runs[plain]) Blame("the program", "cannot go on");
    ExpectTrue(known);
    /* Until a time limit is over, only the whole program hangs. */
    if (!limits_matter || !truth_.runs[plain]) ExpectSaid(plain);
  }

  bool HasStuck(int plain) const {
    return std::any_of(truth_.threads.begin(), truth_.threads.end(), [&](const auto &row) {
      return row.second.state == "in" && row.second.is_stuck[plain];
    });
  }

  void CompareRings() {
    std::set<Names> rings;
    for (const auto &[number, links] : said_.rings) {
      Names names;
      for (const Said::Link &link : links) {
        names.insert(link.thread);
        const TrueThread &thread = truth_.threads[link.thread];
        if (thread.owners.count(link.owner) == 0 || !thread.is_stuck[kKnown]) {
          Blame(link.thread, "is in a ring, but does not need " + link.owner);
        }
      }
      rings.insert(names);
    }
    for (const Names &ring : truth_.rings) {
      if (rings.count(ring) == 0) Blame(*ring.begin(), "is in a ring that is not named");
    }
  }

  Truth truth_;
  Said said_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> FindFalseVerdicts(const std::string &prefix, const std::string &out) {
  Said said;
  if (!ReadSaid(prefix, &said)) return {prefix + " cannot be read"};
  return Comparison(ReadTruth(out), said).Run();
}
