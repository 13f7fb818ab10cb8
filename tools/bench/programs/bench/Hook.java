package bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Measures the CPU time of one call of each kind that the agent hooks. Arguments: the frames of the stack, with that of
 * the called method; the threads that make the same calls at once; the repetitions.
 * Prints a line for each kind: its name, a tab, and the median of the nanoseconds of one call.
 *
 * <p>Each thread uses objects of its own, so the threads compete for nothing but what the agent shares. The CPU time of
 * a thread leaves out its waits for a processor, so there may be more threads than processors.
 *
 * <p>tools/bench/run gives flags to the JVM. With -Xbatch, a call waits until the JVM has compiled it, so the warm-up is
 * complete. The method Frames.run is not inlined, so each of its frames is on the stack. The kernel has provided all
 * pages of the heap, which is small, so no new object is the first in its page.
 */
final class Hook implements Runnable {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

  /** The JVM compiles a method after 5,000 calls. */
  private static final int WARM_UPS = 300;
  private static final int WARM_UP_CALLS = 20;
  private static final int WARM_UPS_PER_PAUSE = 10;

  /** Of a thread in a repetition. Their events have room in the agent's queue, whose lanes have 8,192 records. */
  private static final int CALLS = 1000;

  /** Time for the agent to write the events of a repetition. */
  private static final int PAUSE_MS = 2;

  /**
   * Without a threshold, the agent counts the acquisitions of 49,152 locks. These new locks and those of the
   * warm-up are among them. Then come more locks of each kind than it counts.
   */
  private static final int EARLY_LOCKS = 40_000;
  private static final int MANY_LOCKS = 100_000;

  private static final int BLOCKINGS = 200;

  /** The frames of a call that are not of Frames: the called method, Kind.call, repeat, Hook.run. */
  private static final int OTHER_FRAMES = 4;

  private enum Kind {
    ACQUIRE("Semaphore.acquire") {
      @Override
      void call(Hook h) throws InterruptedException {
        h.permits.acquire();
      }
    },
    AWAIT("CountDownLatch.await") {
      @Override
      void call(Hook h) throws InterruptedException {
        h.open.await();
      }
    },
    GET("FutureTask.get") {
      @Override
      void call(Hook h) throws Exception {
        h.done.get();
      }
    },
    PARK("unpark itself, park") {
      @Override
      void call(Hook h) {
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
      }
    },
    UNPARK("unpark") {
      @Override
      void call(Hook h) {
        LockSupport.unpark(Thread.currentThread());
      }
    },
    NOTIFY_ALL("notifyAll") {
      @Override
      void call(Hook h) {
        synchronized (h.plain) {
          h.plain.notifyAll();
        }
      }
    },
    NOTIFY_ALL_WAITED("notifyAll, once waited on") {
      @Override
      void call(Hook h) {
        synchronized (h.waitedOn) {
          h.waitedOn.notifyAll();
        }
      }
    },
    LOCK("ReentrantLock") {
      @Override
      void call(Hook h) {
        h.lock.lock();
        h.lock.unlock();
      }
    },
    NEW_LOCK("new ReentrantLock") {
      @Override
      void call(Hook h) {
        ReentrantLock lock = new ReentrantLock();
        h.made = lock;
        lock.lock();
        lock.unlock();
      }
    },
    NEW_WRITE_LOCK("new ReentrantReadWriteLock") {
      @Override
      void call(Hook h) {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        h.made = lock;
        lock.writeLock().lock();
        lock.writeLock().unlock();
      }
    },
    NEW_SEMAPHORE("new Semaphore") {
      @Override
      void call(Hook h) {
        h.made = new Semaphore(1);
      }
    },
    NEW_CONDITION("newCondition") {
      @Override
      void call(Hook h) {
        h.made = h.lock.newCondition();
      }
    };

    final String title;

    Kind(String title) {
      this.title = title;
    }

    abstract void call(Hook h) throws Exception;
  }

  private static final Set<Kind> NEW_LOCKS = EnumSet.of(Kind.NEW_LOCK, Kind.NEW_WRITE_LOCK);

  /** A line of the output. */
  private static final class Row {
    final String title;
    final Kind kind;
    final int calls;
    final List<Double> times = Collections.synchronizedList(new ArrayList<>());

    Row(String title, Kind kind, int calls) {
      this.title = title;
      this.kind = kind;
      this.calls = calls;
    }

    /** Leaves out the first times: in the first repetition, the caches of the agent are empty. */
    void print(int first) {
      List<Double> sorted = new ArrayList<>(times.subList(first, times.size()));
      Collections.sort(sorted);
      System.out.printf(Locale.ROOT, "%s\t%.1f%n", title, sorted.get(sorted.size() / 2));
    }
  }

  /** A stack with so many frames of this class below the end. */
  private static final class Frames extends Thread {
    private final Runnable end;
    private final CountDownLatch ended;
    private int left;

    Frames(int frames, Runnable end, CountDownLatch ended) {
      left = frames;
      this.end = end;
      this.ended = ended;
    }

    @Override
    public void run() {
      if (--left > 0) {
        run();
      } else {
        end.run();
        ended.countDown();
      }
    }
  }

  /** Two threads at one monitor. In each round the first holds it until the second is blocked. */
  private static final class Pair {
    private final Object monitor = new Object();
    private volatile Thread second;
    private volatile int held;
    private volatile int entered;

    void hold(int rounds) {
      for (int i = 1; i <= rounds; i++) {
        synchronized (monitor) {
          held = i;
          while (second == null || second.getState() != Thread.State.BLOCKED) Thread.yield();
        }
        while (entered < i) Thread.yield();
      }
    }

