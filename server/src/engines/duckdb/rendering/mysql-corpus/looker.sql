# As Looker, Hex and Mode write them.
SELECT DATE(orders.placed) AS `orders.placed_date`, COUNT(*) AS `orders.count` FROM orders WHERE ((( orders.placed ) >= ((TIMESTAMP('2024-01-01'))) AND ( orders.placed ) < ((DATE_ADD(TIMESTAMP('2024-01-01'), INTERVAL 1 YEAR))))) GROUP BY 1 ORDER BY DATE(orders.placed) DESC LIMIT 500
SELECT DATE_FORMAT(orders.placed, '%Y-%m') AS `orders.placed_month`, COALESCE(SUM(orders.amount), 0) AS `orders.total` FROM orders GROUP BY DATE_FORMAT(orders.placed, '%Y-%m') ORDER BY DATE_FORMAT(orders.placed, '%Y-%m') DESC LIMIT 500
SELECT DATE_FORMAT(TIMESTAMP(DATE(DATE_ADD(orders.placed, INTERVAL (0 - MOD((DAYOFWEEK(orders.placed) - 1) - 1 + 7, 7)) DAY))), '%Y-%m-%d') AS `orders.placed_week`, COUNT(*) AS c FROM orders GROUP BY 1 ORDER BY 1
SELECT CONCAT(CAST(YEAR(orders.placed) AS CHAR), '-Q', CAST(QUARTER(orders.placed) AS CHAR)) AS q, COUNT(*) AS c FROM orders GROUP BY 1 ORDER BY 1
SELECT CAST(DATE_FORMAT(orders.placed, '%H') AS UNSIGNED) AS `orders.placed_hour_of_day`, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1
SELECT DATE_FORMAT(orders.placed, '%Y-%m-%d %H') AS h FROM orders ORDER BY orders.id
SELECT DATE_FORMAT(orders.placed, '%Y-%m-%d %T') AS `orders.placed_time`, orders.id AS `orders.id` FROM orders ORDER BY orders.id LIMIT 500
SELECT DATE_FORMAT(orders.placed, '%W') AS `orders.placed_day_of_week`, COUNT(*) AS c FROM orders GROUP BY 1 ORDER BY 1
SELECT CASE WHEN orders.status = 'paid' THEN 'Yes' ELSE 'No' END AS `orders.is_paid`, COUNT(DISTINCT orders.person) AS `people.count` FROM orders GROUP BY 1 ORDER BY 1
SELECT COUNT(DISTINCT CASE WHEN orders.amount > 10 THEN orders.person ELSE NULL END) AS c FROM orders
SELECT AVG(CASE WHEN orders.status = 'paid' THEN orders.amount END) AS a FROM orders
SELECT COALESCE(COALESCE(CAST((SUM(DISTINCT orders.quantity)) AS DECIMAL(20,6)), 0), 0) AS s FROM orders
SELECT orders.id FROM orders WHERE (orders.status IN ('paid', 'open')) AND ((orders.note LIKE '%a%' OR orders.note IS NULL)) ORDER BY 1
SELECT people.name FROM people WHERE (LENGTH(people.city) <> 0) AND people.city IS NOT NULL ORDER BY 1
SELECT TIMESTAMPDIFF(DAY, orders.placed, orders.shipped) AS d, TIMESTAMPDIFF(HOUR, orders.placed, orders.shipped) AS h, TIMESTAMPDIFF(MINUTE, orders.placed, orders.shipped) AS m FROM orders ORDER BY orders.id
SELECT TIMESTAMPDIFF(WEEK, orders.placed, '2025-12-31') AS w, TIMESTAMPDIFF(QUARTER, orders.placed, '2025-12-31') AS q FROM orders ORDER BY orders.id
SELECT FLOOR(DATEDIFF('2024-06-30', people.born) / 365) AS age FROM people ORDER BY people.id
SELECT CASE WHEN people.height < 170 THEN '0' WHEN people.height >= 170 THEN '1' ELSE '2' END AS tier_sort, COUNT(*) FROM people GROUP BY 1 ORDER BY 1
WITH monthly AS (SELECT DATE_FORMAT(placed, '%Y-%m-01') AS m, SUM(amount) AS s FROM orders GROUP BY 1) SELECT m, s, s - LAG(s) OVER (ORDER BY m) AS diff FROM monthly ORDER BY m
WITH RECURSIVE days AS (SELECT CAST('2024-01-01' AS DATE) AS d UNION ALL SELECT DATE_ADD(d, INTERVAL 1 DAY) FROM days WHERE d < '2024-01-05') SELECT d FROM days ORDER BY d
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i, i * i AS sq FROM n
SELECT name, height, NTILE(2) OVER (ORDER BY height) AS half FROM people WHERE height IS NOT NULL ORDER BY height
SELECT name, PERCENT_RANK() OVER (ORDER BY height) AS pr FROM people WHERE height IS NOT NULL ORDER BY height
SELECT status, AVG(amount) OVER (PARTITION BY status) > 50 AS above FROM orders ORDER BY id
SELECT FIRST_VALUE(name) OVER (ORDER BY height DESC) AS tallest FROM people LIMIT 1
SELECT DENSE_RANK() OVER (ORDER BY city) AS dr, name FROM people ORDER BY dr, name
SELECT placed, DATE_SUB(placed, INTERVAL 1 SECOND) AS before_, DATE_ADD(placed, INTERVAL 90 MINUTE) AS after_ FROM orders ORDER BY id
SELECT DATE_ADD(shipped, INTERVAL 1 WEEK) AS w, DATE_ADD(shipped, INTERVAL 1 QUARTER) AS q, DATE_ADD(shipped, INTERVAL 1 YEAR) AS y FROM orders ORDER BY id
SELECT EXTRACT(YEAR FROM placed) AS y, EXTRACT(MONTH FROM placed) AS m, EXTRACT(DAY FROM placed) AS d, EXTRACT(HOUR FROM placed) AS h FROM orders ORDER BY id
SELECT EXTRACT(YEAR_MONTH FROM placed) AS ym, EXTRACT(DAY_HOUR FROM placed) AS dh, EXTRACT(WEEK FROM placed) AS w, EXTRACT(QUARTER FROM placed) AS q FROM orders ORDER BY id
SELECT profile->'$.age' AS age, profile->>'$.home.city' AS city FROM people ORDER BY id
SELECT JSON_EXTRACT(profile, '$.langs[0]') AS first_lang, JSON_LENGTH(profile, '$.langs') AS n FROM people ORDER BY id
SELECT JSON_CONTAINS(profile, '"en"', '$.langs') AS en FROM people ORDER BY id
SELECT JSON_UNQUOTE(JSON_EXTRACT(profile, '$.langs[1]')) AS second_lang FROM people ORDER BY id
SELECT name FROM people WHERE JSON_EXTRACT(profile, '$.age') > 40 ORDER BY id
SELECT name FROM people WHERE profile->>'$.home.city' = 'London' AND active = 1 ORDER BY id
