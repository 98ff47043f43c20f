import { SAMPLE_DATABASE } from '@boathouse/contract'

export interface SavedQueryDraft {
  readonly folder: string
  readonly name: string
  readonly database: string
  readonly sql: string
}

const draft = (name: string, sql: string): SavedQueryDraft => ({
  folder: 'Samples',
  name,
  database: SAMPLE_DATABASE,
  sql,
})

/** The samples that a new user finds in the editor: short texts, each about one thing, each of which runs unchanged. */
export const SAVED_QUERIES: readonly SavedQueryDraft[] = [
  draft(
    'Revenue by nation and year',
    `-- Who sold how much, and when? Four tables joined, one row for each nation and year.
-- Press Run, then change the region below and run it again.
SELECT
  n_name AS nation,
  year(o_orderdate) AS year,
  sum(l_extendedprice * (1 - l_discount)) AS revenue,
  count(DISTINCT o_orderkey) AS orders
FROM lineitem
JOIN orders ON o_orderkey = l_orderkey
JOIN supplier ON s_suppkey = l_suppkey
JOIN nation ON n_nationkey = s_nationkey
JOIN region ON r_regionkey = n_regionkey
WHERE r_name = 'EUROPE'
GROUP BY ALL
ORDER BY nation, year;
`,
  ),
  draft(
    'Running totals and ranks',
    `-- Window functions look at other rows without folding them together:
-- each month's revenue, the total of its year so far, and its place among the months of that year.
WITH monthly AS (
  SELECT date_trunc('month', o_orderdate) AS month, sum(o_totalprice) AS revenue
  FROM orders
  GROUP BY ALL
)
SELECT
  month,
  revenue,
  sum(revenue) OVER this_year AS year_to_date,
  rank() OVER (PARTITION BY year(month) ORDER BY revenue DESC) AS place_in_year,
  round(100 * (revenue / lag(revenue) OVER (ORDER BY month) - 1), 1) AS percent_change
FROM monthly
WINDOW this_year AS (PARTITION BY year(month) ORDER BY month)
ORDER BY month;
`,
  ),
  draft(
    'Exact decimals, huge integers',
    `-- Every digit you see is a digit the engine computed: nothing is rounded on its way to your screen.
SELECT
  0.1 + 0.2 = 0.3 AS decimals_are_exact,
  0.1::DOUBLE + 0.2::DOUBLE AS floats_are_not,
  9007199254740993 AS beyond_a_float,
  170141183460469231731687303715884105727 AS largest_hugeint,
  12345678901234567890.123456789012345678 AS long_decimal,
  (SELECT sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) FROM lineitem) AS all_money_ever_charged;
`,
  ),
  draft(
    'Lists, structs and maps',
    `-- A column can hold more than one value: the three largest orders of a customer as a list of structs,
-- the number of orders by status as a map. The last column reaches into the list.
SELECT
  c_name AS customer,
  histogram(o_orderstatus) AS orders_by_status,
  max_by({ 'order': o_orderkey, 'day': o_orderdate, 'price': o_totalprice }, o_totalprice, 3) AS largest_orders,
  largest_orders[1].price AS largest_price
FROM customer
JOIN orders ON o_custkey = c_custkey
GROUP BY c_name
ORDER BY largest_price DESC, customer
LIMIT 20;
`,
  ),
  draft(
    'How a query runs',
    `-- EXPLAIN shows the plan instead of the rows: read it from the bottom, where the tables are, to the top.
-- Write EXPLAIN ANALYZE to run the query as well and see rows and times at each step.
EXPLAIN
SELECT c_mktsegment, sum(l_extendedprice * (1 - l_discount)) AS revenue
FROM customer
JOIN orders ON o_custkey = c_custkey
JOIN lineitem ON l_orderkey = o_orderkey
WHERE o_orderdate < DATE '1995-03-15' AND l_shipdate > DATE '1995-03-15'
GROUP BY c_mktsegment;
`,
  ),
  draft(
    'Build a table, then read it',
    `-- Several statements in one text run one after the other, each with a result of its own.
-- The first makes a table in this database; it stays until you drop it.
CREATE OR REPLACE TABLE supplier_scores AS
SELECT
  s_suppkey,
  s_name,
  count(*) AS lines,
  count(*) FILTER (WHERE l_receiptdate > l_commitdate) AS late_lines
FROM supplier
JOIN lineitem ON l_suppkey = s_suppkey
GROUP BY ALL;

-- The second reads it back: the ten most punctual suppliers.
SELECT s_name, lines, late_lines, round(100.0 * late_lines / lines, 1) AS late_percent
FROM supplier_scores
ORDER BY late_percent, s_name
LIMIT 10;
`,
  ),
]
