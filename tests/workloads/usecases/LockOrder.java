package usecases;

import counted.Spelling;
import counted.Tally;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

/**
 * Two threads move money between the same two accounts, each the other way, and lock the accounts in
 * the order of the move. "luck": one after the other, and nothing happens. "deadlock": both have one
 * account before either asks for the other; ends the JVM then, or with "hang" never. "handed": nor
 * then, and one of the two began to wait for the other's account when a third thread had it. Two more
 * take two drawers in both orders as well, but only with the key, and one more does so alone.
 */
final class LockOrder {
    private static final class Account {
        private int money = 100;
    }

    private static final class Drawer {
    }

    private static final class Key {
    }

    private static final Account first = new Account();
    private static final Account second = new Account();

    private static void move(Account from, Account to, Runnable between) {
        synchronized (from) {
            between.run();
            synchronized (to) {
                from.money--;
                to.money++;
            }
        }
    }

    private static void both(Drawer upper, Drawer lower) {
        synchronized (upper) {
            synchronized (lower) {
                Facts.sleep(1);
            }
        }
    }

    private static void withKey(Key key, Drawer upper, Drawer lower) {
        synchronized (key) {
            both(upper, lower);
        }
    }

    private static void drawers() throws InterruptedException {
        Key key = new Key();
        Drawer upper = new Drawer();
        Drawer lower = new Drawer();
        Facts.join(Facts.start("down", () -> withKey(key, upper, lower)),
                Facts.start("up", () -> withKey(key, lower, upper)));
        Drawer own = new Drawer();
        Facts.join(Facts.start("alone", () -> {
            both(own, upper);
            both(upper, own);
        }));
    }

    private static void luck() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Facts.join(Facts.start("there", () -> {
            move(first, second, () -> { });
            done.countDown();
        }), Facts.start("back", () -> {
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            move(second, first, () -> { });
        }));
    }

    private static void meet(CyclicBarrier both) {
        try {
            both.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void deadlock() throws InterruptedException {
        CyclicBarrier both = new CyclicBarrier(2);
        Thread there = Facts.start("there", () -> move(first, second, () -> meet(both)));
        Thread back = Facts.start("back", () -> move(second, first, () -> meet(both)));
        Tally.awaitState(there, Thread.State.BLOCKED);
        Tally.awaitState(back, Thread.State.BLOCKED);
        Facts.sleep(2000); // until the owners are known
    }

    private static boolean isBlocked(Thread thread) {
        return thread.getState() == Thread.State.BLOCKED;
    }

    private static Thread inLine(String name, Account from, Account to) {
        Thread thread = Facts.start(name, () -> move(from, to, () -> { }));
        Tally.awaitState(thread, Thread.State.BLOCKED);
        return thread;
    }

    /**
     * Whether the one that has no account so far gets the first; else there is no deadlock. Some JVMs
     * give it to the thread that waited longest, others to the one that came last.
     */
    private static boolean handed(boolean fair) throws InterruptedException {
        Thread back = null;
        Thread there;
        synchronized (first) {
            if (!fair) {
                back = inLine("back", second, first);
            }
            there = inLine("there", first, second);
            if (fair) {
                back = inLine("back", second, first);
            }
            Facts.sleep(100); // until both have been asked for, and spin no more
        }
        Facts.sleep(100);
        while (there.isAlive() && !(isBlocked(there) && isBlocked(back))) {
            Facts.sleep(1);
        }
        return isBlocked(there) && isBlocked(back);
    }

    public static void main(String[] args) throws Exception {
        Facts.say("first", Spelling.hash(first));
        Facts.say("second", Spelling.hash(second));
        drawers();
        if (args[0].equals("luck")) {
            luck();
            return;
        }
        if (args[0].equals("handed")) {
            for (boolean fair = true; !handed(fair); fair = !fair) {
                Facts.sleep(1);
            }
        } else {
            deadlock();
        }
        Facts.say("stuck", 2);
        if (args[0].equals("deadlock")) {
            System.exit(0);
        }
    }
}
