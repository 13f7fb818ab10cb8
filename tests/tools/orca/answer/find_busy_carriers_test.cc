#include "tests/tools/orca/answer/time_lines.h"

namespace {

// Virtual thread 52 sleeps, 53 runs on the only carrier, 55, and 54 was started.
class FindBusyCarriers : public TimeLines {
 protected:
  FindBusyCarriers() {
    small_.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop");
    small_.files.Append(
        DUMP_CLASSES,
        "100.0000000000,000000D2,Ljava/lang/VirtualThread;,VirtualThread.java\n"
        "100.0000000000,000000D3,Ljdk/internal/misc/CarrierThread;,CarrierThread.java\n");
    small_.files.Append(DUMP_OBJECTS,
                        "100.0000000000,00000052,000000D2\n100.0000000000,00000053,000000D2\n"
                        "100.0000000000,00000054,000000D2\n100.0000000000,00000055,000000D3\n");
    Start(1, "main");
    Start(0x55, "carrier-1");
    Begin(0x52, "sleeper");
    Sleep(0x52, 0.5825, 0, kPrice);
    Begin(0x53, "busy");
  }
  void Begin(uint32_t thread, const std::string &name) {
    char object[16];
    snprintf(object, sizeof object, ",%08X", thread);
    Call("ThreadStart", "", 1, 0.1 + thread / 1000.0, 0, kPrice, object);
    if (!name.empty()) Call("ThreadStarted", "", thread, 0.5 + thread / 1000.0, 0, name, "");
  }
  void Run(int64_t cpu_ms) { Sampled(0x53, 1.5, 9.5, "Runnable", cpu_ms, kReserve); }
  std::string SayCarriers() { return SayKinds({FINDING_busy_carriers, FINDING_stuck}); }
};

TEST_F(FindBusyCarriers, NameBothSides) {
  Run(400);
  Begin(0x54, "");
  EXPECT_EQ(SayCarriers(),
            "* Virtual threads get no carrier: busy has run for the last 9.42 s, mostly at "
            "Inventory.reserve (Inventory.java:42), without waiting, and keeps the only carrier, "
            "carrier-1. 1 thread was started and has not begun, the first 9.82 s ago.\n");
}

// Its time may not be over.
TEST_F(FindBusyCarriers, ASleeperNeedsNoCarrier) {
  Run(400);
  EXPECT_EQ(SayCarriers().find("carrier"), std::string::npos);
}

TEST_F(FindBusyCarriers, AThreadThatUsesNoCpuMayWaitOutside) {
  Run(1);
  Begin(0x54, "");
  EXPECT_EQ(SayCarriers().find("carrier"), std::string::npos);
}

// The sleeper had a carrier.
TEST_F(FindBusyCarriers, AnEventOfAnotherVirtualThreadDisprovesIt) {
  Run(400);
  Begin(0x54, "");
  Sleep(0x52, 8, 0, kPrice);
  EXPECT_EQ(SayCarriers().find("carrier"), std::string::npos);
}

}  // namespace
