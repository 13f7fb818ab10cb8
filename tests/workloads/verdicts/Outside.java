package verdicts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.Selector;
import java.nio.file.FileSystems;
import java.nio.file.Paths;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits that end by themselves, or by what is outside of the program: no thread has to do anything. */
final class Outside {
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);
    private static final int SHORT = 20; // ms

    private Outside() {}

    static void stay(Op.Step step) throws IOException, InterruptedException {
        CompletableFuture<Void> late = new CompletableFuture<>();
        switch (step) {
            case SLEEP:
                Thread.sleep(HOUR);
                break;
            case TICK:
                while (true) {
                    Thread.sleep(SHORT);
                }
            case POLL:
                BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
                while (queue.poll(SHORT, TimeUnit.MILLISECONDS) == null) {}
                break;
            case WAIT_LOOP:
                synchronized (late) {
                    while (!late.isDone()) {
                        late.wait(SHORT);
                    }
                }
                break;
            case PARK:
                while (true) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SHORT));
                }
            case SPIN:
                while (!late.isDone()) {
                    Thread.yield();
                }
                break;
            case DELAY:
                awaitElement();
                break;
            case ACCEPT:
                try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                    socket.accept();
                }
                break;
            case SELECT:
                try (Selector selector = Selector.open()) {
                    selector.select();
                }
                break;
            case PROCESS:
                Process child = new ProcessBuilder("sleep", "30").start();
                child.waitFor();
                break;
            case WATCH:
                WatchService watch = FileSystems.getDefault().newWatchService();
                Paths.get(".").register(watch, StandardWatchEventKinds.ENTRY_DELETE);
                watch.take();
                break;
            case TIMER:
                new Timer("timer").schedule(new TimerTask() {
                    @Override
                    public void run() {
                        late.complete(null);
                    }
                }, HOUR);
                late.join();
                break;
            case SCHEDULED:
                ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
                pool.schedule(() -> late.complete(null), 1, TimeUnit.HOURS);
                late.join();
                break;
            case LATE_VALUE:
                completeLater(late);
                late.join();
                break;
            default:
                throw new AssertionError(step);
        }
    }

    private static void awaitElement() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
        DelayQueue<Delayed> queue = new DelayQueue<>();
        queue.add(new Delayed() {
            @Override
            public long getDelay(TimeUnit unit) {
                return unit.convert(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }

            @Override
            public int compareTo(Delayed other) {
                return 0;
            }
        });
        queue.take();
    }

    /** From JDK 9 on, CompletableFuture has a timer of its own. */
    private static void completeLater(CompletableFuture<Void> late) {
        try {
            CompletableFuture.class.getMethod("completeOnTimeout", Object.class, long.class, TimeUnit.class)
                    .invoke(late, null, 1L, TimeUnit.HOURS);
        } catch (ReflectiveOperationException e) {
            Executors.newScheduledThreadPool(1).schedule(() -> late.complete(null), 1, TimeUnit.HOURS);
        }
    }
}
