/* Tests that inventory_class.h contains the class of agent/inventory/java. */
#include "agent/inventory/inventory_class.h"

#include "tests/support/compiled_class.h"

TEST(InventoryClass, IsThatOfTheSource) {
  ExpectCurrent(inventory_bytes, sizeof inventory_bytes, "agent/inventory/java/OrcaInventory.java",
                "java/lang/OrcaInventory");
}
