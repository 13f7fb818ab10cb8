#pragma once
// Writes a valid recording with any number of events, as of a busy server with locks=all: mostly
// uncontended acquisitions, some contended ones, waits for tasks, threads that live for a short
// time, thousands of locks and stacks, and long names. One million events need about 120 MB.
#include <stdio.h>

#include <random>
#include <string>
#include <vector>

#include "tests/support/dump_files.h"

class BigRecording {
 public:
  static constexpr unsigned kWorkers = 64, kPollers = 16, kLocks = 20000, kMethods = 4000,
                            kStacks = 8000, kHot = 50, kRounds = 2000;

  // Another seed makes another recording of the same program: other stacks of the same methods.
  BigRecording(DumpFiles *files, uint64_t events, unsigned seed = 1)
      : files_(files), events_(events), random_(seed) {
    for (unsigned i = 0; i < kStacks; i++)
      stacks_.push_back(MakeStack(i < kHot ? 1 : 8 + Draw(16)));
    WriteDefinitions();
    WriteEvents();
    WriteSamples();
    WriteInfo();
  }

 private:
  static constexpr unsigned kLock = 1, kUnlock = 2, kTake = 3;  // methods on top of stacks
  static constexpr unsigned kFirstLock = 0x10000000, kFirstServed = 0x20000000;

  // The frames of a stack. The outermost are few. `inner`: number of frames inside of them.
  std::string MakeStack(unsigned inner) {
    std::string text;
    for (unsigned i = 0; i < inner + 2; i++) {
      unsigned method = i < inner ? 8 + Draw(kMethods - 8) : 4 + i - inner;
      char pair[32];
      snprintf(pair, sizeof pair, ";%08X;%08X", method, Draw(4) * 8);
      text += pair;
    }
    return text;
  }

  static std::string OnTop(unsigned method, const std::string &frames) {
    char top[40];
    snprintf(top, sizeof top, "%zu;%08X;00000000", frames.size() / 18 + 1, method);
    return top + frames;
  }

  unsigned Draw(unsigned below) { return static_cast<unsigned>(random_() % below); }

  FILE *Open(enum dump_file file) { return fopen(files_->Path(file).c_str(), "w"); }

  void WriteDefinitions() {
    FILE *classes = Open(DUMP_CLASSES), *methods = Open(DUMP_METHODS);
    fputs(
        "100.0000000000,000000C1,Ljava/util/concurrent/locks/ReentrantLock;,ReentrantLock.java\n"
        "100.0000000000,000000C2,Ljava/lang/Thread;,Thread.java\n"
        "100.0000000000,000000C3,Ljava/util/concurrent/LinkedBlockingQueue;,Queue.java\n",
        classes);
    fputs(
        "100.0000000000,00000001,lock,()V,000000C1,1;00000000;00000142\n"
        "100.0000000000,00000002,unlock,()V,000000C1,1;00000000;000001D3\n"
        "100.0000000000,00000003,take,()V,000000C3,1;00000000;000001B2\n",
        methods);
    for (unsigned i = 4; i < kMethods; i++) {
      fprintf(classes,
              "100.0000000000,%08X,Lcom/acme/shop/server/area%u/RequestHandler%u;,Request%u.java\n",
              0x1000 + i, i % 40, i, i);
      fprintf(methods,
              "100.0000000000,%08X,handleRequestOfKind%u,()V,%08X,2;00000000;%08X;00000008;%08X\n",
              i, i, 0x1000 + i, i, i + 7);
    }
    fclose(classes);
    fclose(methods);
    objects_ = Open(DUMP_OBJECTS);
    for (unsigned i = 0; i < kLocks; i++)
      fprintf(objects_, "100.0000000000,%08X,000000C1\n", kFirstLock + i);
  }

  void StartThread(unsigned thread, const char *name, unsigned number) {
    fprintf(objects_, "100.0000000000,%08X,000000C2\n", thread);
    fprintf(out_, "%s,ThreadStarted,%08X,%s%u\n", Now(), thread, name, number);
    count_++;
  }

  const char *Now() {
    now_ += 1 + Draw(20000);  // up to 2 microseconds
    snprintf(time_, sizeof time_, "%llu.%010llu",
             static_cast<unsigned long long>(now_ / TICKS_PER_S),
             static_cast<unsigned long long>(now_ % TICKS_PER_S));
    return time_;
  }

  void Put(const char *event, unsigned thread, unsigned object, const std::string &stack) {
    fprintf(out_, "%s,%s,%08X,%08X,%s\n", Now(), event, thread, object, stack.c_str());
    count_++;
  }

  void PutOwned(const char *event, unsigned thread, unsigned object, unsigned owner,
                const std::string &stack) {
    fprintf(out_, "%s,%s,%08X,%08X,%08X,%s\n", Now(), event, thread, object, owner, stack.c_str());
    count_++;
  }

