package services;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Clients of ZooKeeper, each with a session of its own: {@code Znodes PORT CLIENTS}. A request writes a node, reads
 * it, or makes one and deletes another. At the end it prints {@code answer wrong NUMBER}: nodes of which the number or
 * the version is not what the clients caused.
 */
final class Znodes {
    private static final int KEPT = 20; // nodes of each client
    private static final int TIMEOUT_MILLIS = 30_000;

    public static void main(String[] args) throws Exception {
        List<Session> sessions = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            sessions.add(new Session("127.0.0.1:" + args[0], "/client-" + i));
        }
        new Clients(sessions).obey();
        long wrong = 0;
        for (Session session : sessions) {
            wrong += session.countWrongNodes();
            session.keeper.close();
        }
        System.out.println("answer wrong " + wrong);
    }

    private static final class Session implements Clients.Client {
        private final ZooKeeper keeper;
        private final String folder;
        private final String counter;
        private int requests;
        private int writes;
        private int made;

        Session(String address, String folder) throws Exception {
            this.folder = folder;
            counter = folder + "/counter";
            CountDownLatch connected = new CountDownLatch(1);
            keeper = new ZooKeeper(address, TIMEOUT_MILLIS, event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                    connected.countDown();
                }
            });
            if (!connected.await(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("no connection to " + address);
            }
            make(folder);
            make(counter);
        }

        private void make(String path) throws KeeperException, InterruptedException {
            keeper.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }

        @Override
        public void request() throws KeeperException, InterruptedException {
            byte[] data = ("value " + requests).getBytes(StandardCharsets.US_ASCII);
            switch (requests++ % 4) {
                case 0:
                    keeper.setData(counter, data, -1);
                    writes++;
                    break;
                case 1:
                    make(folder + "/" + made++);
                    break;
                case 2:
                    if (made > KEPT) {
                        keeper.delete(folder + "/" + (made - KEPT - 1), -1);
                    }
                    break;
                default:
                    byte[] expected = ("value " + (requests - 4)).getBytes(StandardCharsets.US_ASCII);
                    if (!Arrays.equals(keeper.getData(counter, false, null), expected)) {
                        throw new IllegalStateException(counter + " has another value");
                    }
            }
        }

        /** A node that was not deleted yet, or was deleted too early, is wrong. */
        private long countWrongNodes() throws KeeperException, InterruptedException {
            int kept = keeper.getChildren(folder, false).size() - 1;
            boolean isBeforeDelete = requests % 4 == 2;
            int expected = Math.min(made, KEPT + (isBeforeDelete ? 1 : 0));
            int version = keeper.exists(counter, false).getVersion();
            return Math.abs(kept - expected) + Math.abs(version - writes);
        }
    }
}
