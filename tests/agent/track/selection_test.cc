#include "agent/track/selection.h"

#include <string.h>

#include <memory>
#include <string>
#include <vector>

#include "agent/tracked/orca_classes.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

using Lines = std::vector<std::string>;

const uint32_t kNative = 0x100, kSynchronized = 0x20, kAbstract = 0x400;

// A selection, and the options that it points into.
struct Selection {
  struct options options;
  struct selection selection;

  explicit Selection(const std::string &text) {
    char error[1024] = "";
    EXPECT_TRUE(options_parse(("out," + text).c_str(), &options, error, sizeof error)) << error;
    selection_read(&selection, &options);
  }
};

/* --- classes ------------------------------------------------------------------------------ */

bool HasClass(const std::string &options, const std::string &name, bool is_boot = false) {
  auto s = std::make_unique<Selection>(options);
  return selection_has_class(&s->selection, MakeSpan(name), is_boot);
}

TEST(SelectedClass, IsOneWithAMethodThatATrackPatternCanMatch) {
  const struct {
    const char *options, *name;
    bool has;
  } rows[] = {
      {"", "com/acme/Cart", false},
      {"track=com.acme.Cart.add", "com/acme/Cart", true},
      {"track=com.acme.Cart.add", "com/acme/Car", false},
      {"track=com.acme.Cart.add", "com/acme/Carts", false},
      {"track=com.acme.Cart.add", "com/acme/Cart$Item", false},
      {"track=com.acme.Cart.add*", "com/acme/Cart", true},
      {"track=com.acme.Cart*", "com/acme/Cart$Item", true},
      {"track=com.acme.*", "com/acme/shop/Cart", true},
      {"track=com.acme.*", "com/acmes/Cart", false},
      {"track=a.*+com.acme.Cart.add", "com/acme/Cart", true},
      {"track=*.add", "com/acme/Cart", true},
      {"track=@javax.ws.rs.GET", "com/acme/Cart", true},
      {"track=!com.acme.Cart.add", "com/acme/Cart", false},
      {"track=Cart.add", "Cart", true},
      {"track=com.acme.*,events=sleep", "com/acme/Cart", false},
      {"track=com.acme.*,events=all-monitor", "com/acme/Cart", true},
  };
  for (const auto &row : rows) {
    EXPECT_EQ(HasClass(row.options, row.name), row.has) << row.options << " " << row.name;
  }
}

TEST(SelectedClass, IsOneWhoseMonitorsAreSelected) {
  const struct {
    const char *options, *name;
    bool has;
  } rows[] = {
      {"filter=com.acme.*", "com/acme/Cart", false},
      {"monitors=all,filter=com.acme.*", "com/acme/Cart", true},
      {"monitors=all,filter=com.acme.Cart", "com/acme/Cart", true},
      {"monitors=all,filter=com.acme.Cart", "com/acme/Carts", false},
      {"monitors=all,filter=@Guarded", "com/acme/Cart", true},
      {"monitors=all,filter=com.acme.*,events=all-monitor", "com/acme/Cart", false},
      {"monitors=all,filter=com.acme.*,events=monitor", "com/acme/Cart", true},
      {"monitors=all,filter=a.*,track=com.acme.*", "com/acme/Cart", true},
      {"monitors=all,filter=com.acme.*,track=a.*", "com/acme/Cart", true},
      {"monitors=all,filter=b.*,track=a.*", "com/acme/Cart", false},
  };
  for (const auto &row : rows) {
    EXPECT_EQ(HasClass(row.options, row.name), row.has) << row.options << " " << row.name;
  }
}

TEST(SelectedClass, CanBeABootClassOnlyIfAPatternNamesIt) {
  const struct {
    const char *patterns, *name;
    bool has;
  } rows[] = {
      {"*", "java/util/HashMap", false},
      {"*.HashMap*", "java/util/HashMap", false},
      {"j*", "java/util/HashMap", false},
      {"@Deprecated", "java/util/HashMap", false},
      {"!java.util.X+*", "java/util/HashMap", false},
      {"java.*", "java/util/HashMap", true},
      {"java.util.HashMap*", "java/util/HashMap", true},
      {"java.util.HashMap*", "java/util/TreeMap", false},
      {"java.util.HashMap*", "jdk/internal/HashMap", false},
      {"java.util.X+*", "java/util/HashMap", true},
      {"jdk.*+*", "java/util/HashMap", false},
  };
  for (const auto &row : rows) {
    for (const char *option : {"track=", "monitors=all,filter="}) {
      std::string options = std::string(option) + row.patterns;
      EXPECT_EQ(HasClass(options, row.name, true), row.has) << options << " " << row.name;
    }
    EXPECT_TRUE(HasClass(std::string("track=*+") + row.patterns, row.name, false)) << row.patterns;
  }
}

