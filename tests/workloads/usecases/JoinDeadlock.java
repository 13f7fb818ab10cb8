package usecases;

import counted.Spelling;
import counted.Tally;

/** The thread "waiter" joins "worker" while it owns the monitor that the worker waits for. */
final class JoinDeadlock {
    private static final Object monitor = new Object();

    private static void startAndJoin() {
        synchronized (monitor) {
            Thread worker = Facts.start("worker", JoinDeadlock::work);
            try {
                Tally.awaitState(worker, Thread.State.BLOCKED);
                worker.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void work() {
        synchronized (monitor) {
            throw new AssertionError("no deadlock");
        }
    }

    public static void main(String[] args) throws Exception {
        Facts.say("object", Spelling.hash(monitor));
        Thread waiter = Facts.start("waiter", JoinDeadlock::startAndJoin);
        Tally.awaitState(waiter, Thread.State.WAITING);
        Facts.sleep(2000); // until the agent has found the owner
        System.exit(0);
    }
}
