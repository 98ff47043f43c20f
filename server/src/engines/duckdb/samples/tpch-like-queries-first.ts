import type { TpchLikeQuery } from './tpch-like-query.ts'

export const FIRST_ELEVEN: readonly TpchLikeQuery[] = [
  {
    id: 'q01',
    title: 'Pricing summary',
    sql: `SELECT l_returnflag, l_linestatus,
  sum(l_quantity) AS quantity,
  sum(l_extendedprice) AS base_price,
  sum(l_extendedprice * (1 - l_discount)) AS discounted_price,
  sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS charged,
  avg(l_quantity) AS average_quantity,
  avg(l_extendedprice) AS average_price,
  avg(l_discount) AS average_discount,
  count(*) AS line_count
FROM lineitem
WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL 90 DAY
GROUP BY l_returnflag, l_linestatus
ORDER BY l_returnflag, l_linestatus`,
  },
  {
    id: 'q02',
    title: 'Cheapest supplier of a part',
    sql: `WITH offers AS (
  SELECT ps_partkey, ps_supplycost, s_acctbal, s_name, s_address, s_phone, s_comment, n_name
  FROM partsupp
  JOIN supplier ON s_suppkey = ps_suppkey
  JOIN nation ON n_nationkey = s_nationkey
  JOIN region ON r_regionkey = n_regionkey
  WHERE r_name = 'EUROPE'
)
SELECT s_acctbal, s_name, n_name, p_partkey, p_mfgr, s_address, s_phone, s_comment
FROM part
JOIN offers ON ps_partkey = p_partkey
WHERE p_size = 15
  AND p_type LIKE '%BRASS'
  AND ps_supplycost = (SELECT min(cheapest.ps_supplycost) FROM offers AS cheapest WHERE cheapest.ps_partkey = p_partkey)
ORDER BY s_acctbal DESC, n_name, s_name, p_partkey
LIMIT 100`,
  },
  {
    id: 'q03',
    title: 'Most valuable unshipped orders',
    sql: `SELECT o_orderkey, sum(l_extendedprice * (1 - l_discount)) AS revenue, o_orderdate, o_shippriority
FROM customer
JOIN orders ON o_custkey = c_custkey
JOIN lineitem ON l_orderkey = o_orderkey
WHERE c_mktsegment = 'BUILDING'
  AND o_orderdate < DATE '1995-03-15'
  AND l_shipdate > DATE '1995-03-15'
GROUP BY o_orderkey, o_orderdate, o_shippriority
ORDER BY revenue DESC, o_orderdate, o_orderkey
LIMIT 10`,
  },
  {
    id: 'q04',
    title: 'Late orders by priority',
    sql: `SELECT o_orderpriority, count(*) AS order_count
FROM orders
WHERE o_orderdate >= DATE '1993-07-01'
  AND o_orderdate < DATE '1993-10-01'
  AND EXISTS (FROM lineitem WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate)
GROUP BY o_orderpriority
ORDER BY o_orderpriority`,
  },
  {
    id: 'q05',
    title: 'Revenue from local suppliers',
    sql: `SELECT n_name, sum(l_extendedprice * (1 - l_discount)) AS revenue
FROM region
JOIN nation ON n_regionkey = r_regionkey
JOIN customer ON c_nationkey = n_nationkey
JOIN orders ON o_custkey = c_custkey
JOIN lineitem ON l_orderkey = o_orderkey
JOIN supplier ON s_suppkey = l_suppkey AND s_nationkey = c_nationkey
WHERE r_name = 'ASIA'
  AND o_orderdate >= DATE '1994-01-01'
  AND o_orderdate < DATE '1995-01-01'
GROUP BY n_name
ORDER BY revenue DESC`,
  },
  {
    id: 'q06',
    title: 'Revenue without small discounts',
    sql: `SELECT sum(l_extendedprice * l_discount) AS revenue
FROM lineitem
WHERE l_shipdate >= DATE '1994-01-01'
  AND l_shipdate < DATE '1995-01-01'
  AND l_discount BETWEEN 0.05 AND 0.07
  AND l_quantity < 24`,
  },
  {
    id: 'q07',
    title: 'Trade between two nations',
    sql: `SELECT seller.n_name AS supplier_nation, buyer.n_name AS customer_nation,
  year(l_shipdate) AS ship_year,
  sum(l_extendedprice * (1 - l_discount)) AS revenue
FROM lineitem
JOIN supplier ON s_suppkey = l_suppkey
JOIN nation AS seller ON seller.n_nationkey = s_nationkey
JOIN orders ON o_orderkey = l_orderkey
JOIN customer ON c_custkey = o_custkey
JOIN nation AS buyer ON buyer.n_nationkey = c_nationkey
WHERE (seller.n_name, buyer.n_name) IN (('FRANCE', 'GERMANY'), ('GERMANY', 'FRANCE'))
  AND l_shipdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31'
GROUP BY supplier_nation, customer_nation, ship_year
ORDER BY supplier_nation, customer_nation, ship_year`,
  },
  {
    id: 'q08',
    title: 'Market share of a nation',
    sql: `SELECT year(o_orderdate) AS order_year,
  sum(l_extendedprice * (1 - l_discount)) FILTER (WHERE seller.n_name = 'BRAZIL')
    / sum(l_extendedprice * (1 - l_discount)) AS market_share
FROM part
JOIN lineitem ON l_partkey = p_partkey
JOIN supplier ON s_suppkey = l_suppkey
JOIN nation AS seller ON seller.n_nationkey = s_nationkey
JOIN orders ON o_orderkey = l_orderkey
JOIN customer ON c_custkey = o_custkey
JOIN nation AS buyer ON buyer.n_nationkey = c_nationkey
JOIN region ON r_regionkey = buyer.n_regionkey
WHERE r_name = 'AMERICA'
  AND o_orderdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31'
  AND p_type = 'ECONOMY ANODIZED STEEL'
GROUP BY order_year
ORDER BY order_year`,
  },
  {
    id: 'q09',
    title: 'Profit by nation and year',
    sql: `SELECT n_name AS nation_name, year(o_orderdate) AS order_year,
  sum(l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity) AS profit
FROM part
JOIN lineitem ON l_partkey = p_partkey
JOIN partsupp ON ps_partkey = l_partkey AND ps_suppkey = l_suppkey
JOIN supplier ON s_suppkey = l_suppkey
JOIN nation ON n_nationkey = s_nationkey
JOIN orders ON o_orderkey = l_orderkey
WHERE p_name LIKE '%green%'
GROUP BY nation_name, order_year
ORDER BY nation_name, order_year DESC`,
  },
  {
    id: 'q10',
    title: 'Customers who return most',
    sql: `SELECT c_custkey, c_name, sum(l_extendedprice * (1 - l_discount)) AS lost_revenue,
  c_acctbal, n_name, c_address, c_phone, c_comment
FROM customer
JOIN nation ON n_nationkey = c_nationkey
JOIN orders ON o_custkey = c_custkey
JOIN lineitem ON l_orderkey = o_orderkey
WHERE o_orderdate >= DATE '1993-10-01'
  AND o_orderdate < DATE '1994-01-01'
  AND l_returnflag = 'R'
GROUP BY c_custkey, c_name, c_acctbal, c_phone, n_name, c_address, c_comment
ORDER BY lost_revenue DESC, c_custkey
LIMIT 20`,
  },
  {
    id: 'q11',
    title: 'Important stock',
    sql: `WITH stock AS (
  SELECT ps_partkey, sum(ps_supplycost * ps_availqty) AS stock_value
  FROM partsupp
  JOIN supplier ON s_suppkey = ps_suppkey
  JOIN nation ON n_nationkey = s_nationkey
  WHERE n_name = 'GERMANY'
  GROUP BY ps_partkey
)
-- TPC-H compares with a share of the total that depends on the scale; it comes to three times the average.
SELECT ps_partkey, stock_value
FROM stock
WHERE stock_value > (SELECT 3 * sum(stock_value) / count(*) FROM stock)
ORDER BY stock_value DESC, ps_partkey`,
  },
]