TEST(SelectedClass, IsNeverAClassOfOrca) {
  const char *all = "java.*+OrcaBoot.*+OrcaBoots.*";
  for (const char *name : orca_classes) {
    EXPECT_FALSE(HasClass(std::string("track=") + all, name, true)) << name;
    EXPECT_FALSE(HasClass(std::string("monitors=all,filter=") + all, name, true)) << name;
    EXPECT_TRUE(HasClass(std::string("track=") + all, std::string(name) + "s", true)) << name;
  }
}

/* --- methods ------------------------------------------------------------------------------ */

// Returns "call", "monitors", both or "".
std::string FormatHooking(bool is_selected, const struct weave_hooking &h) {
  EXPECT_EQ(is_selected, h.enter != ENTER_NONE || h.monitors);
  EXPECT_EQ(h.enter, h.exit == EXIT_NONE ? ENTER_NONE : ENTER_NULL);
  EXPECT_NE(h.exit, EXIT_VALUE);
  EXPECT_EQ(h.at_entry.name, nullptr);
  EXPECT_EQ(h.at_returns.name, nullptr);
  EXPECT_EQ(h.shortcut.name, nullptr);
  EXPECT_TRUE(!is_selected || h.id == SELECTED_ID);
  return std::string(h.enter == ENTER_NULL ? "call" : "") + (h.monitors ? "monitors" : "");
}

TEST(SelectedMethod, MatchesAPatternAndNoExcludingPattern) {
  const struct {
    const char *options, *klass, *name;
    uint32_t access;
    const char *selected;
  } rows[] = {
      {"", "com/acme/Cart", "add", 0, ""},
      {"track=com.acme.Cart.add", "com/acme/Cart", "add", 0, "call"},
      {"track=com.acme.Cart.add", "com/acme/Cart", "addAll", 0, ""},
      {"track=com.acme.Cart.add*", "com/acme/Cart", "addAll", 0, "call"},
      {"track=com.acme.*+!*.addAll", "com/acme/Cart", "addAll", 0, ""},
      {"track=com.acme.*+!com.acme.Cart.*", "com/acme/Cart", "add", 0, ""},
      {"track=com.acme.*+!com.acme.Cart.*", "com/acme/Carts", "add", 0, "call"},
      {"track=Cart.add", "Cart", "add", 0, "call"},
      {"track=@Get", "com/acme/Cart", "add", 0, ""},
      {"track=com.acme.*+!@Get", "com/acme/Cart", "add", 0, "call"},
      {"track=com.acme.*", "com/acme/Cart", "<init>", 0, "call"},
      {"track=com.acme.Cart.<init>", "com/acme/Cart", "<init>", 0, "call"},
      {"track=com.acme.*", "com/acme/Cart", "<clinit>", 0, ""},
      {"track=com.acme.*", "com/acme/Cart", "add", kNative, "call"},
      {"track=com.acme.*", "com/acme/Cart", "add", kAbstract, "call"},
      {"monitors=all,filter=com.acme.*", "com/acme/Cart", "add", 0, "monitors"},
      {"monitors=all,filter=com.acme.*", "com/acme/Cart", "<clinit>", 0, "monitors"},
      {"monitors=all,filter=com.acme.Cart", "com/acme/Cart", "add", 0, "monitors"},
      {"monitors=all,filter=com.acme.Cart.add", "com/acme/Cart", "add", 0, ""},
      {"monitors=all,filter=com.acme.*+!*Cart", "com/acme/Cart", "add", 0, ""},
      {"monitors=all,filter=com.acme.*", "com/acme/Cart", "add", kNative, ""},
      {"monitors=all,filter=com.acme.*", "com/acme/Cart", "add", kNative | kSynchronized,
       "monitors"},
      {"monitors=all,filter=com.acme.*,track=com.acme.*", "com/acme/Cart", "add", 0,
       "callmonitors"},
      {"monitors=all,filter=com.acme.*,track=com.acme.*", "com/acme/Cart", "add", kNative, "call"},
      {"monitors=all,filter=a.*,track=com.acme.*", "com/acme/Cart", "add", 0, "call"},
      {"monitors=all,filter=com.acme.*,track=com.acme.*,events=all-method", "com/acme/Cart", "add",
       0, "monitors"},
  };
  for (const auto &row : rows) {
    auto s = std::make_unique<Selection>(row.options);
    struct weave_method method = {};
    method.class_name = {row.klass, strlen(row.klass)};
    method.name = {row.name, strlen(row.name)};
    method.descriptor = {"()V", 3};
    method.access = row.access;
    struct weave_hooking hooking = {};
    bool is_selected = selection_get_hooking(&s->selection, &method, &hooking);
    EXPECT_EQ(FormatHooking(is_selected, hooking), row.selected)
        << row.options << " " << row.klass << "." << row.name << " " << row.access;
  }
}

