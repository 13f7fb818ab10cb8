package orders;

/** What a customer wants. */
final class Order {
    final int number;
    final int pieces;

    Order(int number) {
        this.number = number;
        this.pieces = 1 + number % 5;
    }
}
