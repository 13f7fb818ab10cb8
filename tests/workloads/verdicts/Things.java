package verdicts;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The objects of a program. */
final class Things {
    final Object[] monitors = new Object[Machine.NUM_MONITORS];
    final ReentrantLock[] locks = new ReentrantLock[Machine.NUM_LOCKS];
    final Condition[] conditions = new Condition[Machine.NUM_LOCKS];
    final ReentrantReadWriteLock[] readWriteLocks = new ReentrantReadWriteLock[Machine.NUM_READ_WRITE_LOCKS];
    final Semaphore[] permits = new Semaphore[Machine.PERMITS.length];
    final Semaphore[] credits = new Semaphore[Machine.NUM_CREDITS];
    final List<BlockingQueue<Object>> queues = new ArrayList<>();
    final List<FutureTask<Void>> futures = new ArrayList<>();
    final List<CompletableFuture<Void>> values = new ArrayList<>();
    final CountDownLatch[] latches = new CountDownLatch[Machine.COUNTS.length];
    final CyclicBarrier[] barriers = new CyclicBarrier[Machine.PARTIES.length];
    /** The threads that others may join, main first. */
    final List<Thread> walkers = new ArrayList<>();
    final List<FutureTask<Void>> tasks = new CopyOnWriteArrayList<>();
    final List<List<Actor>> workers = new ArrayList<>();
    private final List<ExecutorService> pools = new ArrayList<>();

    Things() {
        for (int i = 0; i < monitors.length; i++) {
            monitors[i] = new Object();
        }
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new ReentrantLock();
            conditions[i] = locks[i].newCondition();
        }
        for (int i = 0; i < readWriteLocks.length; i++) {
            readWriteLocks[i] = new ReentrantReadWriteLock();
        }
        for (int i = 0; i < permits.length; i++) {
            permits[i] = new Semaphore(Machine.PERMITS[i]);
        }
        for (int i = 0; i < credits.length; i++) {
            credits[i] = new Semaphore(0);
        }
        for (int i = 0; i < Machine.ROOMS.length; i++) {
            queues.add(makeQueue(Machine.ROOMS[i]));
        }
        for (int i = 0; i < Machine.NUM_FUTURES; i++) {
            futures.add(new FutureTask<>(Actor::runFuture));
        }
        for (int i = 0; i < Machine.NUM_VALUES; i++) {
            values.add(new CompletableFuture<>());
        }
        for (int i = 0; i < latches.length; i++) {
            latches[i] = new CountDownLatch(Machine.COUNTS[i]);
        }
        for (int i = 0; i < barriers.length; i++) {
            barriers[i] = new CyclicBarrier(Machine.PARTIES[i]);
        }
        for (int i = 0; i < Machine.POOLS.length; i++) {
            pools.add(makePool(i));
        }
    }

    private static BlockingQueue<Object> makeQueue(int room) {
        switch (room) {
            case 0:
                return new SynchronousQueue<>(true);
            case 1:
                return new ArrayBlockingQueue<>(room);
            default:
                return new LinkedBlockingQueue<>(room);
        }
    }

    private ExecutorService makePool(int number) {
        List<Actor> actors = new CopyOnWriteArrayList<>();
        workers.add(actors);
        return Executors.newFixedThreadPool(Machine.POOLS[number], task -> {
            Actor actor = new Actor(this);
            Thread thread = new Thread(task, "pool" + number + "-" + actors.size());
            actor.thread = thread;
            Actor.actors.put(thread, actor);
            actors.add(actor);
            return thread;
        });
    }

    void submit(int pool) {
        int number = tasks.size();
        FutureTask<Void> task = new FutureTask<>(() -> {
            Actor.actors.get(Thread.currentThread()).runTask(number);
            return null;
        });
        tasks.add(task);
        pools.get(pool).execute(task);
    }
}
