// The page in a browser: it shows the data of the model and reacts to keys and the pointer.
#include <stdlib.h>

#include "tests/tools/orca/html/in_browser.h"
#include "tests/tools/orca/html/page_of.h"
#include "tools/orca/render/unit.h"

namespace {

class Page : public testing::Test {
 protected:
  void SetUp() override {
    if (Browser::Path().empty()) GTEST_SKIP() << "skipped: no Chromium here (tools/setup --all)";
  }

  // Writes the page of the dump in its current state.
  void WritePage() {
    file_ = testing::TempDir() + "/page.html";
    std::ofstream(file_) << PageOf(small_.Read(filter_));
  }

  std::string Time(ticks_t ticks) {
    struct builder b = {};
    unit_ticks(&b, ticks);
    return TakeText(&b);
  }

  SmallModel small_;
  const struct filter *filter_ = nullptr;  // of the page
  std::string file_;
};

TEST_F(Page, EveryViewOpensWithoutAnError) {
  WritePage();
  Browser b(file_);
  for (const char *key : {"2", "3", "4", "5", "6", "7", "1"}) {
    b.Key(key);
    EXPECT_EQ(b.Evaluate("document.querySelectorAll('.view:not([hidden])').length"), "1") << key;
  }
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('.view').length"), "7");
  ExpectNoErrors(&b);
}

TEST_F(Page, ShowsTheSentencesOfTheReport) {
  WritePage();
  Browser b(file_);
  std::string text = Text(&b, "#view-overview");
  for (const char *part :
       {"DEADLOCK", "worker-1", "96\u00a0%", "com.acme.OrderService", "Recorded", "10.0 s"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST_F(Page, ShowsTheFilterInEachView) {
  struct filter main = MakeFilter();
  main.threads = {{"main"}, 1};
  filter_ = &main;
  WritePage();
  Browser b(file_);
  EXPECT_NE(Text(&b, "#view-overview").find("4 of 22 events, 0 of 7 samples match --thread main"),
            std::string::npos);
  for (const char *key : {"2", "3", "4", "5", "6", "7"}) b.Key(key);
  EXPECT_EQ(Text(&b, "#run").find("part of java "), 0u);
  EXPECT_EQ(b.Evaluate("orca.log.num"), "4");
  EXPECT_EQ(b.Evaluate("document.querySelector('#view-log select').options.length"), "2");
  ExpectNoErrors(&b);
}

TEST_F(Page, FlameGraphShowsTheCpuTime) {
  WritePage();
  Browser b(file_ + "#flame");
  EXPECT_EQ(b.Evaluate("orca.flame.tree.root.total"), std::to_string(small_.model.cpu.total_ns));
  EXPECT_EQ(b.Evaluate("orca.flame.tree.root.ordered.reduce((a, n) => a + n.total, 0)"),
            "1000000000");
  ClickOn(&b, ".segments button", "Blocked");
  EXPECT_EQ(b.Evaluate("orca.flame.tree.root.total"),
            std::to_string(small_.model.locks.blocked / TICKS_PER_NS));
  ExpectNoErrors(&b);
}

TEST_F(Page, FlameGraphFindsAndZooms) {
  WritePage();
  Browser b(file_ + "#flame");
  b.Key("/");
  b.Type("HashMap");
  EXPECT_EQ(Text(&b, "#view-flame output"), "matched 30 %, 300 ms");
  EXPECT_EQ(b.Evaluate("orca.flame.boxes.filter((box) => box.node.match).length"), "1");
  b.Key("Escape");
  EXPECT_EQ(b.Evaluate("orca.flame.pattern"), "null");
  b.Key("Escape");
  b.Evaluate("orca.flame.box.focus()");
  std::string place =
      "(() => { const box = orca.flame.boxes.find((x) => x.node.depth === 2), c = "
      "orca.flame.surface.canvas.getBoundingClientRect(); return ";
  double x = atof(b.Evaluate(place + "c.x + box.x + 8; })()").c_str()),
         y = atof(b.Evaluate(place + "c.y + box.y + 8; })()").c_str());
  b.Click(x, y);
  EXPECT_EQ(b.Evaluate("orca.flame.zoomed.depth"), "2");
  EXPECT_EQ(b.Evaluate("orca.flame.boxes.at(-1).x >= 0 && orca.flame.boxes.find((x) => x.node === "
                       "orca.flame.zoomed).width === orca.flame.surface.width"),
            "true");
  EXPECT_NE(Text(&b, "#tooltip").size(), 0u);
  b.Key("Escape");
  EXPECT_EQ(b.Evaluate("orca.flame.zoomed.depth"), "1");
  b.Key("Home");
  EXPECT_EQ(b.Evaluate("orca.flame.zoomed === orca.flame.tree.root"), "true");
  b.Key("ArrowDown");
  EXPECT_EQ(b.Evaluate("orca.flame.selected.depth"), "1");
  ExpectNoErrors(&b);
}

TEST_F(Page, TimelineZoomsMovesAndShowsDetails) {
  WritePage();
  Browser b(file_ + "#timeline");
  EXPECT_EQ(b.Evaluate("orca.timeline.rows.length"), "4");
  double x = atof(b.Evaluate("orca.timeline.surface.canvas.getBoundingClientRect().x").c_str());
  double y = atof(b.Evaluate("orca.timeline.surface.canvas.getBoundingClientRect().y").c_str());
  b.Evaluate("orca.timeline.order = 'name', orca.timeline.arrange()");
  std::string at = b.Evaluate("orca.timeline.xOf(1.25e9)");
  std::string row = b.Evaluate(
      "orca.timeline.yOf(orca.timeline.rows.findIndex((r) => orca.data.threads[r.thread].name === "
      "'worker-1')) + 8");
  b.Move(x + atof(at.c_str()), y + atof(row.c_str()));
  std::string tip = Text(&b, "#tooltip");
  for (const char *part :
       {"worker-1", "blocked", "500 ms", "com.acme.Inventory@000000A1", "worker-2"}) {
    EXPECT_NE(tip.find(part), std::string::npos) << part << " in\n" << tip;
  }
  b.Wheel(x + 400, y + 40, -240);
  EXPECT_EQ(b.Evaluate("orca.timeline.end - orca.timeline.begin < 8e9"), "true");
  std::string begin = b.Evaluate("orca.timeline.begin");
  b.Drag(x + 400, y + 40, x + 300, y + 40);
  EXPECT_EQ(b.Evaluate("orca.timeline.begin > " + begin), "true");
  b.Evaluate("orca.timeline.plot.focus()");
  b.Key("Home");
  EXPECT_EQ(b.Evaluate("orca.timeline.begin + ' ' + orca.timeline.end"), "0 10000000000");
  b.Click(x + atof(at.c_str()), y + atof(row.c_str()));
  EXPECT_NE(Text(&b, "#drawer").find("Inventory.reserve"), std::string::npos);
  b.Key("Escape");
  EXPECT_EQ(b.Evaluate("document.getElementById('drawer').hidden"), "true");
  ExpectNoErrors(&b);
}

TEST_F(Page, TimelineGroupsThreadsAndSumsThemUp) {
  std::string lines;
  for (int i = 0; i < 30; i++) {
    char line[200];
    snprintf(line, sizeof line,
             "109.%02d00000000,ThreadStarted,%08X,http-nio-8080-exec-of-the-server-%d\n"
             "109.%02d00000001,ThreadSleep,%08X,1;00000003;FFFFFFFF\n",
             i, 16 + i, i, i, 16 + i);
    lines += line;
  }
  small_.files.Replace(DUMP_EVENTS, "109.0000000000,ThreadEnded,00000004\n", lines);
  WritePage();
  Browser b(file_ + "#timeline");
  EXPECT_EQ(b.Evaluate("orca.timeline.rows.filter((row) => row.members !== undefined).map((row) => "
                       "`${row.name} ${row.members.length}`).join()"),
            "http-nio-8080-exec-of-the-server-# 30");
  std::string name = Text(&b, ".names .group");
  EXPECT_EQ(name.find("http-"), 0u) << name;
  EXPECT_NE(name.find("…"), std::string::npos) << name;
  EXPECT_NE(name.find("×30"), std::string::npos) << name;
  // At the end all 30 sleep: the lane is full.
  std::string group = "orca.timeline.rows.find((row) => row.members !== undefined)";
  EXPECT_EQ(b.Evaluate("(() => { const [most] = " + group +
                       ".at(orca.timeline.surface.width - 2); return most.name + ' ' + "
                       "most.threads.toFixed(3); })()"),
            "sleeping 30.000");
  size_t before = atoi(b.Evaluate("orca.timeline.rows.length").c_str());
  ClickOn(&b, ".names .group");
  EXPECT_EQ(b.Evaluate("orca.timeline.rows.length"), std::to_string(before + 30));
  EXPECT_NE(Text(&b, ".names").find("…20"), std::string::npos) << Text(&b, ".names");
  ClickOn(&b, ".check", "groups");
  EXPECT_EQ(b.Evaluate("orca.timeline.rows.length"), std::to_string(before + 29));
  b.Key("/");
  b.Type("server-2");
  EXPECT_NE(Text(&b, "#view-timeline output").find("11 of 34 threads"), std::string::npos);
  ExpectNoErrors(&b);
}

TEST_F(Page, FlameGraphOfAPartHasItsTime) {
  WritePage();
  Browser b(file_ + "#timeline");
  // worker-1 is blocked from 1 to 1.5 s and from 2 to 2.25 s after the start.
  b.Evaluate("orca.timeline.setRange(0.9e9, 1.8e9)");
  ClickOn(&b, "#view-timeline button", "Flame graph");
  ClickOn(&b, ".segments button", "Blocked");
  // Each slice is rounded to a nanosecond.
  EXPECT_EQ(b.Evaluate("Math.round(orca.flame.tree.root.total / 1e6)"), "500");
  EXPECT_EQ(Text(&b, ".part").find("0.9"), 0u) << Text(&b, ".part");
  ClickOn(&b, ".part button");
  EXPECT_EQ(b.Evaluate("orca.flame.tree.root.total"),
            std::to_string(small_.model.locks.blocked / TICKS_PER_NS));
  ExpectNoErrors(&b);
}

TEST_F(Page, TheAddressHasTheStateOfTheView) {
  WritePage();
  std::string address;
  const char *wanted[][2] = {
      {"#flame&value=blocked&thread=00000002&find=Inventory",
       "orca.flame.value + orca.flame.tree.root.total + orca.flame.pattern"},
      {"#flame&value=waits&from=5000000000&to=7000000000", "orca.flame.tree.root.total"},
      {"#timeline&from=1000000000&to=2000000000&order=name&find=worker&groups=yes&owners=no",
       "[orca.timeline.begin, orca.timeline.end, orca.timeline.order, orca.timeline.rows.length, "
       "orca.timeline.hasGroups, orca.timeline.showArrows].join()"},
      {"#locks&find=inv&sort=waited&up=yes&lock=com.acme.Inventory%40000000A1%20monitor",
       "[orca.locks.selected.sort, orca.locks.rows().length, orca.locks.sort.down, "
       "document.querySelectorAll('#view-locks .details').length].join()"},
      {"#methods&value=wall&find=reserve&sort=total&method=com.acme.Inventory.reserve",
       "[orca.methods.value, orca.methods.rows().length, orca.methods.sort, "
       "document.querySelectorAll('#view-methods .details').length].join()"},
      {"#graph&when=run", "orca.graph.mode"},
      {"#log&find=worker-1&thread=00000003&events=monitor&at=10",
       "[orca.log.shown.length, orca.log.selected, orca.log.thread].join()"},
  };
  std::string values[] = {"blocked2750000000/Inventory/i",
                          "",
                          "1000000000,2000000000,name,2,true,false",
                          "monitor,1,false,1",
                          "wall,1,total,1",
                          "run",
                          ""};
  Browser b(file_);
  for (size_t i = 0; i < std::size(wanted); i++) {
    b.Open(file_ + wanted[i][0]);
    std::string value = b.Evaluate(wanted[i][1]);
    if (!values[i].empty()) {
      EXPECT_EQ(value, values[i]) << wanted[i][0];
    }
    // The page writes the same state again, and a page that is opened with it is the same.
    b.Evaluate("orca.app.writeAddress()");
    address = b.Evaluate("location.hash");
    b.Open(file_ + address);
    EXPECT_EQ(b.Evaluate(wanted[i][1]), value) << address;
    ExpectNoErrors(&b);
  }
}

TEST_F(Page, ABrokenAddressIsNoError) {
  WritePage();
  Browser b(file_);
  for (const char *address : {"#flame&value=frob&thread=x&from=a&to=-1&zoom=9.9.9&find=%E0%A4%A",
                              "#timeline&from=9e99&to", "#locks&lock=x&sort=y",
                              "#log&at=999999&thread=&events=frob", "#frob&x=y", "#&&=&"}) {
    b.Open(file_ + address);
    EXPECT_EQ(b.Evaluate("document.querySelectorAll('.view:not([hidden])').length"), "1");
    ExpectNoErrors(&b);
  }
}

TEST_F(Page, MethodsHaveTheirTimesCallersAndCallees) {
  WritePage();
  Browser b(file_ + "#methods");
  const struct cpu &cpu = small_.model.cpu;
  for (size_t i = 0; i < cpu.num_methods; i++) {
    std::string method = "orca.methods.all.find(({self, total}) => self === " +
                         std::to_string(cpu.methods[i].self_ns) +
                         " && total === " + std::to_string(cpu.methods[i].total_ns) + ")";
    if (cpu.methods[i].total_ns > 0 && !pseudo_is(cpu.methods[i].method)) {
      EXPECT_NE(b.Evaluate(method), "undefined") << i;
    }
  }
  // worker-1 uses 690 ms in price, called by run, and 300 ms in HashMap.get. A recursive call
  // counts once.
  ClickOn(&b, "#view-methods tbody td", "OrderService.price");
  EXPECT_EQ(b.Evaluate("(() => { const price = orca.methods.selected, name = ([m, ns]) => "
                       "orca.data.methods[m].name + ' ' + ns / 1e6, r = "
                       "orca.methods.relatives(price); return r.callers.map(name) + ' | ' + "
                       "r.callees.map(name); })()"),
            "OrderService.run 990 | OrderService.price 690,HashMap.get 300");
  EXPECT_NE(Text(&b, "#view-methods .details").find("in the method itself"), std::string::npos);
  ClickOn(&b, "#view-methods .details button", "Flame graph");
  EXPECT_EQ(Text(&b, "#view-flame output"), "matched 99 %, 990 ms");
  ExpectNoErrors(&b);
}

TEST_F(Page, SentencesLinkToLocksThreadsAndPlaces) {
  WritePage();
  Browser b(file_);
  ClickOn(&b, "#view-overview .verdicts a", "com.acme.Inventory@000000A1");
  EXPECT_EQ(b.Evaluate("orca.app.current.key + ' ' + orca.locks.selected?.sort"), "locks monitor");
  b.Key("1");
  // A title of a lock contains its class and hash.
  ClickOn(&b, "#view-overview .verdicts a", "Object@000000A2");
  EXPECT_NE(b.Evaluate("orca.data.objects[orca.locks.selected.object]").find("A2)"),
            std::string::npos);
  b.Key("1");
  ClickOn(&b, "#view-overview .verdicts a", "worker-1");
  EXPECT_EQ(b.Evaluate("orca.app.current.key"), "timeline");
  EXPECT_NE(Text(&b, "#drawer").find("worker-1"), std::string::npos);
  b.Key("1");
  EXPECT_EQ(b.Evaluate("orca.overview.withLinks('worker-12, worker-1…4, worker-1x, a-worker-1, "
                       "worker-1: 3').filter((x) => x instanceof Element && x.tagName === "
                       "'A').length"),
            "1");
  EXPECT_EQ(b.Evaluate("(() => { orca.overview.withLinks('CPU time is spent in OrderService.price "
                       "(OrderService.java:90)').find((x) => x instanceof Element).click(); return "
                       "orca.app.current.key + ' ' + orca.flame.matched; })()"),
            "flame 990000000");
  ExpectNoErrors(&b);
}

TEST_F(Page, EachViewCanBeCopied) {
  WritePage();
  struct {
    const char *view, *text, *csv;
  } wanted[] = {
      {"flame", "Thread.sleep", "stack,ns\nOrderService.run;OrderService.price,300000000\n"},
      {"methods", "com.acme.OrderService.price",
       "690000000,990000000,com.acme.OrderService.price\n"},
      {"timeline", "worker-1", "worker-1,1,990000000,"},
      {"locks", "Inventory.reserve (Inventory.java:42)", "com.acme.Inventory@000000A1,monitor,"},
      {"graph", "worker-2", "worker-1,worker-2,1,2000000000\n"},
      {"log", "ThreadSlept", ",500000000\n"},
  };
  Browser b(file_);
  for (const auto &w : wanted) {
    b.Evaluate("orca.app.open('" + std::string(w.view) + "')");
    std::string view = "#view-" + std::string(w.view) + " .copy button";
    ClickOn(&b, view, "Copy");
    std::string text = b.Evaluate("orca.copy.last");
    if (std::string(w.view) != "flame") {
      EXPECT_NE(text.find(w.text), std::string::npos) << w.view << "\n" << text;
    }
    ClickOn(&b, view, "CSV");
    text = b.Evaluate("orca.copy.last");
    EXPECT_NE(text.find(w.csv), std::string::npos) << w.view << "\n" << text;
  }
  ExpectNoErrors(&b);
}

TEST_F(Page, TheFindingIsBoldNotTheWhole) {
  WritePage();
  Browser b(file_);
  auto bold = [&](const std::string &text) {
    return b.Evaluate("orca.overview.withFigures('" + text +
                      "').filter((x) => x instanceof Element).map((x) => x.textContent).join()");
  };
  EXPECT_EQ(bold("worker-1 waited 2,802 of 2,806 times for 3.36 s of 8.96 s (38 %)"),
            "2,802,3.36\u00a0s,38\u00a0%");
  EXPECT_EQ(bold("blocked 278 times, 95 % of all time; 2 of worker-1…4"),
            "278\u00a0times,95\u00a0%");
}

TEST_F(Page, LocksAreThoseOfTheModel) {
  WritePage();
  Browser b(file_ + "#locks");
  const struct locks &locks = small_.model.locks;
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('#view-locks tbody tr').length"),
            std::to_string(locks.num));
  std::string first = Text(&b, "#view-locks tbody tr");
  EXPECT_NE(first.find("Inventory@000000A1"), std::string::npos) << first;
  EXPECT_NE(first.find(Time(locks.rows[0].blocked)), std::string::npos) << first;
  EXPECT_NE(first.find(Time(locks.rows[0].longest_blocked)), std::string::npos) << first;
  ClickOn(&b, "#view-locks tbody td", "Inventory@");
  std::string details = Text(&b, "#view-locks .details");
  for (const char *part :
       {"Who was blocked", "worker-1", "still blocked", "Inventory.reserve (Inventory.java:42)",
        "Where the holder was while others waited", "OrderService.price (OrderService.java:88)"}) {
    EXPECT_NE(details.find(part), std::string::npos) << part << " in\n" << details;
  }
  ClickOn(&b, "#view-locks th button", "mean");
  ClickOn(&b, "#view-locks th button", "waited");
  EXPECT_EQ(b.Evaluate("document.querySelector('#view-locks th[aria-sort=descending]').innerText"),
            "waited");
  ExpectNoErrors(&b);
}

TEST_F(Page, ShowsTheSumsOfShortCalls) {
  AddShortCalls(&small_.files);
  small_.files.Append(DUMP_COUNTS, "109.6000000000,MonitorContendedEnter,00000000,3,600,300,0\n");
  WritePage();
  Browser b(file_ + "#locks");
  std::string table = Text(&b, "#view-locks");
  for (const char *part :
       {"≥ 1,004", "≥ 6.88", "≤ 10.0", "≥ 1", "several objects, not told apart"}) {
    EXPECT_NE(table.find(part), std::string::npos) << part << " in\n" << table;
  }
  EXPECT_EQ(b.Evaluate("[...document.querySelectorAll('#view-locks tbody tr')].find((row) => "
                       "/Inventory@/.test(row.innerText)).cells[7].innerText"),
            "–")
      << "two least numbers have no mean";
  ClickOn(&b, "#view-locks tbody td", "Inventory@");
  std::string details = Text(&b, "#view-locks .details");
  EXPECT_NE(details.find("4 of the waits took 10ms or longer, 2.88 s together."), std::string::npos)
      << details;
  EXPECT_NE(details.find("There may be more waits, among those of several objects."),
            std::string::npos)
      << details;
  ClickOn(&b, "#view-locks tbody td", "Semaphore@");
  details = Text(&b, "#view-locks .details");
  EXPECT_NE(details.find("200 calls shorter than 10ms, 200 ms together: it is not known"),
            std::string::npos)
      << details;
  ExpectNoErrors(&b);
}

TEST_F(Page, GraphShowsTheDeadlock) {
  WritePage();
  Browser b(file_ + "#graph");
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('.node.bad').length"), "2");
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('.edge.bad').length"), "2");
  EXPECT_NE(Text(&b, "#view-graph .waits")
                .find("Deadlock 1: worker-1 is blocked on com.acme.Inventory@000000A1"),
            std::string::npos);
  ClickOn(&b, ".segments button", "whole run");
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('#view-graph tbody tr').length"), "2");
  ExpectNoErrors(&b);
}

TEST_F(Page, GraphShowsThatNobodyIsLeft) {
  small_.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop");
  small_.files.Replace(DUMP_EVENTS, "ThreadJoin,00000001,00000002,",
                       "ObjectWait,00000001,000000A3,");
  WritePage();
  Browser b(file_ + "#graph");
  std::string drawn = b.Evaluate("document.querySelector('#view-graph svg').textContent");
  EXPECT_NE(drawn.find("nobody"), std::string::npos) << drawn;
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('.node.bad').length"), "3");
  std::string list = Text(&b, "#view-graph .waits");
  EXPECT_NE(list.find("Hangs: main waits in Object.wait on "), std::string::npos) << list;
  ExpectNoErrors(&b);
}

TEST_F(Page, LogShowsAndFiltersTheEvents) {
  WritePage();
  Browser b(file_ + "#log");
  EXPECT_EQ(b.Evaluate("orca.log.num"), std::to_string(small_.model.recording.num_events));
  b.Key("/");
  b.Type("worker-1 sleep");
  EXPECT_EQ(Text(&b, "#view-log output"), "1 of 22 events");
  EXPECT_NE(Text(&b, "#view-log .event").find("500 ms"), std::string::npos);
  ClickOn(&b, "#view-log .event");
  EXPECT_NE(Text(&b, "#drawer").find("Thread.sleep"), std::string::npos);
  ExpectNoErrors(&b);
}

TEST_F(Page, SwitchesBetweenDarkAndLight) {
  WritePage();
  const std::string color = "getComputedStyle(document.body).backgroundColor";
  Browser light(file_), dark(file_, 1200, 800, true);
  std::string white = light.Evaluate(color), black = dark.Evaluate(color);
  EXPECT_NE(white, black);
  light.Key("t");
  EXPECT_EQ(light.Evaluate(color), black);
  dark.Key("t");
  EXPECT_EQ(dark.Evaluate(color), white);
}

TEST_F(Page, NamesAreInsertedAsText) {
  small_.files.Replace(
      DUMP_EVENTS, "00000002,worker-1",
      "00000002,</script><img src=x onerror=document.title=1>\\u005C\"'&\\u000A\\uD800");
  small_.files.Replace(DUMP_METHODS, ",price,", ",<b>price</b>,");
  small_.files.Replace(DUMP_CLASSES, "Inventory.java", "<i>&amp;.java");
  WritePage();
  Browser b(file_);
  for (const char *key : {"1", "2", "3", "4", "5", "6", "7"}) b.Key(key);
  EXPECT_EQ(b.Evaluate("document.querySelectorAll('img, main i b, main b > b').length"), "0");
  EXPECT_NE(b.Evaluate("document.title"), "1");
  EXPECT_NE(Text(&b, "#view-overview").find("<b>price</b>"), std::string::npos);
  EXPECT_NE(b.Evaluate("orca.data.threads.map((t) => t.name).join()")
                .find("</script><img src=x onerror=document.title=1>"),
            std::string::npos);
  ExpectNoErrors(&b);
}

TEST_F(Page, AnEmptyRecordingHasAPage) {
  for (enum dump_file file : {DUMP_EVENTS, DUMP_SAMPLES, DUMP_OBJECTS})
    small_.files.Write(file, "");
  WritePage();
  Browser b(file_);
  for (const char *key : {"1", "2", "3", "4", "5", "6", "7"}) b.Key(key);
  EXPECT_NE(Text(&b, "#view-overview").find("No samples were taken"), std::string::npos);
  ExpectNoErrors(&b);
}

}  // namespace
