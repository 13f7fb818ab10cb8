package services;

import org.apache.activemq.broker.BrokerService;

/** The server of ActiveMQ: {@code Broker PORT FOLDER}. Messages are persistent, in the folder. A signal ends it. */
final class Broker {
    public static void main(String[] args) throws Exception {
        BrokerService broker = new BrokerService();
        broker.setUseJmx(false);
        broker.setDataDirectory(args[1]);
        broker.addConnector("tcp://127.0.0.1:" + args[0]);
        broker.start();
        broker.waitUntilStopped();
    }
}
