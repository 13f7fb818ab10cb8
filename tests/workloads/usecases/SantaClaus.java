package usecases;

import counted.Spelling;

/**
 * Santa waits until all nine reindeer are back, or three of the elves need him. All threads wait on
 * the same monitor, and each change calls notifyAll.
 */
final class SantaClaus {
    private static final int REINDEER = 9;
    private static final int ELVES = 10;
    private static final int GROUP = 3;
    private static final int DELIVERIES = 15;

    private int reindeer;
    private int elves;
    private int deliveries;
    private int meetings;
    private long woken;
    private long useless;

    private interface Condition {
        boolean holds();
    }

    private void awaitCondition(Condition condition) throws InterruptedException {
        while (!condition.holds()) {
            wait();
            woken++;
            if (!condition.holds()) {
                useless++;
            }
        }
    }

    private boolean isOver() {
        return deliveries == DELIVERIES;
    }

    private synchronized void runSanta() throws InterruptedException {
        while (!isOver()) {
            awaitCondition(() -> reindeer == REINDEER || elves == GROUP);
            if (reindeer == REINDEER) {
                reindeer = 0;
                deliveries++;
            } else {
                elves = 0;
                meetings++;
            }
            notifyAll();
        }
    }

    private synchronized boolean harness() throws InterruptedException {
        int before = deliveries;
        reindeer++;
        notifyAll();
        awaitCondition(() -> deliveries > before);
        return !isOver();
    }

    private synchronized boolean ask() throws InterruptedException {
        awaitCondition(() -> elves < GROUP || isOver());
        int before = meetings;
        elves++;
        notifyAll();
        awaitCondition(() -> meetings > before || isOver());
        return !isOver();
    }

    private interface Work {
        boolean runOnce() throws InterruptedException;
    }

    private static Thread repeat(String name, Work work, int pause) {
        return Facts.start(name, () -> {
            try {
                while (work.runOnce()) {
                    Thread.sleep(pause);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        SantaClaus workshop = new SantaClaus();
        Thread[] all = new Thread[1 + REINDEER + ELVES];
        all[0] = repeat("santa", () -> {
            workshop.runSanta();
            return false;
        }, 0);
        for (int i = 0; i < REINDEER; i++) {
            all[1 + i] = repeat("reindeer-" + i, workshop::harness, 2);
        }
        for (int i = 0; i < ELVES; i++) {
            all[1 + REINDEER + i] = repeat("elf-" + i, workshop::ask, 5);
        }
        Facts.join(all);
        Facts.say("object", Spelling.hash(workshop));
        Facts.say("deliveries", workshop.deliveries);
        Facts.say("woken", workshop.woken);
        Facts.say("useless", workshop.useless);
    }
}
