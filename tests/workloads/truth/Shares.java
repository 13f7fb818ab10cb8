package truth;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures the CPU time of the phases of a program with the CPU clock of each thread. A phase is a call of a method.
 * An instance of this class measures one thread, and only that thread may use it.
 *
 * <p>Output: {@code TRUTH Class.method share} for the self time of the method, {@code TOTAL Class.method share} for the
 * time of the method and its callees. A share is a percentage of the CPU time of the measured threads. {@code
 * TRUTH-THREAD pattern...} matches the names of the measured threads.
 */
final class Shares {
  /** The work of a measured thread. A phase takes 0.2 ms or more, so that the cost of the clock is negligible. */
  interface Body {
    void run(Shares shares) throws Exception;
  }

  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final double SECONDS = 4;

  final int thread; // from 1
  private final long[] nanos;
  private final long deadline;
  private long startNanos; // of the measurement
  private long lastNanos; // end of the last phase

  private Shares(int thread, int phases, long deadline) {
    this.thread = thread;
    this.nanos = new long[phases];
    this.deadline = deadline;
  }

  /**
   * Runs the body in one thread for args[0] seconds (default: 4), and prints the shares. `names` are the methods of the
   * phases; "TOTAL " before a name means that the phase includes callees.
   */
  static void print(String[] args, Class<?> program, Body body, String... names) throws Exception {
    print(args, program, 1, body, names);
  }

  /** The same with a number of threads. */
  static void print(String[] args, Class<?> program, int threads, Body body, String... names) throws Exception {
    Group group = new Group(args, names.length);
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) started.add(group.start(body));
    for (Thread thread : started) thread.join();
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

    boolean hasTime() {
      return System.nanoTime() < deadline;
    }

    /** Starts a measured thread. */
    Thread start(Body body) {
      Shares shares = newShares();
      Thread thread = new Thread(() -> run(body, shares), "truth-" + shares.thread);
      thread.start();
      return thread;
    }

    private synchronized Shares newShares() {
      return new Shares(++threads, nanos.length, deadline);
    }

    private void run(Body body, Shares shares) {
      shares.reset();
      try {
        body.run(shares);
      } catch (Throwable e) {
        failure = e;
      }
      add(shares, CLOCK.getCurrentThreadCpuTime() - shares.startNanos);
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

  /** Prints the shares of a program that knows the times of its phases without a clock. */
  static void print(Class<?> program, long[] nanos, long total, String... names) {
    for (int i = 0; i < nanos.length; i++) {
      boolean isTotal = names[i].startsWith("TOTAL ");
      String name = program.getSimpleName() + "." + names[i].substring(isTotal ? 6 : 0);
      double share = 100.0 * nanos[i] / total;
      System.out.printf(Locale.ROOT, "%s %s %.2f%n", isTotal ? "TOTAL" : "TRUTH", name, share);
    }
  }

  /** Starts the first phase of a round. Returns false if the time of the run is over. */
  boolean startRound() {
    lastNanos = CLOCK.getCurrentThreadCpuTime();
    return System.nanoTime() < deadline;
  }

  /** Ends a phase: adds the CPU time since the end of the previous phase to it. */
  void endPhase(int phase) {
    long now = CLOCK.getCurrentThreadCpuTime();
    nanos[phase] += now - lastNanos;
    lastNanos = now;
  }

  /** Divides the CPU time since the end of the previous phase between all phases, in proportion to `weights`. */
  void splitPhase(double... weights) {
    long now = CLOCK.getCurrentThreadCpuTime();
    double sum = 0;
    for (double weight : weights) sum += weight;
    for (int i = 0; i < weights.length; i++) nanos[i] += (long) ((now - lastNanos) * weights[i] / sum);
    lastNanos = now;
  }

  /** Returns the CPU clock of this thread, for `addSince`. */
  long readClock() {
    return CLOCK.getCurrentThreadCpuTime();
  }

  /** Adds the time since `begin` to a phase. Other phases may have ended in that time. */
  void addSince(int phase, long begin) {
    nanos[phase] += CLOCK.getCurrentThreadCpuTime() - begin;
  }

  /** Returns the nanoseconds of CPU time since the current phase started. */
  long phaseNanos() {
    return CLOCK.getCurrentThreadCpuTime() - lastNanos;
  }

  /** Discards the time measured so far. */
  void reset() {
    java.util.Arrays.fill(nanos, 0);
    startNanos = lastNanos = CLOCK.getCurrentThreadCpuTime();
  }
}
