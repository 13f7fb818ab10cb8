package bugs;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The thread that notifies waiting threads of new blocks ends by an exception.
 * Of nuls-io/nuls-v2, https://github.com/nuls-io/nuls-v2/pull/457; SIDN/entrada, https://github.com/SIDN/entrada/issues/83.
 */
public class NotifyGone {
  static class BlockNotifier {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition newBlock = lock.newCondition();
    private int height;

    int awaitHeight(int next) throws InterruptedException {
      lock.lock();
      try {
        while (height < next) newBlock.await();
        return height;
      } finally {
        lock.unlock();
      }
    }

    void notifyHeight(String[] headers) {
      lock.lock();
      try {
        height += headers[height % headers.length].length() / 4;
        newBlock.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  static final BlockNotifier notifier = new BlockNotifier();
  static final AtomicInteger confirmed = new AtomicInteger();

  static void notifyBlocks() {
    String[] headers = new String[200];
    for (int i = 0; i < 120; i++) headers[i] = "head"; // the peer sends no more
    try {
      while (true) {
        Thread.sleep(8);
        notifier.notifyHeight(headers);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void follow() {
    try {
      for (int next = 1; next < 10_000; next++) {
        notifier.awaitHeight(next);
        confirmed.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    Thread[] followers = {new Thread(NotifyGone::follow, "consensus-round"), new Thread(NotifyGone::follow, "ledger-confirm"),
        new Thread(NotifyGone::follow, "account-sync")};
    for (Thread follower : followers) follower.start();
    new Thread(NotifyGone::notifyBlocks, "block-notify").start();
    while (true) {
      Thread.sleep(300);
      System.out.println("confirmed " + confirmed);
    }
  }
}
