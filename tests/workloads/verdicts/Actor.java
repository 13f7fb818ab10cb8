package verdicts;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;

/** A thread that makes one step when it is told to. */
final class Actor {
    static final Map<Thread, Actor> actors = new ConcurrentHashMap<>();

    private static final class End extends Error {
        private static final long serialVersionUID = 1;

        End() {
            super(null, null, false, false);
        }
    }

    private final Things things;
    volatile Thread thread;
    volatile boolean isDone = true;
    /** The task that it began last. */
    volatile int task = -1;
    private volatile Op next;

    Actor(Things things) {
        this.things = things;
    }

    void tell(Op op) {
        isDone = false;
        next = op;
    }

    void run() {
        try {
            makeSteps();
        } catch (End e) {
            // The monitors are released, all else is kept.
        }
    }

    void runTask(int number) {
        task = number;
        isDone = true;
        makeSteps();
    }

    /** Returns when the innermost block ends. */
    private void makeSteps() {
        while (true) {
            Op op = awaitNext();
            if (op.step == Op.Step.EXIT || op.step == Op.Step.RETURN || op.step == Op.Step.END_TASK) {
                return;
            }
            makeStep(op);
            isDone = true;
        }
    }

    private Op awaitNext() {
        Op op = next;
        try {
            for (; op == null; op = next) {
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        next = null;
        return op;
    }

    void makeStep(Op op) {
        try {
            call(op);
        } catch (InterruptedException | ExecutionException | TimeoutException | BrokenBarrierException | IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The blocks of a step call makeSteps. */
    private void call(Op op)
            throws InterruptedException, ExecutionException, TimeoutException, BrokenBarrierException, IOException {
        boolean hasLimit = op.limit == Op.Limit.HOUR;
        int on = op.on;
        switch (op.step) {
            case ENTER:
                synchronized (things.monitors[on]) {
                    isDone = true;
                    makeSteps();
                }
                break;
            case WAIT:
                waitOn(things.monitors[on], op.limit);
                break;
            case NOTIFY:
                things.monitors[on].notify();
                break;
            case NOTIFY_ALL:
                things.monitors[on].notifyAll();
                break;
            case LOCK:
                acquire(things.locks[on], hasLimit);
                break;
            case UNLOCK:
                things.locks[on].unlock();
                break;
            case AWAIT:
                if (hasLimit) {
                    things.conditions[on].await(1, TimeUnit.HOURS);
                } else {
                    things.conditions[on].await();
                }
                break;
            case SIGNAL:
                things.conditions[on].signal();
                break;
            case SIGNAL_ALL:
                things.conditions[on].signalAll();
                break;
            case READ:
                acquire(things.readWriteLocks[on].readLock(), hasLimit);
                break;
            case UNREAD:
                things.readWriteLocks[on].readLock().unlock();
                break;
            case WRITE:
                acquire(things.readWriteLocks[on].writeLock(), hasLimit);
                break;
            case UNWRITE:
                things.readWriteLocks[on].writeLock().unlock();
                break;
            case ACQUIRE:
                if (hasLimit) {
                    things.permits[on].tryAcquire(1, TimeUnit.HOURS);
                } else {
                    things.permits[on].acquire();
                }
                break;
            case RELEASE:
                things.permits[on].release();
                break;
            case TAKE_CREDIT:
                if (hasLimit) {
                    things.credits[on].tryAcquire(1, TimeUnit.HOURS);
                } else {
                    things.credits[on].acquire();
                }
                break;
            case GIVE_CREDIT:
                things.credits[on].release();
                break;
            case PUT:
                if (hasLimit) {
                    things.queues.get(on).offer(this, 1, TimeUnit.HOURS);
                } else {
                    things.queues.get(on).put(this);
                }
                break;
            case TAKE:
                if (hasLimit) {
                    things.queues.get(on).poll(1, TimeUnit.HOURS);
                } else {
                    things.queues.get(on).take();
                }
                break;
            case RUN:
                things.futures.get(on).run();
                break;
            case GET:
                get(things.futures.get(on), hasLimit);
                break;
            case COMPLETE:
                things.values.get(on).complete(null);
                break;
            case GET_VALUE:
                if (hasLimit) {
                    things.values.get(on).get(1, TimeUnit.HOURS);
                } else {
                    things.values.get(on).join();
                }
                break;
            case COUNT_DOWN:
                things.latches[on].countDown();
                break;
            case AWAIT_LATCH:
                if (hasLimit) {
                    things.latches[on].await(1, TimeUnit.HOURS);
                } else {
                    things.latches[on].await();
                }
                break;
            case MEET:
                if (hasLimit) {
                    things.barriers[on].await(1, TimeUnit.HOURS);
                } else {
                    things.barriers[on].await();
                }
                break;
            case JOIN:
                join(things.walkers.get(on), op.limit);
                break;
            case SUBMIT:
                things.submit(on);
                break;
            case GET_TASK:
                get(things.tasks.get(on), hasLimit);
                break;
            case END:
                throw new End();
            default:
                Outside.stay(op.step);
        }
    }

    private static void waitOn(Object monitor, Op.Limit limit) throws InterruptedException {
        switch (limit) {
            case ZERO:
                monitor.wait(0);
                break;
            case HOUR:
                monitor.wait(TimeUnit.HOURS.toMillis(1));
                break;
            default:
                monitor.wait();
        }
    }

    private static void join(Thread thread, Op.Limit limit) throws InterruptedException {
        switch (limit) {
            case ZERO:
                thread.join(0);
                break;
            case HOUR:
                thread.join(TimeUnit.HOURS.toMillis(1));
                break;
            default:
                thread.join();
        }
    }

    private static void acquire(Lock lock, boolean hasLimit) throws InterruptedException {
        if (hasLimit) {
            lock.tryLock(1, TimeUnit.HOURS);
        } else {
            lock.lock();
        }
    }

    private static void get(FutureTask<Void> future, boolean hasLimit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (hasLimit) {
            future.get(1, TimeUnit.HOURS);
        } else {
            future.get();
        }
    }

    /** The body of a FutureTask. */
    static Void runFuture() {
        Actor actor = actors.get(Thread.currentThread());
        actor.isDone = true;
        actor.makeSteps();
        return null;
    }
}