    /** Returns the CPU time of each acquisition. */
    List<Double> block(int rounds) {
      List<Double> times = new ArrayList<>();
      second = Thread.currentThread();
      for (int i = 1; i <= rounds; i++) {
        while (held < i) Thread.yield();
        long start = CLOCK.getCurrentThreadCpuTime();
        synchronized (monitor) {
          entered = i;
        }
        times.add((double) (CLOCK.getCurrentThreadCpuTime() - start));
      }
      return times;
    }
  }

  private final Semaphore permits = new Semaphore(Integer.MAX_VALUE);
  private final CountDownLatch open = new CountDownLatch(0);
  private final FutureTask<String> done = new FutureTask<>(() -> "done");
  private final Object plain = new Object();
  private final Object waitedOn = new Object();
  private final ReentrantLock lock = new ReentrantLock();

  /** Keeps the JIT compiler from removing a new object. */
  private volatile Object made;

  /** What the thread measures now: the rows, in so many repetitions, from its start together with the others. */
  private List<Row> rows;
  private int repetitions;
  private int frames;
  private CyclicBarrier start;

  private Hook() throws InterruptedException {
    done.run();
    System.identityHashCode(waitedOn);
    synchronized (waitedOn) {
      waitedOn.wait(1);
    }
    lock.lock(); // while the agent has room to count its acquisitions
    lock.unlock();
  }

  public static void main(String[] args) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> fail(cause));
    int frames = Integer.parseInt(args[0]);
    int threads = Integer.parseInt(args[1]);
    int repetitions = 1 + Integer.parseInt(args[2]);
    Hook[] hooks = new Hook[threads];
    for (int i = 0; i < threads; i++) hooks[i] = new Hook();
    runAll(Collections.singletonList(hooks[0]::warmUp), OTHER_FRAMES + 1);
    int locks = EARLY_LOCKS / NEW_LOCKS.size() / threads / repetitions;
    List<Row> early = new ArrayList<>();
    for (Kind kind : NEW_LOCKS) early.add(new Row(kind.title, kind, Math.min(locks, CALLS)));
    measure(hooks, early, repetitions, frames);
    runAll(Collections.singletonList(hooks[0]::makeManyLocks), OTHER_FRAMES + 1);
    List<Row> later = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      later.add(new Row(kind.title + (NEW_LOCKS.contains(kind) ? ", later" : ""), kind, CALLS));
    }
    measure(hooks, later, repetitions, frames);
    for (Row row : early) row.print(threads);
    for (Row row : later) row.print(threads);
    if (threads > 1) measureBlocking(threads / 2, frames);
  }

  private static void measure(Hook[] hooks, List<Row> rows, int repetitions, int frames) throws InterruptedException {
    CyclicBarrier start = new CyclicBarrier(hooks.length);
    List<Runnable> ends = new ArrayList<>();
    for (Hook h : hooks) {
      h.rows = rows;
      h.repetitions = repetitions;
      h.frames = frames;
      h.start = start;
      ends.add(h);
    }
    runAll(ends, frames);
  }

  private static void measureBlocking(int pairs, int frames) throws InterruptedException {
    Row row = new Row("contended monitor", null, 0);
    List<Runnable> ends = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      Pair pair = new Pair();
      ends.add(() -> pair.hold(BLOCKINGS));
      ends.add(() -> row.times.addAll(pair.block(BLOCKINGS)));
    }
    runAll(ends, frames);
    row.print(0);
  }

  /**
   * Runs each in a thread of its own, at the end of a stack. Thread.join would not do: while a thread is waited on, the
   * agent records each unpark of it.
   */
  private static void runAll(List<Runnable> ends, int frames) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(ends.size());
    for (Runnable end : ends) new Frames(frames - OTHER_FRAMES, end, ended).start();
    ended.await();
  }

  @Override
  public void run() {
    int below = new Throwable().getStackTrace().length;
    if (below + OTHER_FRAMES - 1 != frames) throw new AssertionError(below + " frames");
    try {
      for (int i = 0; i < repetitions; i++) {
        for (Row row : rows) {
          Thread.sleep(PAUSE_MS);
          start.await();
          long begin = CLOCK.getCurrentThreadCpuTime();
          repeat(row.kind, row.calls);
          row.times.add((double) (CLOCK.getCurrentThreadCpuTime() - begin) / row.calls);
        }
      }
    } catch (Exception e) {
      fail(e);
    }
  }

  /** In a thread of the class of those that measure: the JVM compiles code for the class of the current thread. */
  private void warmUp() {
    try {
      for (int i = 0; i < WARM_UPS; i++) {
        for (Kind kind : Kind.values()) repeat(kind, WARM_UP_CALLS);
        for (int j = 0; j < WARM_UP_CALLS; j++) new Frames(2, () -> {}, open).run();
        if (i % WARM_UPS_PER_PAUSE == 0) Thread.sleep(PAUSE_MS);
      }
    } catch (Exception e) {
      fail(e);
    }
  }

  private void makeManyLocks() {
    try {
      for (Kind kind : NEW_LOCKS) repeat(kind, MANY_LOCKS);
    } catch (Exception e) {
      fail(e);
    }
  }

  /** Ends the JVM, since the other threads wait for this one. */
  private static void fail(Throwable cause) {
    cause.printStackTrace();
    Runtime.getRuntime().halt(1);
  }

  private void repeat(Kind kind, int calls) throws Exception {
    for (int i = 0; i < calls; i++) kind.call(this);
  }
}
