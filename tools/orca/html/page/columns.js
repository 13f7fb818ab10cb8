/* Rows of numbers that are concatenated into one array. */

/* The columns of such rows: columns([1, 2, 3, 4], "a", "b") is {num: 2, a: [1, 3], b: [2, 4]}. For 100,000 rows this
   is faster than an object for each row. */
function columns(numbers, ...names) {
  const table = {num: numbers.length / names.length};
  names.forEach((name, field) => {
    const column = table[name] = new Float64Array(table.num);
    for (let i = 0, at = field; i < table.num; i++, at += names.length) column[i] = numbers[at];
  });
  return table;
}
