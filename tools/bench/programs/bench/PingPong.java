package bench;

/** Two threads take turns. In each round each thread notifies once and waits once. */
final class PingPong {
  private final int rounds;
  private boolean firstHasTurn = true;

  private PingPong(int rounds) {
    this.rounds = rounds;
  }

  public static void main(String[] args) throws Exception {
    Timing.print(args, 6, size -> new PingPong(size).run());
  }

  private void run() throws InterruptedException {
    Thread other = new Thread(() -> play(false));
    other.start();
    play(true);
    other.join();
  }

  /** Releases the monitor only in wait, so that wait and notify are the only events of a round. */
  private synchronized void play(boolean isFirst) {
    try {
      for (int i = 0; i < rounds; i++) {
        while (firstHasTurn != isFirst) wait();
        firstHasTurn = !isFirst;
        notify();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
