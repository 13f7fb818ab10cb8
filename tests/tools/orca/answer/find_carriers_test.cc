#include "tests/tools/orca/answer/time_lines.h"

namespace {

// Virtual thread 2 holds a lock and sleeps, 3 waits for it in a static initializer. 4 was started.
class FindCarriers : public TimeLines {
 protected:
  FindCarriers() {
    small_.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop");
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000D2,Ljava/lang/VirtualThread;,VirtualThread.java\n"
                        "100.0000000000,000000D3,Lcom/acme/Codec;,Codec.java\n");
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000022,<clinit>,()V,000000D3,-1\n");
    small_.files.Append(DUMP_OBJECTS,
                        "100.0000000000,00000052,000000D2\n100.0000000000,00000053,000000D2\n"
                        "100.0000000000,00000054,000000D2\n");
    Start(1, "main");
    Begin(0x52, "holder");
    Begin(0x53, "codec-user");
    Sleep(0x52, 1, 0, kPrice);
    Call("LockAcquire", "", 0x53, 2, 0, kClinit, ",000000A6,00000052");
  }
  void Begin(uint32_t thread, const std::string &name) {
    char object[16];
    snprintf(object, sizeof object, ",%08X", thread);
    Call("ThreadStart", "", 1, 0.1 + thread / 1000.0, 0, kPrice, object);
    if (!name.empty()) Call("ThreadStarted", "", thread, 0.5 + thread / 1000.0, 0, name, "");
  }
  void Pin() { Call("ThreadPinned", "", 0x53, 2.1, 0, kClinit, ""); }
  std::string SayCarriers() { return SayKinds({FINDING_no_carrier, FINDING_stuck}); }

  const std::string kClinit = "3;00000012;00000000;00000022;00000000;00000011;00000000";
};

TEST_F(FindCarriers, NamesPinnedThreads) {
  Pin();
  Begin(0x54, "");
  EXPECT_EQ(SayCarriers(),
            "* Virtual threads get no carrier: 1 thread was started and has not begun, the first "
            "9.82 s ago. codec-user is pinned at Inventory.reserve (Inventory.java:42), in static "
            "initializers such as Codec.<clinit>, and keeps a carrier; it waits for "
            "object@000000A6, held by holder, which has left its carrier and needs one "
            "to go on.\n");
}

TEST_F(FindCarriers, AThreadThatIsNotPinnedKeepsNoCarrier) {
  Begin(0x54, "");
  EXPECT_EQ(SayCarriers().find("carrier"), std::string::npos);
}

TEST_F(FindCarriers, WhereAllHaveBegunThereMayBeCarriers) {
  Pin();
  EXPECT_EQ(SayCarriers().find("carrier"), std::string::npos);
}

TEST_F(FindCarriers, WhereOneBeganLatelyThereIsACarrier) {
  Pin();
  Begin(0x54, "");
  small_.files.Append(DUMP_OBJECTS, "100.0000000000,00000055,000000D2\n");
  Begin(0x55, "");
  Call("ThreadStarted", "", 0x55, 9.5, 0, "late", "");
  EXPECT_EQ(SayCarriers().find("carrier"), std::string::npos);
}

TEST_F(FindCarriers, NamesWhoStartedOneThatHasNotBegun) {
  Pin();
  small_.files.Append(DUMP_OBJECTS, "100.0000000000,00000055,000000D2\n");
  Call("ThreadStart", "", 0x53, 1.5, 0, kPrice, ",00000055");
  EXPECT_TRUE(Has(SayCarriers(),
                  "needs one to go on; it itself started the one that has not begun, at "
                  "OrderService.price (OrderService.java:88).\n"));
}

// A thread that waits for a class has no ThreadPinned.
TEST_F(FindCarriers, NamesThreadsThatWaitForAClass) {
  Pin();
  Begin(0x54, "");
  small_.files.Replace(DUMP_INFO, "java.version=17", "java.version=25");
  small_.files.Append(DUMP_OBJECTS, "100.0000000000,00000055,000000D2\n");
  Begin(0x55, "signer");
  Sampled(0x55, 2, 2, "Runnable", 0, kReserve);
  Call("ClassInitWait", "", 0x55, 3, 0, kReserve, ",000000D3,00000053");
  EXPECT_TRUE(Has(SayCarriers(),
                  ". signer, which waits at Inventory.reserve (Inventory.java:42) for the "
                  "initialization of com.acme.Codec, keeps one, too.\n"));
}

// Those that wait for a class have no event, so the number would be too small.
TEST_F(FindCarriers, TheNumberOfThreadPinnedIsNotTold) {
  Pin();
  Begin(0x54, "");
  EXPECT_EQ(SayKinds({FINDING_pinned}), "");
}

}  // namespace
