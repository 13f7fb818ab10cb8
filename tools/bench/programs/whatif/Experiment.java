package whatif;

import java.util.ArrayList;
import java.util.List;

/**
 * A program in two versions: before and after a change. `orca whatif` predicts the gain of the change from a
 * recording of the version before, and the version after shows whether the prediction is right.
 *
 * <p>Arguments: `before` or `after`, and optionally a scale: 0.1 does about a tenth of the work.
 */
public abstract class Experiment {
  /** A part of the program that runs in a thread. Returns the units of work that it did. */
  public interface Task {
    long run() throws Exception;
  }

  private static final class Worker extends Thread {
    final Task task;
    long units;
    Throwable failure;

    Worker(String name, Task task) {
      super(name);
      this.task = task;
    }

    @Override
    public void run() {
      try {
        units = task.run();
      } catch (Throwable e) {
        failure = e;
      }
    }
  }

  private final List<Worker> workers = new ArrayList<>();
  private double scale = 1;

  /** Is this the version after the change? */
  public boolean isAfter;

  /** Prepares what is not measured, such as files. */
  public void setUp() throws Exception {}

  /** The measured part. Returns the units of work that it did, which both versions do alike. */
  public abstract long work() throws Exception;

  /** Runs the program and prints `work=UNITS seconds=TIME`. A failure ends it with the exit status 1. */
  public final void measure(String[] args) throws Exception {
    if (args.length < 1 || !(args[0].equals("before") || args[0].equals("after"))) {
      System.err.println("usage: " + getClass().getName() + " before|after [SCALE]");
      System.exit(2);
    }
    isAfter = args[0].equals("after");
    if (args.length > 1) scale = Double.parseDouble(args[1]);
    setUp();
    Cpu.warmUp();
    long start = System.nanoTime();
    long units = work();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("work=%d seconds=%.4f%n", units, seconds);
    System.exit(0); // also ends the threads of pools
  }

  /** Returns a number of units that was scaled by the second argument; at least 1. */
  public final int count(int units) {
    return Math.max(1, (int) Math.round(units * scale));
  }

  /** Starts a thread. */
  public final void start(String name, Task task) {
    Worker worker = new Worker(name, task);
    workers.add(worker);
    worker.start();
  }

  /** Starts n threads: name-1, name-2 and so on */
  public final void start(int n, String name, Task task) {
    for (int i = 1; i <= n; i++) start(name + "-" + i, task);
  }

  /** Waits for the threads that were started, and returns the units that they did. */
  public final long join() throws Exception {
    long units = 0;
    for (Worker worker : workers) {
      worker.join();
      if (worker.failure != null) throw new IllegalStateException(worker.getName(), worker.failure);
      units += worker.units;
    }
    workers.clear();
    return units;
  }
}
