// The page of two recordings in a browser.
#include "tests/tools/orca/html/in_browser.h"
#include "tests/tools/orca/html/page_of.h"

namespace {

// A: price 50 ms and reserve 20 ms of CPU time at 100 ticks in 10 s, blocked for 10 ms at each.
// B: price 80 ms and reserve 20 ms at 200 ticks in 20 s, blocked for 40 ms at each.
class ComparedPage : public testing::Test {
 protected:
  void SetUp() override {
    if (Browser::Path().empty()) GTEST_SKIP() << "skipped: no Chromium here (tools/setup --all)";
  }

  void WritePage() {
    file_ = testing::TempDir() + "/compared_page.html";
    std::ofstream(file_) << PageOfBoth(runs_.Compare());
  }

  TwoRuns runs_{{}, {.seconds = 20, .price_ms = 80, .blocked_ms = 40}};
  std::string file_;
};

TEST_F(ComparedPage, EveryViewOfBothOpensWithoutAnError) {
  WritePage();
  Browser b(file_);
  for (const char *side : {"B", "A"}) {
    for (const char *key : {"2", "3", "4", "5", "6", "7", "8", "9", "0", "1"}) {
      b.Key(key);
      EXPECT_EQ(b.Evaluate("document.querySelectorAll('.view:not([hidden])').length"), "1") << key;
    }
    b.Key("4");
    ClickOn(&b, ".tabs .segments button", "A before");
    EXPECT_EQ(b.Evaluate("orca.app.side"), "0") << side;
  }
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('.view').length"), "17");
  EXPECT_EQ(b.Evaluate("[...document.querySelectorAll('[id]')].filter((e) => e.closest('svg, "
                       "header') && document.querySelectorAll('#' + e.id).length > 1).length"),
            "0");
  ExpectNoErrors(&b);
}

TEST_F(ComparedPage, ThePageOfOneRecordingHasNoComparison) {
  SmallModel small;
  file_ = testing::TempDir() + "/compared_page.html";
  std::ofstream(file_) << PageOf(small.Read());
  Browser b(file_ + "#changes");
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('.tabs a').length"), "7");
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('.tabs .segments').length"), "0");
  EXPECT_EQ(b.Evaluate("orca.app.current.key"), "overview");
  ExpectNoErrors(&b);
}

TEST_F(ComparedPage, BeginsWithTheWordsOfOrcaDiff) {
  runs_.A().Replace(DUMP_INFO, "interval=100ms", "interval=100ms,locks=all");
  WritePage();
  Browser b(file_);
  std::string text = Text(&b, "#view-changes");
  for (const char *part :
       {"B ran for 20.0\u00a0s", "B uses 0.30\u00a0CPUs more than A (1.00 instead of 0.70)",
        "800\u00a0ms in each second of run", "What cannot be compared",
        "A was recorded with locks=all, B with locks=waits", "OrderService.price", "+300 ms",
        "monitor of Inventory", "events in a second"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  EXPECT_EQ(b.Evaluate("[...document.querySelectorAll('#view-changes .compared tr')].map((row) => "
                       "row.innerText.replace(/\\s+/g, ' ').trim()).filter((row) => "
                       "/^(length|CPUs|threads|events)/.test(row)).join('; ')"),
            "length 10.0 s 20.0 s; CPUs busy 0.70 1.00 +0.30; threads blocked 0.10 0.40 +0.30; "
            "threads in waits 0.05 0.05 +0.00; threads 2 2; events in a second 40 40");
  EXPECT_EQ(b.Evaluate("[...document.querySelectorAll('#view-changes .verdicts b')].map((bold) => "
                       "bold.innerText).filter((text) => /CPUs|20/.test(text)).join()"),
            "20.0\u00a0s,0.30\u00a0CPUs");
  // What is not more than chance is not colored.
  EXPECT_EQ(
      b.Evaluate("[...document.querySelectorAll('#view-changes td.more')].map((cell) => "
                 "cell.parentElement.firstChild.textContent).sort().join()"),
      "CPUs busy,OrderService.price,monitor of Inventory at Inventory.reserve,threads blocked");
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('#view-changes td.less').length"), "0");
  ExpectNoErrors(&b);
}

// In B the waits for the lock have lost their object.
TEST_F(ComparedPage, DoesNotCallALockGoneWhoseTimeMayBeOfSeveralObjects) {
  TwoRuns runs({.options = "threshold=5ms"}, {.blocked_ms = 0, .options = "threshold=5ms"});
  runs.B().Append(DUMP_COUNTS,
                  "100.5000000000,MonitorContendedEnter,00000000,100,1000000000,10000000,0\n");
  file_ = testing::TempDir() + "/compared_page.html";
  std::ofstream(file_) << PageOfBoth(runs.Compare());
  Browser b(file_ + "#tables");
  std::string table = Text(&b, "#view-tables table");
  for (const char *part : {"≥ 0", "≥ −100", "?"}) {
    EXPECT_NE(table.find(part), std::string::npos) << part << " in\n" << table;
  }
  EXPECT_EQ(table.find("gone"), std::string::npos) << table;
  EXPECT_EQ(table.find("new"), std::string::npos) << table;
  EXPECT_NE(table.find("≥ 0.0"), std::string::npos) << table;
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('#view-tables td.less').length"), "0");
  b.Open(file_ + "#changes");
  EXPECT_NE(Text(&b, "#view-changes").find("≥ −100"), std::string::npos);
  ExpectNoErrors(&b);
}

TEST_F(ComparedPage, FlameGraphOfTheChange) {
  WritePage();
  Browser b(file_ + "#stacks");
  const std::string boxes =
      "orca.comparedFlame.boxes.map(({node}) => orca.comparedFlame.nameOf(node) + ' ' + "
      "node.a.toPrecision(3) + ' ' + node.b.toPrecision(3) + ' ' + node.verdict).join('; ')";
  EXPECT_EQ(b.Evaluate(boxes),
            "all 7.00e+8 1.00e+9 more; OrderService.run 7.00e+8 1.00e+9 more; "
            "OrderService.price 5.00e+8 8.00e+8 more; Inventory.reserve 2.00e+8 2.00e+8 same");
  ClickOn(&b, "#view-stacks .segments button", "as a share");
  EXPECT_EQ(b.Evaluate(boxes),
            "all 1.00 1.00 same; OrderService.run 1.00 1.00 same; "
            "OrderService.price 0.714 0.800 same; Inventory.reserve 0.286 0.200 same");
  ClickOn(&b, "#view-stacks .segments button", "Blocked");
  ClickOn(&b, "#view-stacks .segments button", "per second");
  EXPECT_EQ(b.Evaluate(boxes),
            "all 1.00e+8 4.00e+8 more; OrderService.run 1.00e+8 4.00e+8 more; "
            "Inventory.reserve 1.00e+8 4.00e+8 more");
  EXPECT_NE(Text(&b, "#view-stacks .legend").find("blocked time in each second"),
            std::string::npos);
  // Red is more, grey is no change.
  EXPECT_EQ(b.Evaluate("(() => { const f = orca.comparedFlame, box = f.boxes.at(-1), [r, g, bl] = "
                       "f.surface.context.getImageData(box.x + box.width - 5, box.y + 10, 1, "
                       "1).data; return r > g + 30 && r > bl + 30; })()"),
            "true");
  ExpectNoErrors(&b);
}

TEST_F(ComparedPage, FlameGraphZoomsFindsAndKeepsItsAddress) {
  WritePage();
  Browser b(file_ + "#stacks&value=cpu&norm=total&find=price");
  EXPECT_EQ(b.Evaluate("orca.comparedFlame.norm + orca.comparedFlame.found.join()").find("total"),
            0u);
  EXPECT_EQ(b.Evaluate("orca.comparedFlame.boxes.map(({node}) => "
                       "orca.comparedFlame.alphaOf(node)).join()"),
            "0.3,0.3,1,0.3");
  std::string place =
      "(() => { const box = orca.comparedFlame.boxes.find((x) => x.node.depth === 2), c = "
      "orca.comparedFlame.surface.canvas.getBoundingClientRect(); return ";
  double x = atof(b.Evaluate(place + "c.x + box.x + 8; })()").c_str()),
         y = atof(b.Evaluate(place + "c.y + box.y + 8; })()").c_str());
  b.Move(x, y);
  std::string tip = Text(&b, "#tooltip");
  for (const char *part : {"com.acme.OrderService.price", "71 %", "80 %", "+8.6 percentage points",
                           "no change beyond chance"}) {
    EXPECT_NE(tip.find(part), std::string::npos) << part << " in\n" << tip;
  }
  b.Click(x, y);
  EXPECT_EQ(b.Evaluate("orca.comparedFlame.zoomed.depth"), "2");
  b.Evaluate("orca.app.writeAddress()");
  b.Open(file_ + b.Evaluate("location.hash"));
  EXPECT_EQ(b.Evaluate("orca.comparedFlame.zoomed.depth + ' ' + orca.comparedFlame.norm + ' ' + "
                       "orca.comparedFlame.search.value"),
            "2 total price");
  ExpectNoErrors(&b);
}

TEST_F(ComparedPage, TableOfLocksBeforeAndAfter) {
  WritePage();
  Browser b(file_ + "#tables");
  EXPECT_EQ(b.Evaluate("[...document.querySelectorAll('#view-tables tbody td')].map((cell) => "
                       "cell.innerText.replace(/\\s+/g, ' ').trim()).join('; ')"),
            "monitor of Inventory; Inventory.reserve (Inventory.java:42); 100 ms; 400 ms; +300 ms; "
            "10.0; 10.0");
  ClickOn(&b, "#view-tables .copy button", "CSV");
  EXPECT_EQ(b.Evaluate("orca.copy.last"),
            "lock,at,A,B,change,A times,B times,verdict\nmonitor of com.acme.Inventory,"
            "Inventory.reserve (Inventory.java:42),100000000,400000000,300000000,10,10,more\n");
  ClickOn(&b, "#view-tables tbody td", "monitor of Inventory");
  EXPECT_EQ(b.Evaluate("orca.app.current.key + orca.app.side + orca.locks.rows().length"),
            "locks11");
  b.Open(file_ + "#tables&part=methods&sort=method&up=yes");
  EXPECT_EQ(b.Evaluate("[...document.querySelectorAll('#view-tables tbody tr')].map((row) => "
                       "row.firstChild.innerText).join()"),
            "Inventory.reserve,OrderService.price");
  ClickOn(&b, "#view-tables tbody td", "OrderService.price");
  EXPECT_EQ(b.Evaluate("orca.app.current.key + ' ' + orca.comparedFlame.found.filter((x) => "
                       "x).length"),
            "stacks 1");
  ExpectNoErrors(&b);
}

TEST_F(ComparedPage, SwitchesBetweenTheRecordings) {
  WritePage();
  Browser b(file_ + "#methods&sort=total&find=price");
  EXPECT_NE(Text(&b, "#view-methods tbody").find("16.0 s"), std::string::npos);
  ClickOn(&b, ".tabs .segments button", "A before");
  EXPECT_NE(Text(&b, "#view-methods-A tbody").find("5.00 s"), std::string::npos);
  EXPECT_EQ(b.Evaluate("orca.recordings[0].methods.sort + orca.recordings[0].methods.filter"),
            "totalprice");
  EXPECT_EQ(b.Evaluate("document.getElementById('view-methods').hidden"), "true");
  // A tab shows the same recording, and the address says which.
  ClickOn(&b, ".tabs a", "Timeline");
  EXPECT_EQ(b.Evaluate("orca.app.side + ' ' + orca.recordings[0].timeline.end"), "0 10000000000");
  b.Evaluate("orca.app.writeAddress()");
  EXPECT_EQ(b.Evaluate("location.hash"), "#timeline&side=A");
  b.Open(file_ + "#timeline&side=A&from=1000000000&to=2000000000");
  EXPECT_EQ(b.Evaluate("[orca.app.side, orca.recordings[0].timeline.begin, "
                       "orca.recordings[1].timeline.begin].join()"),
            "0,1000000000,0");
  ClickOn(&b, ".tabs .segments button", "B after");
  EXPECT_EQ(b.Evaluate("orca.app.side + ' ' + document.querySelector('.view:not([hidden])').id"),
            "1 view-timeline");
  ExpectNoErrors(&b);
}

TEST_F(ComparedPage, NamesAreInsertedAsText) {
  const std::string evil = "</script><img src=x onerror=document.title=1>";
  runs_.A().Replace(DUMP_METHODS, ",price,", "," + evil + ",");
  runs_.B().Replace(DUMP_METHODS, ",reserve,", ",<b>reserve</b>,");
  runs_.B().Replace(DUMP_CLASSES, "com/acme/Inventory", "com/acme/<img src=x>");
  runs_.B().Replace(DUMP_INFO, "java -jar shop.jar", "java " + evil);
  WritePage();
  Browser b(file_);
  for (const char *key : {"1", "2", "3", "4", "5", "6", "7", "8", "9", "0"}) b.Key(key);
  ClickOn(&b, ".tabs .segments button", "A before");
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('img, main td b, .facts b').length"), "0");
  EXPECT_NE(b.Evaluate("document.title"), "1");
  EXPECT_NE(b.Evaluate("orca.comparison.stacks.methods.map((m) => m.name).join()").find(evil),
            std::string::npos);
  ExpectNoErrors(&b);
}

TEST_F(ComparedPage, LambdasHaveNoNumber) {
  runs_.A().Replace(DUMP_CLASSES, "com/acme/Inventory", "com/acme/Shop$$Lambda$3");
  runs_.B().Replace(DUMP_CLASSES, "com/acme/Inventory", "com/acme/Shop$$Lambda$17");
  WritePage();
  Browser b(file_ + "#stacks");
  EXPECT_EQ(b.Evaluate("orca.comparison.stacks.methods.map((m) => m.name).sort().join()"),
            "OrderService.price,OrderService.run,Shop$$Lambda.reserve,Thread.sleep");
  EXPECT_EQ(b.Evaluate("orca.comparison.stacks.methods.map((m) => m.className).includes("
                       "'com.acme.Shop$$Lambda')"),
            "true");
}

TEST_F(ComparedPage, EmptyRecordingsHaveAPage) {
  for (DumpFiles *files : {&runs_.A(), &runs_.B()}) {
    for (enum dump_file file : {DUMP_EVENTS, DUMP_SAMPLES}) files->Write(file, "");
  }
  WritePage();
  Browser b(file_);
  for (const char *key : {"1", "2", "3", "4", "5", "6", "7", "8", "9", "0"}) b.Key(key);
  EXPECT_NE(Text(&b, "#view-changes").find("No change is larger than chance"), std::string::npos);
  EXPECT_NE(Text(&b, "#view-tables").find("Neither recording has any."), std::string::npos);
  ExpectNoErrors(&b);
}

TEST_F(ComparedPage, ABrokenAddressIsNoError) {
  WritePage();
  Browser b(file_);
  for (const char *address :
       {"#stacks&value=frob&norm=x&zoom=9.9.9&find=%E0%A4%A", "#tables&part=x&sort=y",
        "#tables&part=methods&sort=A times", "#locks&side=C", "#frob&side=A", "#&&=&side"}) {
    b.Open(file_ + address);
    EXPECT_EQ(b.Evaluate("document.querySelectorAll('.view:not([hidden])').length"), "1");
    ExpectNoErrors(&b);
  }
}

}  // namespace