  const std::string &DrawStack() { return stacks_[Draw(Draw(20) == 0 ? kStacks : kHot)]; }

  // A thread acquires a free lock and releases it.
  void UseLock(unsigned thread) {
    unsigned lock = kFirstLock + (Draw(4) == 0 ? Draw(kLocks) : Draw(300));
    std::string stack = OnTop(kLock, DrawStack());
    PutOwned("LockAcquire", thread, lock, 0, stack);
    Put("LockAcquired", thread, lock, stack);
    Put("LockRelease", thread, lock, OnTop(kUnlock, DrawStack()));
  }

  // A thread is blocked on a monitor while another one uses locks.
  void Block(unsigned thread, unsigned owner) {
    unsigned lock = kFirstLock + kLocks - 40 + Draw(40);
    std::string stack = OnTop(4, DrawStack());
    PutOwned("MonitorContendedEnter", thread, lock, owner, stack);
    for (unsigned i = Draw(8); i-- > 0;) UseLock(owner);
    Put("MonitorContendedEntered", thread, lock, stack);
  }

  // A short-lived thread with a few events.
  void Serve() {
    unsigned thread = kFirstServed + served_++;
    StartThread(thread, "http-nio-8080-exec-request-", served_);
    UseLock(thread);
    Block(thread, 1 + Draw(kWorkers));
    fprintf(out_, "%s,ThreadEnded,%08X\n", Now(), thread);
    count_++;
  }

  void WriteEvents() {
    out_ = Open(DUMP_EVENTS);
    std::vector<char> buffer(1 << 20);
    setvbuf(out_, buffer.data(), _IOFBF, buffer.size());
    for (unsigned i = 1; i <= kWorkers; i++) StartThread(i, "http-nio-8080-exec-worker-", i);
    for (unsigned i = 1; i <= kPollers; i++) StartThread(kWorkers + i, "kafka-consumer-poller-", i);
    while (count_ < events_) {
      unsigned worker = 1 + Draw(Draw(3) == 0 ? kWorkers : 4), what = Draw(1000);
      if (what < 20) {
        Block(worker, 1 + worker % kWorkers);
      } else if (what < 40) {
        unsigned poller = kWorkers + 1 + Draw(kPollers);
        std::string stack = OnTop(kTake, DrawStack());
        unsigned queue = kFirstLock + 500 + Draw(20);
        Put("QueueRemove", poller, queue, stack);
        Put("QueueRemoved", poller, queue, stack);
        UseLock(poller);  // of a thread without samples
        UseLock(poller);
      } else if (what < 42 && served_ < 30000) {
        Serve();
      } else {
        UseLock(worker);
      }
    }
    fclose(out_);
    fclose(objects_);
  }

  void WriteSamples() {
    FILE *out = Open(DUMP_SAMPLES);
    for (size_t i = 0; i < stacks_.size(); i++)
      fprintf(out, "100.0000000000,Stack,%zu,%s\n", i + 1, OnTop(4, stacks_[i]).c_str());
    uint64_t end = now_;
    now_ = 100 * TICKS_PER_S;
    for (unsigned tick = 1; tick <= kRounds; tick++) {
      now_ = 100 * TICKS_PER_S + (end - 100 * TICKS_PER_S) / (kRounds + 1) * tick;
      fprintf(out, "%s,Tick,%u,1000,%u\n", Now(), tick, kWorkers);
      for (unsigned i = 1; i <= kWorkers; i++)
        fprintf(out, "%s,Sample,%08X,Runnable,%u,%u\n", Now(), i, Draw(2000000), 1 + Draw(kStacks));
    }
    now_ = end;
    fclose(out);
  }

  void WriteInfo() {
    char text[1000];
    snprintf(text, sizeof text,
             "format=1\norca.version=0.1.0\npid=4711\njava.version=17.0.9\n"
             "command=java -jar shop.jar com.acme.shop.server.Main\n"
             "options=out,events=all,interval=20ms,engine=weave,locks=all\n"
             "start.monotonic=100.0000000000\nstart.utc=2026-11-20T11:37:36.123456789Z\n"
             "end.monotonic=%s\nend.reason=exit\nevents.written=%llu\nevents.dropped=0\n"
             "events.waited=0\nsamples.written=%u\nsampler.pause.total=%u\n",
             Now(), static_cast<unsigned long long>(count_), kRounds * kWorkers, kRounds * 1000);
    files_->Write(DUMP_INFO, text);
  }

  DumpFiles *files_;
  uint64_t events_, count_ = 0;
  uint64_t now_ = 100 * TICKS_PER_S;
  unsigned served_ = 0;
  char time_[40];
  FILE *out_ = nullptr, *objects_ = nullptr;
  std::mt19937 random_;
  std::vector<std::string> stacks_;
};
