package whatif;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Lookups of an index need its lock alone, though only one call in 40 changes it. After: they share a read lock. */
public final class ReadMostly extends Experiment {
  static final class Index extends ReentrantLock {
    private static final long serialVersionUID = 1;
  }

  private static final int LOOKUPS = 39; // to one change

  private Lock read = new Index(), write = read;

  public static void main(String[] args) throws Exception {
    new ReadMostly().measure(args);
  }

  @Override
  public void setUp() {
    if (!isAfter) return;
    ReentrantReadWriteLock index = new ReentrantReadWriteLock();
    read = index.readLock();
    write = index.writeLock();
  }

  @Override
  public long work() throws Exception {
    int rounds = count(14);
    start(4, "worker", () -> ask(rounds));
    return join();
  }

  private long ask(int rounds) throws InterruptedException {
    for (int i = 0; i < rounds; i++) {
      for (int k = 0; k < LOOKUPS; k++) {
        Cpu.burn(200);
        lookUp();
      }
      change();
    }
    return (long) rounds * (LOOKUPS + 1);
  }

  private void lookUp() throws InterruptedException {
    read.lock();
    try {
      Cpu.burn(100);
      Thread.sleep(1);
    } finally {
      read.unlock();
    }
  }

  private void change() throws InterruptedException {
    write.lock();
    try {
      Cpu.burn(100);
      Thread.sleep(2);
    } finally {
      write.unlock();
    }
  }
}
