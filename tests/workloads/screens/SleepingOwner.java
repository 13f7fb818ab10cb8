package screens;

/** The auditor sleeps while it holds the ledger; the clerks wait. */
public final class SleepingOwner {
  private final Object ledger = new Object();

  public static void main(String[] args) throws Exception {
    SleepingOwner office = new SleepingOwner();
    Thread auditor = new Thread(office::audit, "auditor");
    auditor.start();
    Thread[] clerks = new Thread[3];
    for (int i = 0; i < clerks.length; i++) {
      clerks[i] = new Thread(office::book, "clerk-" + (i + 1));
      clerks[i].start();
    }
    for (Thread clerk : clerks) clerk.join();
    auditor.join();
  }

  private void audit() {
    for (int i = 0; i < 12; i++) {
      synchronized (ledger) {
        compareBooks();
      }
      pause(5);
    }
  }

  private void compareBooks() {
    pause(120);
  }

  private void book() {
    for (int i = 0; i < 12; i++) {
      synchronized (ledger) {
        pause(1);
      }
      pause(10);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
