import java.util.concurrent.CountDownLatch;

/** Two threads that wait for each other's monitor, for ever. */
public final class Deadlock {
    public static void main(String[] args) throws InterruptedException {
        Object left = new Object(), right = new Object();
        CountDownLatch both = new CountDownLatch(2);
        new Thread(() -> nest(left, right, both), "other").start();
        nest(right, left, both);
    }

    private static void nest(Object outer, Object inner, CountDownLatch both) {
        synchronized (outer) {
            both.countDown();
            while (both.getCount() > 0) Thread.onSpinWait();
            synchronized (inner) {
                System.out.println("no deadlock");
            }
        }
    }
}
