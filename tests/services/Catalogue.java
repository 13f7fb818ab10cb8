package services;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import net.sf.ehcache.Cache;
import net.sf.ehcache.CacheManager;
import net.sf.ehcache.Ehcache;
import net.sf.ehcache.Element;
import net.sf.ehcache.config.CacheConfiguration;
import net.sf.ehcache.config.Configuration;
import net.sf.ehcache.constructs.blocking.SelfPopulatingCache;

/**
 * Clients of a cache in their own JVM: {@code Catalogue CLIENTS}. The cache loads an item that it does not have, and
 * holds the lock of the item meanwhile; the store below it knows the version of each item. Of ten requests, nine look
 * up some item and one changes an item that belongs to the client. At the end it prints {@code answer uncounted NUMBER},
 * {@code answer wrong NUMBER} and {@code answer overfull NUMBER}: look-ups that were neither a hit nor a load, items
 * whose version is not that of the store, and items above the limit of the cache.
 */
final class Catalogue {
    private static final int ITEMS = 20_000;
    private static final int KEPT = 4_000; // in the cache
    private static final int WRITES = 10; // one of so many requests
    private static final int DETAILS = 20;

    private final AtomicLongArray store = new AtomicLongArray(ITEMS); // the version of each item
    private final AtomicLong loads = new AtomicLong();
    private final AtomicLong lookUps = new AtomicLong();
    private final Ehcache cache;

    private record Item(int number, long version, String text) {}

    private Catalogue(CacheManager manager) {
        Cache plain = new Cache(new CacheConfiguration("items", KEPT).eternal(true).statistics(true));
        manager.addCache(plain);
        cache = new SelfPopulatingCache(plain, this::load);
    }

    public static void main(String[] args) throws Exception {
        // Ehcache would ask a server on the Internet for newer versions.
        CacheManager manager = new CacheManager(new Configuration().name("catalogue").updateCheck(false));
        new Catalogue(manager).run(Integer.parseInt(args[0]));
        manager.shutdown();
        System.exit(0); // Ehcache may leave threads that do not end
    }

    private void run(int clients) throws Exception {
        List<Editor> editors = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            editors.add(new Editor(i, clients));
        }
        new Clients(editors).obey();
        long hits = cache.getStatistics().getCacheHits();
        System.out.println("answer uncounted " + (lookUps.get() - hits - loads.get()));
        System.out.println("answer overfull " + Math.max(0, cache.getSize() - KEPT));
        long wrong = 0;
        for (int i = 0; i < ITEMS; i++) {
            wrong += find(i).version == store.get(i) ? 0 : 1;
        }
        System.out.println("answer wrong " + wrong);
    }

    private Item load(Object number) {
        loads.incrementAndGet();
        return makeItem((Integer) number);
    }

    private Item makeItem(int number) {
        long version = store.get(number);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < DETAILS; i++) {
            text.append("detail ").append(i).append(" of item ").append(number).append('\n');
        }
        return new Item(number, version, text.append("version ").append(version).toString());
    }

    private Item find(int number) {
        lookUps.incrementAndGet();
        Item item = (Item) cache.get(number).getObjectValue();
        if (item.number != number || !item.text.endsWith("version " + item.version)) {
            throw new IllegalStateException("item " + number + " is wrong: " + item);
        }
        return item;
    }

    /** A client. It owns every item whose number has the same remainder as its own. */
    private final class Editor implements Clients.Client {
        private final int number;
        private final int clients;
        private final SplittableRandom random;

        Editor(int number, int clients) {
            this.number = number;
            this.clients = clients;
            random = new SplittableRandom(number);
        }

        @Override
        public void request() {
            double part = random.nextDouble();
            int item = (int) (part * part * part * ITEMS); // few items are asked for often
            if (random.nextInt(WRITES) == 0) {
                change(item - item % clients + number);
                return;
            }
            long version = find(item).version;
            if (item % clients == number && version != store.get(item)) {
                throw new IllegalStateException("item " + item + " is old: version " + version);
            }
        }

        private void change(int item) {
            store.incrementAndGet(item);
            cache.put(new Element(item, makeItem(item)));
        }
    }
}
