package bench;

/** Two threads that take turns: in a round each of them notifies once and waits once. */
final class PingPong {
  private final int rounds;
  private boolean ping = true;

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

  /** Lets go of the lock only to wait, so that nothing but wait and notify happens. */
  private synchronized void play(boolean mine) {
    try {
      for (int i = 0; i < rounds; i++) {
        while (ping != mine) wait();
        ping = !mine;
        notify();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
