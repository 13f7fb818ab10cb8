package truth;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The CPU time of the phases of a program, measured with the CPU clock of each thread.
 *
 * <p>Output: {@code TRUTH Class.method share} for the time in the method itself, {@code TOTAL Class.method share} for
 * the time in the method and its callees. A share is a percentage of the CPU time of the measured threads. {@code
 * TRUTH-THREAD pattern} names the measured threads.
 */
final class Shares {
  /** What a measured thread runs. A phase takes 0.2 ms or more, so that the cost of the clock is negligible. */
  interface Body {
    void run(Shares shares) throws Exception;
  }

  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final double SECONDS = 4;

  final int thread;
  private final long[] nanos;
  private final long deadline;
  private long began;
  private long last;

  private Shares(int thread, int phases, long deadline) {
    this.thread = thread;
    this.nanos = new long[phases];
    this.deadline = deadline;
  }

  /** Runs the body in one thread; `names` are the methods of its phases, with "TOTAL " before some. */
  static void print(String[] args, Class<?> program, Body body, String... names) throws Exception {
    print(args, program, 1, body, names);
  }

  static void print(String[] args, Class<?> program, int threads, Body body, String... names) throws Exception {
    Group group = new Group(args, names.length);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) all.add(group.start(body));
    for (Thread thread : all) thread.join();
    group.print(program, names);
  }

  /** The measured threads of a program. */
  static final class Group {
    final long deadline;
    private final long[] nanos;
    private long total;
    private int threads;
    private Throwable failure;

    Group(String[] args, int phases) {
      CLOCK.getCurrentThreadCpuTime();
      double seconds = args.length > 0 ? Double.parseDouble(args[0]) : SECONDS;
      deadline = System.nanoTime() + (long) (seconds * 1e9);
      nanos = new long[phases];
    }

    boolean more() {
      return System.nanoTime() < deadline;
    }

    /** Starts a measured thread. */
    Thread start(Body body) {
      Shares shares = begin();
      Thread thread = new Thread(() -> run(body, shares), "truth-" + shares.thread);
      thread.start();
      return thread;
    }

    private synchronized Shares begin() {
      return new Shares(++threads, nanos.length, deadline);
    }

    private void run(Body body, Shares shares) {
      shares.reset();
      try {
        body.run(shares);
      } catch (Throwable e) {
        failure = e;
      }
      add(shares, CLOCK.getCurrentThreadCpuTime() - shares.began);
    }

    private synchronized void add(Shares shares, long cpu) {
      total += cpu;
      for (int i = 0; i < nanos.length; i++) nanos[i] += shares.nanos[i];
    }

    void print(Class<?> program, String... names) {
      if (failure != null) throw new AssertionError(failure);
      System.out.println("TRUTH-THREAD truth-*");
      Shares.print(program, nanos, total, names);
    }
  }

  /** Prints the shares of a program that computes them without a clock. */
  static void print(Class<?> program, long[] nanos, long total, String... names) {
    for (int i = 0; i < nanos.length; i++) {
      boolean whole = names[i].startsWith("TOTAL ");
      String name = program.getSimpleName() + "." + names[i].substring(whole ? 6 : 0);
      double share = 100.0 * nanos[i] / total;
      System.out.printf(Locale.ROOT, "%s %s %.2f%n", whole ? "TOTAL" : "TRUTH", name, share);
    }
  }

  /** Begins the first phase of a round. Returns false at the end of the run. */
  boolean more() {
    last = CLOCK.getCurrentThreadCpuTime();
    return System.nanoTime() < deadline;
  }

  /** Ends a phase: adds the time since the previous call to it. */
  void lap(int phase) {
    long now = CLOCK.getCurrentThreadCpuTime();
    nanos[phase] += now - last;
    last = now;
  }

  /** Divides the time since the previous call between all phases, in proportion to `weights`. */
  void split(double... weights) {
    long now = CLOCK.getCurrentThreadCpuTime();
    double all = 0;
    for (double weight : weights) all += weight;
    for (int i = 0; i < weights.length; i++) nanos[i] += (long) ((now - last) * weights[i] / all);
    last = now;
  }

  /** Returns the CPU clock of this thread, for `add`. */
  long now() {
    return CLOCK.getCurrentThreadCpuTime();
  }

  /** Adds the time since `begin`, in which other phases may have ended. */
  void add(int phase, long begin) {
    nanos[phase] += CLOCK.getCurrentThreadCpuTime() - begin;
  }

  /** Returns the nanoseconds of CPU time since the current phase began. */
  long sinceLap() {
    return CLOCK.getCurrentThreadCpuTime() - last;
  }

  /** Discards the time measured so far. */
  void reset() {
    java.util.Arrays.fill(nanos, 0);
    began = last = CLOCK.getCurrentThreadCpuTime();
  }
}
