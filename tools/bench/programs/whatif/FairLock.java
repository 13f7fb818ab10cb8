package whatif;

import java.util.concurrent.locks.ReentrantLock;

/** Threads log under a fair lock, which every one of them waits for. After: the lock is not fair. */
public final class FairLock extends Experiment {
  static final class Log extends ReentrantLock {
    private static final long serialVersionUID = 1;

    Log(boolean isFair) {
      super(isFair);
    }
  }

  private Log log;

  public static void main(String[] args) throws Exception {
    new FairLock().measure(args);
  }

  @Override
  public void setUp() {
    log = new Log(!isAfter);
  }

  @Override
  public long work() throws Exception {
    int lines = count(15_000);
    start(4, "worker", () -> write(lines));
    return join();
  }

  private long write(int lines) {
    for (int i = 0; i < lines; i++) {
      Cpu.burn(5);
      append();
    }
    return lines;
  }

  private void append() {
    log.lock();
    try {
      Cpu.burn(20);
    } finally {
      log.unlock();
    }
  }
}
