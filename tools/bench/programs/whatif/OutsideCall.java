package whatif;

/** Each order sends a message while it holds the register. After: it sends the message when it gave the lock up. */
public final class OutsideCall extends Experiment {
  static final class Register {}

  private final Register register = new Register();

  public static void main(String[] args) throws Exception {
    new OutsideCall().measure(args);
  }

  @Override
  public long work() throws Exception {
    int orders = count(350);
    start(4, "worker", () -> handle(orders));
    return join();
  }

  private long handle(int orders) throws InterruptedException {
    for (int i = 0; i < orders; i++) {
      Cpu.burn(100);
      enter();
    }
    return orders;
  }

  private void enter() throws InterruptedException {
    synchronized (register) {
      Cpu.burn(100);
      if (!isAfter) sendMessage();
    }
    if (isAfter) sendMessage();
  }

  private void sendMessage() throws InterruptedException {
    Cpu.burn(100);
    Thread.sleep(2);
  }
}
