package services;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.jms.Connection;
import javax.jms.JMSException;
import javax.jms.Message;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.Queue;
import javax.jms.Session;
import javax.jms.TextMessage;
import org.apache.activemq.ActiveMQConnectionFactory;

/**
 * Clients of ActiveMQ: {@code Messages PORT CLIENTS}. A client sends an order to a queue that all share, and waits for
 * the reply in a queue of its own. As many workers take orders and reply. At the end it prints
 * {@code answer lost NUMBER}: orders that were sent but not worked on.
 */
final class Messages {
    private static final int REPLY_MILLIS = 60_000;
    private static final String TEXT = "order ".repeat(50);
    private static final AtomicLong SENT = new AtomicLong();
    private static final AtomicLong WORKED = new AtomicLong();

    public static void main(String[] args) throws Exception {
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + args[0]);
        List<Customer> customers = new ArrayList<>();
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            Connection connection = factory.createConnection();
            connection.start();
            connections.add(connection);
            serveOrders(connection);
            customers.add(new Customer(connection));
        }
        new Clients(customers).obey();
        System.out.println("answer lost " + (SENT.get() - WORKED.get()));
        for (Connection connection : connections) {
            connection.close();
        }
    }

    private static void serveOrders(Connection connection) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer replies = session.createProducer(null);
        session.createConsumer(session.createQueue("orders")).setMessageListener(order -> {
            try {
                TextMessage reply = session.createTextMessage(((TextMessage) order).getText());
                reply.setJMSCorrelationID(order.getJMSCorrelationID());
                WORKED.incrementAndGet();
                replies.send(order.getJMSReplyTo(), reply);
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static final class Customer implements Clients.Client {
        private final Session session;
        private final MessageProducer orders;
        private final Queue mailbox;
        private final MessageConsumer replies;

        Customer(Connection connection) throws JMSException {
            session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            orders = session.createProducer(session.createQueue("orders"));
            mailbox = session.createTemporaryQueue();
            replies = session.createConsumer(mailbox);
        }

        @Override
        public void request() throws JMSException {
            String number = Long.toString(SENT.incrementAndGet());
            TextMessage order = session.createTextMessage(TEXT + number);
            order.setJMSReplyTo(mailbox);
            order.setJMSCorrelationID(number);
            orders.send(order);
            Message reply = replies.receive(REPLY_MILLIS);
            if (reply == null || !number.equals(reply.getJMSCorrelationID())) {
                throw new IllegalStateException("no reply to order " + number);
            }
            if (!((TextMessage) reply).getText().equals(TEXT + number)) {
                throw new IllegalStateException("the reply to order " + number + " has another text");
            }
        }
    }
}