/* --- annotations -------------------------------------------------------------------------- */

struct Visit {
  const struct selection *selection;
  Lines lines;
};

// Returns the selected methods of the class Made, with their hooks. It has the annotation a.Class,
// and the methods get, which has the annotation a.Get, and add.
Lines FindSelected(const std::string &options) {
  ClassMaker maker;
  auto annotation = [&](const char *type) { return U2(1) + U2(maker.Utf8(type)) + U2(0); };
  CodeBytes code;
  code.code = Bytes({0xb1});
  code.max_locals = 1;
  maker.AddMethod(0, "get", "()V", code, {{"RuntimeVisibleAnnotations", annotation("La/Get;")}});
  maker.AddMethod(0, "add", "()V", code);
  maker.AddAttribute("RuntimeVisibleAnnotations", annotation("La/Class;"));
  std::string bytes = maker.Make();

  auto s = std::make_unique<Selection>(options);
  Visit visit = {&s->selection, {}};
  struct weave_chooser chooser = {};
  chooser.context = &visit;
  chooser.choose = [](void *context, const struct weave_method *m, struct weave_hooking *out) {
    auto *v = static_cast<Visit *>(context);
    bool is_selected = selection_get_hooking(v->selection, m, out);
    std::string text = FormatHooking(is_selected, *out);
    if (is_selected) v->lines.push_back(MakeText(m->name) + " " + text);
    return false;
  };
  struct weave_hooks hooks = {};
  struct builder out = {};
  EXPECT_EQ(weave_class(MakeSpan(bytes), &hooks, &chooser, &out), WEAVE_ABSENT);
  builder_free(&out);
  return visit.lines;
}

TEST(SelectedMethod, CanBeSelectedByItsAnnotationOrThatOfItsClass) {
  const struct {
    const char *options;
    Lines selected;
  } rows[] = {
      {"track=@a.Get", {"get call"}},
      {"track=@a.Class", {"get call", "add call"}},
      {"track=@a.Ge", {}},
      {"track=@a.Get+Made.add", {"get call", "add call"}},
      {"track=Made.*+!@a.Get", {"add call"}},
      {"track=Made.*+!@a.Class", {}},
      {"track=@a.Class+!@a.Get", {"add call"}},
      {"monitors=all,filter=@a.Class", {"get monitors", "add monitors"}},
      {"monitors=all,filter=@a.Get", {}},  // a filter matches classes only
      {"monitors=all,filter=Made+!@a.Get", {"get monitors", "add monitors"}},
      {"monitors=all,filter=Made+!@a.Class", {}},
      {"monitors=all,filter=@a.Class,track=@a.Get", {"get callmonitors", "add monitors"}},
  };
  for (const auto &row : rows) EXPECT_EQ(FindSelected(row.options), row.selected) << row.options;
}

TEST(SelectedMethod, CanHaveANameOfAnyLength) {
  std::string longest(MAX_OPTION - 1, 'a');
  EXPECT_EQ(FindSelected("track=@" + longest.substr(1)), Lines{});
  EXPECT_FALSE(HasClass("track=" + longest, std::string(60000, 'a')));
  EXPECT_FALSE(HasClass("monitors=all,filter=*a.X", std::string(60000, 'a'), true));
}

}  // namespace
