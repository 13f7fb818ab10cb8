/* Programs of tests/workloads/bugs, re-made from reports about bugs of public projects. The first
   sentence must name the culprit, and the section "In short" must claim nothing false. */
#include "gtest/gtest.h"
#include "tests/recordings/cases.h"
#include "tests/recordings/screen.h"

namespace {

struct BugRow {
  const char *name;  /* the program; with kAttached, what the same one shows by attach */
  const char *first; /* what the first sentence must match */
  std::vector<const char *> named;  /* what the section must match */
  std::vector<const char *> denied; /* what it must not match */
  std::vector<std::string> flags = {};
  double seconds = 0; /* a program that never ends: when it is killed */
  bool is_only_stored = false;
  int least_version = 17; /* the jar is for that JDK */
};

constexpr char kAttached[] = "Attached";
constexpr char kHeldBy[] = "held by";
constexpr char kHang[] = "HANG";
constexpr char kStuck[] = "STUCK|Stuck";
constexpr char kNoThreadRan[] = "No thread of the program ran, was blocked or in I/O";
constexpr char kCalm[] = "The program was idle|Nothing moved";
constexpr char kFaster[] = "times as fast";
// A speed-up, or a sentence that there is none.
constexpr char kGain[] = "times as fast|not be faster|gain nothing";
constexpr char kCommonPoolOfTwo[] = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2";
constexpr char kCommonPoolOfThree[] = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=3";

const std::vector<BugRow> kRows = {
    {"PipelineStall",
     R"(HANG: .*ForkJoinPool\.commonPool-worker-1…3 have waited in Semaphore\.acquire at PipelineStall\.scan )",
     {"no living thread can release a permit; nobody did in the recording",
      R"(indexer has waited in CompletableFuture\.join at PipelineStall\.language )"},
     {kHeldBy, kDeadlock, kIdle, kFaster, kCpu, "On average a thread held it"},
     {kCommonPoolOfThree},
     6},
    {"PipelineStallAttached",
     R"(HANG: .*ForkJoinPool\.commonPool-worker-1…3 have waited in Semaphore\.acquire at PipelineStall\.scan )",
     {R"(indexer has waited in CompletableFuture\.join at PipelineStall\.language )"},
     {kHeldBy, kDeadlock, kIdle, kFaster, kCpu},
     {kCommonPoolOfThree},
     6},
    {"PermitLeak",
     R"(HANG: .*annotator-1…6 have waited in Semaphore\.acquire at PermitLeak\.prepare )",
     {R"(3 permits were acquired at PermitLeak\.prepare \S+ and not released, by .*annotator-)",
      R"(\((\d+) acquired, \d+ released\))"},
     {kHeldBy, kDeadlock, kIdle, kFaster, kCpu},
     {},
     6},
    {"PermitLeakAttached",
     R"(HANG: .*annotator-1…6 have waited in Semaphore\.acquire at PermitLeak\.prepare )",
     {"no living thread can release a permit"},
     {kHeldBy, kDeadlock, kIdle, kFaster, kCpu},
     {},
     6},
    {"LostSignal",
     R"(HANG: .*worker-5 has waited in Object\.wait at LostSignal\$Gate\.pass .* no living thread can notify it)",
     {R"(the only notifyAll, by main at LostSignal\$Gate\.open \S+, came \S+ ms before it began to wait)",
      "main has waited in Thread.join at .* for the end of worker-5"},
     {kLock, kDeadlock, kIdle, kFaster, kCpu},
     {},
     6},
    {"LostSignalAttached",
     R"(HANG: .*worker-5 has waited in Object\.wait at LostSignal\$Gate\.pass .* no living thread can notify it)",
     {"main has waited in Thread.join at .* for the end of worker-5"},
     {kLock, kDeadlock, kIdle, kFaster, kCpu},
     {},
     6},
    {"EventThread",
     R"(HANG: .*\. event-thread has waited in CompletableFuture\.join at EventThread\.nodeChanged )",
     {R"(client-1…3 have waited in CompletableFuture\.join at EventThread\.poll )",
      R"(this is the only worker of its pool; no worker has taken \d+ tasks that were queued in it)"},
     {kDeadlock, kIdle, kFaster, "wire", kCpu},
     {},
     6},
    {"EventThreadAttached",
     R"(HANG: .*\. event-thread has waited in CompletableFuture\.join at EventThread\.nodeChanged )",
     {R"(client-1…3 have waited in CompletableFuture\.join at EventThread\.poll )"},
     {kDeadlock, kIdle, kFaster, "wire", kCpu},
     {},
     6},
    {"CorePoolOnly",
     R"(Tasks spent \S+ % of their time in the queue of solver-…, whose only thread was busy .* )"
     R"(Its thread solver-1 slept .* at CorePoolOnly\.solve )",
     {"On average a task waited [23].* s in it, the longest [56].* s"},
     {"idle", "main waited", "2 tasks"},
     {}},
    {"PriorityPool",
     R"(Tasks spent \S+ % of their time in the queue of job-…, whose 2 threads were all busy .* )"
     R"(Its threads job-[12] and job-[12] slept .* at PriorityPool\.export )",
     {R"(tasks of PriorityPool\.main \(PriorityPool\.java:58\) .* ms, the longest [89].* ms)",
      "More threads would run more tasks at once"},
     {"idle", "main slept", "a thread sleeps at"},
     {}},
    /* Killed early: it makes 10,000 events a second. */
    {"WalQueue",
     R"(writer-.* waited .* in BlockingQueue\.put at WalQueue\.lambda\$main\$1 \(WalQueue\.java:43\))"
     R"( for room in \S*ArrayBlockingQueue@\S+ wal-appender, which took from it, was in a file sync)"
     R"( \(\S*force0\) at WalQueue\.append )",
     {},
     {"idle", "wal-appender waited"},
     {},
     1.4},
    {"YieldSpin",
     "ring-consumer-1…4 spin: \\d+ % of the Java threads' CPU time is spent in Thread\\.yield, "
     "called by YieldSpin\\$Ring\\.await \\(YieldSpin\\.java:14\\)",
     {"CPU time is spent in YieldSpin\\.price"},
     {}},
    {"CodegenStorm",
     "The JIT compiler used \\d+ % of the CPU time of the process.*CodegenStorm\\$Kernel\\.run ran "
     "in at least \\d+ classes of one origin.* at CodegenStorm\\.query",
     {"CodegenStorm\\$Kernel\\.run .*, in \\d+ classes of this name"},
     {kGain, "critical path"}},
    {"PerCallPool",
     "The number of threads grows: 300 threads pool-N-thread-1 were started at "
     "PerCallPool\\.probe .* none of them ended; they wait in BlockingQueue\\.take",
     {},
     {},
     {"-Dprobes=300", "-Dask=10"}},
    {"HeapFull",
     "The garbage collector stopped the program \\d+ times for .* in total: [6-9]\\d % of the time",
     {},
     {},
     {"-Xmx72m", "-XX:+UseSerialGC"}},
    {"StaleLocals",
     R"([6-9]\d % of the Java threads' CPU time is spent in ThreadLocal\S* and what it calls, by )"
     R"(.* called most by StaleLocals\.request )",
     {R"(ThreadLocal\$ThreadLocalMap)"},
     {"[Ll]ock .*blocked", R"(ReentrantReadWriteLock\.<init>)"},
     {"-Xmx1g", "-XX:+UseG1GC"}},
    {"DnsLock",
     R"(Lock .*DnsLock\$Peer@\S+: mover-1…4 were blocked .* at \S*Peer\.transfer .*)"
     R"(held most by system-cell, .* at \S+\.lookupByName )",
     {"9[0-9] % of the time of these threads"},
     {kGain, "idle", "CPU time is spent"},
     {},
     0,
     true},
    {"GraphLock",
     R"(Read side of the lock in GraphLock\.render:\d+ .*render-1…4 waited .*)"
     R"(held (most )?by export as a reader, .*asleep at GraphLock\.pause \S+, called by GraphLock\.export .*)"
     R"(For its write side, editor waited .* at GraphLock\.edit )",
     {},
     {kGain, "held (most )?by editor", "owner is not known", "idle", "Write side of the lock"}},
    {"ExitUnderLock",
     "DEADLOCK: main joins context-closer at .*Context.refresh .*; context-closer blocks on the "
     "monitor in .*Context.close:.*, held by main, which acquired it in ",
     {},
     {kGain, "idle"},
     {},
     5},
    {"ExitUnderLockAttached",
     "DEADLOCK: main joins context-closer at .*Context.refresh .*; context-closer blocks on the "
     "monitor in .*Context.close:.*, held by main, which acquired it in ",
     {},
     {kGain, "idle"},
     {},
     6},
    {"Offsets",
     R"(DEADLOCK of class initialization: )",
     {R"(compress initializes bugs\.Offsets\$Offset and waits at .*Offsets\.java:\d+\) for bugs\.Offsets\$EmptyOffset)",
      R"(slice initializes bugs\.Offsets\$EmptyOffset and waits at .* for bugs\.Offsets\$Offset)",
      R"(range waits for bugs\.Offsets\$Offset, too)"},
     {"was idle", "stood for", "times as fast", "Nothing moved", "ready to run"},
     {},
     6},
    {"OffsetsAttached",
     R"(DEADLOCK of class initialization: )",
     {R"(compress initializes bugs\.Offsets\$Offset and waits at .*Offsets\.java:\d+\) for bugs\.Offsets\$EmptyOffset)",
      R"(slice initializes bugs\.Offsets\$EmptyOffset and waits at .* for bugs\.Offsets\$Offset)",
      R"(range waits for bugs\.Offsets\$Offset, too)"},
     {"was idle", "stood for", "times as fast", "Nothing moved", "ready to run"},
     {},
     6},
    {"PriceUpgrade",
     R"(DEADLOCK: import waits for the write side of .* at PriceUpgrade\$Prices\.load )"
     R"(\(PriceUpgrade\.java:24\), though it holds the read side itself\. till-1…3 wait for it, too\.)",
     {},
     {kGain, "idle", "[Ss]tuck"},
     {},
     4},
    {"DriverInit",
     R"(DEADLOCK: )",
     {R"(loader waits until opener has initialized bugs\.DriverInit\$Driver, at DriverInit\$Registry\.load )",
      R"(opener blocks on \S*Registry@\S+ at DriverInit\$Registry\.register .* held by loader)",
      R"(warmer waits until starter has initialized bugs\.DriverInit\$Pool, at )",
      R"(starter joins warmer at DriverInit\$Pool\.<clinit> )"},
     {kIdle, "stood for", kFaster, "Nothing moved", "ready to run", "HANG"},
     {},
     6},
    {"DriverInitAttached",
     R"(DEADLOCK: )",
     {R"(loader waits until opener has initialized bugs\.DriverInit\$Driver, at DriverInit\$Registry\.load )",
      R"(opener blocks on \S*Registry@\S+ at DriverInit\$Registry\.register .* held by loader)",
      R"(warmer waits until starter has initialized bugs\.DriverInit\$Pool, at )",
      R"(starter joins warmer at DriverInit\$Pool\.<clinit> )"},
     {kIdle, "stood for", kFaster, "Nothing moved", "ready to run", "HANG"},
     {},
     6},
    {"Settings",
     R"(Lock on class bugs\.Settings\$Registry: request-1…4 were blocked .*)"
     R"(at Settings\$Registry\.read .* held (most )?by main, .*at Settings\.reload )",
     {},
     {kGain, "java\\.lang\\.Class", "idle", "CPU time is spent"}},
    {"SharedFile",
     R"(Lock bugs\.SharedFile\$Index@\S+: search-1…3 were blocked 3 times .* held (most )?by committer, .*)"
     R"(in a file lock \(\S*FileDispatcherImpl\.lock0\) at SharedFile\$Index\.commit )",
     {},
     {kGain, "was idle", "CPU time is spent"}},
    {"DirectBuffers",
     R"(The garbage collector stopped the program \d+ times .* main called System\.gc \d+ times )"
     R"((mostly )?at DirectBuffers\.serve \(DirectBuffers\.java:\d+\) in ByteBuffer\.allocateDirect: )",
     {},
     {"idle", "[Ll]ock .*blocked"},
     {"-Xmx256m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=48m"}},
    {"Backlog",
     R"(main put 1,000 elements into \S*LinkedBlockingQueue@\S+ at Backlog\.receive \S+, but storer got )"
     R"(only \d+ of them .* grew by [78]\d\d\. The thread that took slept at Backlog\.store )",
     {},
     {"idle", "[Ll]ock .*blocked"}},
    {"StuckBesideHeartbeat",
     R"(STUCK: 1 thread has waited .*reader-5 has waited in Object\.wait at \S*Cache\.await .*notify it)",
     {R"(the last of 4 calls of notifyAll, by loader-4 at \S*Cache\.put \S+, came )"},
     {kDeadlock, kHang, kIdle, kGain, "heartbeat"},
     {},
     7},
    {"BrokenBarrier",
     R"(STUCK: 2 threads have waited .*worker-[12] and worker-[12] have waited in CyclicBarrier\.await at )"
     R"(BrokenBarrier\.work .*, for another thread to come to the barrier; worker-3, which came to it )"
     R"(3 times, ended \S+ s ago, by an ArrayIndexOutOfBoundsException at BrokenBarrier\.work )",
     {"earlier waits there took at most"},
     {kDeadlock, kHang, kIdle, kGain, "metrics"},
     {},
     7},
    {"BrokenBarrierAttached",
     R"(STUCK: 2 threads have waited .*worker-[12] and worker-[12] have waited in CyclicBarrier\.await at )"
     R"(BrokenBarrier\.work .*, for another thread to come to the barrier)",
     {},
     {kDeadlock, kHang, kIdle, kGain, "metrics"},
     {},
     8},
    {"LatchShort",
     R"(STUCK: 1 thread has waited .*request has waited in CountDownLatch\.await at LatchShort\.answer .*)"
     R"(to count it down \(it lacks 1 more call; 3 came from .*part)",
     {R"(the last of 3 calls of countDown, by part at LatchShort\.fetch \S+, was \S+ s ago)"},
     {kDeadlock, kHang, kIdle, kGain, "ticker"},
     {},
     7},
    {"LatchShortAttached",
     R"(STUCK: 1 thread has waited .*request has waited in CountDownLatch\.await at LatchShort\.answer .*)"
     R"(to count it down \(it lacks 1 more call\))",
     {"nobody did in the recording"},
     {kDeadlock, kHang, kIdle, kGain, "ticker"},
     {},
     8},
    {"StuckRequests",
     R"(STUCK: 4 threads have waited .*pool-\d-thread-1…4 have waited in CompletableFuture\.join at )"
     R"(StuckRequests\.call .*these are all workers of their pool)",
     {"earlier waits there took at most"},
     {kDeadlock, kHang, kIdle, kGain, "ticker"},
     {},
     7},
    {"StuckRequestsAttached",
     R"(STUCK: 4 threads have waited .*pool-\d-thread-1…4 have waited in CompletableFuture\.join at )"
     R"(StuckRequests\.call .*these are all workers of their pool)",
     {},
     {kDeadlock, kHang, kIdle, kGain, "ticker"},
     {},
     8},
    {"DeadOwner",
     R"(HANG: 2 threads cannot go on\. teller-[23] and teller-[23] have waited in Lock\.lock at )"
     R"(DeadOwner\.book .*, for a lock of teller-1, which ended \S+ s ago without releasing it)",
     {},
     {kDeadlock, kIdle, kGain, "heartbeat"},
     {},
     7},
    {"CalmServer", kCalm, {}, {kDeadlock, kHang, kStuck, kGain}, {}, 7},
    {"CalmServerAttached", kNoThreadRan, {}, {kDeadlock, kHang, kStuck, kGain}, {}, 7},
    {"CalmTest", kCalm, {}, {kDeadlock, kHang, kStuck}, {}, 5},
    {"CalmTestAttached", kCalm, {}, {kDeadlock, kHang, kStuck}, {}, 7},
    {"TemplateRegex",
     R"([89]\d % of the Java threads' CPU time is spent in java\.util\.regex and what it calls, (mostly )?)"
     R"(by validator-[12] and validator-[12]: .* called most by TemplateRegex\.validate )",
     {},
     {"idle"}},
    {"QuotaLock",
     R"(Lock .*CounterClient@\S+: handler-1…6 were blocked .* held by 6 threads in turn, (mostly )?in )"
     R"(a socket read \(\S+\) at QuotaLock\$CounterClient\.ask )",
     {},
     {"idle", "last seen"}},
    {"StoppedFlush",
     R"(STUCK: 3 threads have waited .*writer-0…2 have waited in BlockingQueue\.put at StoppedFlush\.write .*)"
     R"(In the recording, an exception ended a task of flush-timer \S+ s ago \(a NumberFormatException at )"
     R"(StoppedFlush\.send )",
     {},
     {kDeadlock, kHang, kIdle, kGain},
     {},
     6},
    {"LostSessions",
     R"(STUCK: 4 threads have waited .*handler-1…4 have waited in Condition\.await at LostSessions\.borrow .*)"
     R"(all \d+ calls of signal came from threads that wait now, the last by handler-\d at LostSessions\.giveBack )",
     {},
     {kDeadlock, kHang, kIdle, kGain},
     {},
     6},
    {"AcceptTurns",
     R"(Waiting when the recording ended: acceptor-\d and acceptor-\d block on .* at AcceptTurns\.serve )"
     R"(.*; it is held by acceptor-\d, which got it \S+ s ago and has been for \S+ s in Net\.accept at )",
     {},
     {kStuck, kHang, kDeadlock, kIdle, kGain},
     {},
     5},
    {"PatientTransfer",
     R"(Ring until a time limit ends: saver waits for .* in Lock\.tryLock at PatientTransfer\.save )"
     R"(.*, held by spender, for \S+ s; spender waits for .* at PatientTransfer\.spend .*, held by saver, )"
     R"(.*None of them can go on before the time limit of saver is over\.)",
     {},
     {kStuck, kHang, kDeadlock, kIdle, kGain},
     {},
     5},
    {"PinnedCodecs",
     R"(Virtual threads get no carrier: 4 threads were started and have not begun, the first \S+ s ago\. )"
     R"(.*are pinned at PinnedCodecs\.write .*PinnedCodecs\$\w+\.<clinit>, and keep a carrier each; one )"
     R"(of them waits for .*, held by virtual thread 1 of PinnedCodecs\.main:\d+, which has left its carrier)",
     {},
     {kStuck, kHang, kDeadlock, kIdle, kGain},
     {"-Djdk.virtualThreadScheduler.parallelism=2"},
     5,
     false,
     25},
    {"NestedPool",
     R"(STUCK: 3 threads have waited .*report-1…3 have waited in AbstractExecutorService\.invokeAll at )"
     R"(NestedPool\.report .*these are all workers of their pool; no worker has .*no worker has taken the tasks )",
     {},
     {kDeadlock, kHang, kIdle, kGain, "ticker"},
     {},
     6},
    {"NestedPoolAttached",
     R"(STUCK: 3 threads have waited .*report-1…3 have waited in AbstractExecutorService\.invokeAll at )"
     R"(NestedPool\.report )",
     {},
     {kDeadlock, kHang, kIdle, kGain, "ticker"},
     {},
     8},
    {"TwoPools",
     R"(STUCK: 4 threads have waited .*order-[12] and order-[12] have waited in CompletableFuture\.join at )"
     R"(TwoPools\.order .*no worker has taken the tasks .*these are all workers of their pool)",
     {R"(price-[12] and price-[12] have waited in CompletableFuture\.join at TwoPools\.price .*no worker has taken )"},
     {kDeadlock, kHang, kIdle, kGain},
     {},
     5},
    {"OwnLoop",
     R"(STUCK: 1 thread has waited .*event-loop has waited in CountDownLatch\.await at OwnLoop\.close .*)"
     R"(\(it alone called take on \S*LinkedBlockingQueue@\S+, \d+ times after \d+ calls of put; )",
     {},
     {kDeadlock, kHang, kIdle, kGain},
     {},
     5},
    {"BackpressureTimer",
     R"(platform-timer, the only thread of a Timer, was in tasks for .*: it slept .* at )"
     R"(\S*\.onRamp \S+, called by BackpressureTimer\.put )",
     {R"(gossip-\d.* slept \S+ times for \S+ ms on average, .* at \S*\.onRamp )"},
     {kIdle, "main slept", kGain}},
    {"CommonPool",
     R"(The 2 workers of ForkJoinPool\.commonPool were in tasks for \d+ % of their time: they slept )"
     R"(.* at CommonPool\.storeDataRemoteCall .*; health-check waited .* in CompletableFuture\.join at )"
     R"(CommonPool\.ping )",
     {},
     {kIdle, "main slept", kGain},
     {kCommonPoolOfTwo}},
    {"CallerRuns",
     R"(NettyServerNIOSelector_1 ran tasks for \S+ s that a pool did not accept, .*CallerRunsPolicy.*, at )"
     R"(CallerRuns\.channelRead .*: it slept .* at CallerRuns\.processSendMessage )",
     {R"(in the queue of SendMessageThread_…, whose 2 threads were all busy)"},
     {kIdle, "main slept", kGain}},
    {"VerboseChild",
     R"(maven-builder-[12] (has )?waited .*in ProcessImpl\.waitFor at VerboseChild\.exec )",
     {"for a child process, which had not ended",
      R"(main waited .* in FutureTask\.get at VerboseChild\.main )"},
     {kDeadlock, kHang, kIdle, kGain},
     {},
     5},
    {"VerboseChildAttached",
     R"(maven-builder-[12] has waited in ProcessImpl\.waitFor at VerboseChild\.exec )",
     {"for a child process, which had not ended"},
     {kDeadlock, kHang, kIdle, kGain},
     {},
     6},
    {"CheckoutLeak",
     R"(STUCK: 5 threads have waited .*akka\.actor\.default-dispatcher-1…5 have waited in Condition\.await at )"
     R"(CheckoutLeak\$ObjectPool\.take .*; all \d+ calls of signal came from threads that wait now, )"
     R"(the last by akka.* at \S*ObjectPool\.giveBack )",
     {},
     {kDeadlock, kHang, kIdle, kGain, "main waited"},
     {},
     6},
    {"NotShutDown",
     R"(main ended \S+ m?s after the start of the recording, but the JVM goes on .* pulsar-client-io-[12] and )"
     R"(pulsar-client-io-[12] wait for tasks of pools that were not shut down)",
     {"pulsar-timer was alive, too"},
     {kDeadlock, kHang, kStuck, kGain},
     {},
     5},
    {"NotShutDownAttached",
     R"(main ended before the recording, but the JVM goes on .* pulsar-client-io-[12] and )"
     R"(pulsar-client-io-[12] wait for tasks of pools that were not shut down)",
     {"pulsar-timer was alive, too"},
     {kDeadlock, kHang, kStuck, kGain},
     {},
     6},
    {"NotifyGone",
     R"(STUCK: 3 threads have waited .* in Condition\.await at NotifyGone\$BlockNotifier\.awaitHeight .*; )"
     R"(block-notify, which signalled it \d+ times, ended \S+ s ago)",
     {},
     {kDeadlock, kHang, kIdle, "useless", kGain},
     {},
     6},
    {"StreamInit",
     R"(DEADLOCK: analyzer-0 waits in ReferencePipeline\.collect at StreamInit\$DetectorRegistry\.<clinit> )",
     {R"(for the task that (ForkJoinPool\.commonPool-worker-[1-3]) runs; \1 waits until analyzer-0 has initialized bugs\.StreamInit\$DetectorRegistry)",
      "wait for them, too"},
     {kIdle, kStuck, "Nothing moved", kGain},
     {kCommonPoolOfThree},
     6},
    {"HeldConnection",
     R"(Semaphore in HeldConnection\$HikariPool\.getConnection:\d+ )",
     {R"(MailSyncSent-Thread-29\S+ waited at least \S+ s in total in a socket read )"},
     {kIdle, kDeadlock, kStuck}},
    {"PushPhaser",
     R"(STUCK: 1 thread has waited .*campaign-runner has waited in Phaser\.arriveAndAwaitAdvance at \S*)"
     R"(sendCampaign .*to arrive at the phaser \(at least 1 party has not arrived\); the last of 19 calls of arrive)",
     {R"(an exception ended a task of apns-client-\d .*NullPointerException at PushPhaser\$ApnsClient\.send )"},
     {kDeadlock, kHang, kIdle, kGain, "health-check"},
     {},
     6},
    {"PushPhaserAttached",
     R"(STUCK: 1 thread has waited .*campaign-runner has waited in Phaser\.arriveAndAwaitAdvance at \S*)"
     R"(sendCampaign .*to arrive at the phaser.*; nobody did in the recording)",
     {},
     {kDeadlock, kHang, kIdle, kGain, "health-check"},
     {},
     7},
    {"SharedLimiter",
     R"(Semaphore in SharedLimiter\$RateLimiter\.acquire:\d+ .*: secor-consumer-0…5 waited .*; all \d+ calls of release )"
     R"(came from RateLimiter-refill at SharedLimiter\$RateLimiter\.refresh )",
     {},
     {kGain, "held", "was idle", kDeadlock, kHang}},
    {"ChannelLimiter",
     R"(STUCK: 4 threads .*New I/O worker #[12] have waited in Object\.wait at ChannelLimiter\$Limiter\.increase .*; )"
     R"(all \d+ calls of notifyAll came from threads that wait now, .*which notified it \d+ times, has waited for \S+ s )"
     R"(in synchronized at ChannelLimiter\$NioChannel\.write .*it is still held by New I/O worker #[12])",
     {},
     {kGain, "was idle", "its owner is not known"},
     {},
     6},
    {"IndexDataReader",
     R"(STUCK: 1 thread .*index-update-reader has waited in BlockingQueue\.put at IndexDataReader.*readIndex .*; )"
     R"(maven-indexer-worker-\d, which took from it \d+ times, has waited for work for \S+ s, since its task ended by a )"
     R"(NullPointerException at IndexDataReader\$IndexWriter\.addDocument )",
     {},
     {kGain, "was idle", kDeadlock, "[Ll]ock .*blocked"},
     {},
     6},
    {"LoggingPool",
     R"(STUCK: 3 threads .*OrientDB ETL-.* have waited in \S+get at LoggingPool.*afterExecute .* each for the task that it )"
     R"(has run itself; main waits for the end of their pool at LoggingPool\.main )",
     {},
     {kGain, "was idle", kDeadlock, "another thread to complete"},
     {},
     6},
};

void ExpectBug(const Recording &recording, const BugRow &row) {
  Screen screen = ReadScreen(recording.RunView("report"));
  EXPECT_TRUE(Matches(screen.first, row.first)) << screen.text;
  std::string text = recording.ReadSummary();
  for (const char *part : row.named) EXPECT_TRUE(Matches(text, part)) << part << "\n" << text;
  for (const char *part : row.denied) EXPECT_FALSE(Matches(text, part)) << part << "\n" << text;
}

}  // namespace

std::vector<Case> ListBugs() {
  std::vector<Case> cases;
  for (const BugRow &row : kRows) {
    Case c = {row.name, {}, "", [&row](const Recording &r) { ExpectBug(r, row); }, row.flags};
    std::string program = row.name;
    size_t at = program.find(kAttached);
    c.by_attach = at != std::string::npos;
    c.program = {"bugs." + program.substr(0, at)};
    c.jar = "bugs";
    c.seconds = row.seconds;
    c.is_only_stored = row.is_only_stored;
    c.least_version = row.is_only_stored ? 25 : row.least_version;
    cases.push_back(c);
  }
  return cases;
}
