import type { TpchLikeQuery } from './tpch-like-query.ts'

export const LAST_ELEVEN: readonly TpchLikeQuery[] = [
  {
    id: 'q12',
    title: 'Late lines by ship mode',
    sql: `SELECT l_shipmode,
  count(*) FILTER (WHERE o_orderpriority IN ('1-URGENT', '2-HIGH')) AS high_priority,
  count(*) FILTER (WHERE o_orderpriority NOT IN ('1-URGENT', '2-HIGH')) AS other_priority
FROM lineitem
JOIN orders ON o_orderkey = l_orderkey
WHERE l_shipmode IN ('MAIL', 'SHIP')
  AND l_shipdate < l_commitdate
  AND l_commitdate < l_receiptdate
  AND l_receiptdate >= DATE '1994-01-01'
  AND l_receiptdate < DATE '1995-01-01'
GROUP BY l_shipmode
ORDER BY l_shipmode`,
  },
  {
    id: 'q13',
    title: 'Customers by number of orders',
    sql: `SELECT order_count, count(*) AS customer_count
FROM (
  SELECT c_custkey, count(o_orderkey) AS order_count
  FROM customer
  LEFT JOIN orders ON o_custkey = c_custkey AND o_comment NOT LIKE '%special%requests%'
  GROUP BY c_custkey
)
GROUP BY order_count
ORDER BY customer_count DESC, order_count DESC`,
  },
  {
    id: 'q14',
    title: 'Share of promoted parts',
    sql: `SELECT 100.00 * sum(l_extendedprice * (1 - l_discount)) FILTER (WHERE p_type LIKE 'PROMO%')
    / sum(l_extendedprice * (1 - l_discount)) AS promotion_percent
FROM lineitem
JOIN part ON p_partkey = l_partkey
WHERE l_shipdate >= DATE '1995-09-01'
  AND l_shipdate < DATE '1995-10-01'`,
  },
  {
    id: 'q15',
    title: 'Top supplier of a quarter',
    sql: `WITH revenue AS (
  SELECT l_suppkey, sum(l_extendedprice * (1 - l_discount)) AS total
  FROM lineitem
  WHERE l_shipdate >= DATE '1996-01-01' AND l_shipdate < DATE '1996-04-01'
  GROUP BY l_suppkey
)
SELECT s_suppkey, s_name, s_address, s_phone, total
FROM supplier
JOIN revenue ON l_suppkey = s_suppkey
WHERE total = (SELECT max(total) FROM revenue)
ORDER BY s_suppkey`,
  },
  {
    id: 'q16',
    title: 'Suppliers without complaints',
    sql: `SELECT p_brand, p_type, p_size, count(DISTINCT ps_suppkey) AS supplier_count
FROM partsupp
JOIN part ON p_partkey = ps_partkey
WHERE p_brand <> 'Brand#45'
  AND p_type NOT LIKE 'MEDIUM POLISHED%'
  AND p_size IN (49, 14, 23, 45, 19, 3, 36, 9)
  AND ps_suppkey NOT IN (SELECT s_suppkey FROM supplier WHERE s_comment LIKE '%Customer%Complaints%')
GROUP BY p_brand, p_type, p_size
ORDER BY supplier_count DESC, p_brand, p_type, p_size`,
  },
  {
    id: 'q17',
    title: 'Revenue lost with small orders',
    sql: `SELECT sum(l_extendedprice) / 7.0 AS yearly_average
FROM lineitem
JOIN part ON p_partkey = l_partkey
WHERE p_brand = 'Brand#23'
  AND p_container = 'MED BOX'
  AND l_quantity < (SELECT 0.2 * avg(same.l_quantity) FROM lineitem AS same WHERE same.l_partkey = p_partkey)`,
  },
  {
    id: 'q18',
    title: 'Large orders',
    sql: `SELECT c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, sum(l_quantity) AS quantity
FROM customer
JOIN orders ON o_custkey = c_custkey
JOIN lineitem ON l_orderkey = o_orderkey
WHERE o_orderkey IN (SELECT l_orderkey FROM lineitem GROUP BY l_orderkey HAVING sum(l_quantity) > 300)
GROUP BY c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice
ORDER BY o_totalprice DESC, o_orderdate, o_orderkey
LIMIT 100`,
  },
  {
    id: 'q19',
    title: 'Revenue of hand-delivered parts',
    sql: `SELECT sum(l_extendedprice * (1 - l_discount)) AS revenue
FROM lineitem
JOIN part ON p_partkey = l_partkey
WHERE l_shipmode IN ('AIR', 'REG AIR')
  AND l_shipinstruct = 'DELIVER IN PERSON'
  AND p_size >= 1
  AND (
    (p_brand = 'Brand#12' AND p_container IN ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG')
      AND l_quantity BETWEEN 1 AND 11 AND p_size <= 5)
    OR (p_brand = 'Brand#23' AND p_container IN ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK')
      AND l_quantity BETWEEN 10 AND 20 AND p_size <= 10)
    OR (p_brand = 'Brand#34' AND p_container IN ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG')
      AND l_quantity BETWEEN 20 AND 30 AND p_size <= 15)
  )`,
  },
  {
    id: 'q20',
    title: 'Suppliers with parts to spare',
    sql: `SELECT s_name, s_address
FROM supplier
JOIN nation ON n_nationkey = s_nationkey
WHERE n_name = 'CANADA'
  AND s_suppkey IN (
    SELECT ps_suppkey
    FROM partsupp
    WHERE ps_partkey IN (SELECT p_partkey FROM part WHERE p_name LIKE 'forest%')
      AND ps_availqty > (
        SELECT 0.5 * sum(l_quantity)
        FROM lineitem
        WHERE l_partkey = ps_partkey
          AND l_suppkey = ps_suppkey
          AND l_shipdate >= DATE '1994-01-01'
          AND l_shipdate < DATE '1995-01-01'
      )
  )
ORDER BY s_name`,
  },
  {
    id: 'q21',
    title: 'Suppliers who kept orders waiting',
    sql: `SELECT s_name, count(*) AS waiting_lines
FROM supplier
JOIN nation ON n_nationkey = s_nationkey
JOIN lineitem AS late ON late.l_suppkey = s_suppkey
JOIN orders ON o_orderkey = late.l_orderkey
WHERE n_name = 'SAUDI ARABIA'
  AND o_orderstatus = 'F'
  AND late.l_receiptdate > late.l_commitdate
  AND EXISTS (
    FROM lineitem AS other
    WHERE other.l_orderkey = late.l_orderkey AND other.l_suppkey <> late.l_suppkey)
  AND NOT EXISTS (
    FROM lineitem AS other
    WHERE other.l_orderkey = late.l_orderkey AND other.l_suppkey <> late.l_suppkey
      AND other.l_receiptdate > other.l_commitdate)
GROUP BY s_name
ORDER BY waiting_lines DESC, s_name
LIMIT 100`,
  },
  {
    id: 'q22',
    title: 'Customers worth a call',
    sql: `WITH callable AS (
  SELECT c_custkey, c_acctbal, left(c_phone, 2) AS country_code
  FROM customer
  WHERE left(c_phone, 2) IN ('13', '31', '23', '29', '30', '18', '17')
)
SELECT country_code, count(*) AS customer_count, sum(c_acctbal) AS balance
FROM callable
WHERE c_acctbal > (SELECT avg(c_acctbal) FROM callable WHERE c_acctbal > 0)
  AND NOT EXISTS (FROM orders WHERE o_custkey = c_custkey)
GROUP BY country_code
ORDER BY country_code`,
  },
]
