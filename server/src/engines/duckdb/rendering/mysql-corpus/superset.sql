# Time grains and charts as Apache Superset writes them for its MySQL engine.
SELECT DATE_ADD(DATE(placed), INTERVAL (HOUR(placed)*60*60 + MINUTE(placed)*60 + SECOND(placed)) SECOND) AS __timestamp, COUNT(*) AS count FROM orders GROUP BY DATE_ADD(DATE(placed), INTERVAL (HOUR(placed)*60*60 + MINUTE(placed)*60 + SECOND(placed)) SECOND) ORDER BY count DESC, __timestamp LIMIT 1000
SELECT DATE_ADD(DATE(placed), INTERVAL (HOUR(placed)*60 + MINUTE(placed)) MINUTE) AS __timestamp, SUM(amount) AS `SUM(amount)` FROM orders GROUP BY DATE_ADD(DATE(placed), INTERVAL (HOUR(placed)*60 + MINUTE(placed)) MINUTE) ORDER BY `SUM(amount)` DESC, __timestamp LIMIT 50000
SELECT DATE_ADD(DATE(placed), INTERVAL HOUR(placed) HOUR) AS __timestamp, MAX(amount) AS m FROM orders GROUP BY DATE_ADD(DATE(placed), INTERVAL HOUR(placed) HOUR) ORDER BY __timestamp
SELECT DATE(placed) AS __timestamp, COUNT(*) AS count FROM orders GROUP BY DATE(placed) ORDER BY __timestamp
SELECT DATE(DATE_SUB(placed, INTERVAL DAYOFWEEK(placed) - 1 DAY)) AS __timestamp, COUNT(*) AS count FROM orders GROUP BY DATE(DATE_SUB(placed, INTERVAL DAYOFWEEK(placed) - 1 DAY)) ORDER BY 1
SELECT DATE(DATE_SUB(placed, INTERVAL DAYOFMONTH(placed) - 1 DAY)) AS __timestamp, SUM(quantity) AS q FROM orders GROUP BY DATE(DATE_SUB(placed, INTERVAL DAYOFMONTH(placed) - 1 DAY)) ORDER BY 1
SELECT MAKEDATE(YEAR(placed), 1) + INTERVAL QUARTER(placed) QUARTER - INTERVAL 1 QUARTER AS __timestamp, COUNT(*) AS count FROM orders GROUP BY MAKEDATE(YEAR(placed), 1) + INTERVAL QUARTER(placed) QUARTER - INTERVAL 1 QUARTER ORDER BY 1
SELECT DATE(DATE_SUB(placed, INTERVAL DAYOFYEAR(placed) - 1 DAY)) AS __timestamp, COUNT(DISTINCT person) AS people FROM orders GROUP BY DATE(DATE_SUB(placed, INTERVAL DAYOFYEAR(placed) - 1 DAY)) ORDER BY 1
SELECT DATE(DATE_SUB(placed, INTERVAL DAYOFWEEK(DATE_SUB(placed, INTERVAL 1 DAY)) - 1 DAY)) AS __timestamp, COUNT(*) FROM orders GROUP BY DATE(DATE_SUB(placed, INTERVAL DAYOFWEEK(DATE_SUB(placed, INTERVAL 1 DAY)) - 1 DAY)) ORDER BY 1
SELECT status AS status, COUNT(*) AS count FROM orders WHERE placed >= STR_TO_DATE('2024-01-01 00:00:00.000000', '%Y-%m-%d %H:%i:%s.%f') AND placed < STR_TO_DATE('2025-01-01 00:00:00.000000', '%Y-%m-%d %H:%i:%s.%f') GROUP BY status ORDER BY count DESC, status LIMIT 100
SELECT shipped AS shipped, COUNT(*) AS count FROM orders WHERE shipped >= STR_TO_DATE('2024-01-01', '%Y-%m-%d') AND shipped < STR_TO_DATE('2024-12-31', '%Y-%m-%d') GROUP BY shipped ORDER BY shipped
SELECT from_unixtime(seconds) AS ts FROM events ORDER BY id
SELECT DATE_ADD(DATE(from_unixtime(seconds)), INTERVAL HOUR(from_unixtime(seconds)) HOUR) AS h, COUNT(*) AS c FROM events GROUP BY 1 ORDER BY 1
SELECT `status` AS `status`, sum(`amount`) AS `SUM(amount)`, count(*) AS `COUNT(*)` FROM `orders` GROUP BY `status` ORDER BY `SUM(amount)` DESC LIMIT 10
SELECT COUNT(*) AS rowcount FROM (SELECT status FROM orders GROUP BY status LIMIT 1000) AS rowcount_qry
SELECT city AS city, AVG(height) AS `AVG(height)` FROM people WHERE city IS NOT NULL GROUP BY city ORDER BY `AVG(height)` DESC LIMIT 50
SELECT name FROM people WHERE name LIKE '%a%' AND city NOT IN ('Paris', 'Rome') ORDER BY name LIMIT 100
SELECT status, person, SUM(amount) AS s FROM orders GROUP BY status, person HAVING SUM(amount) > 5 ORDER BY s DESC, status, person
SELECT * FROM (SELECT id, amount FROM orders) AS virtual_table ORDER BY id LIMIT 1001
SELECT AVG(amount) AS `AVG(amount)`, MIN(amount) AS `MIN(amount)`, MAX(amount) AS `MAX(amount)` FROM orders LIMIT 50000
SELECT SUM(CASE WHEN status = 'paid' THEN amount ELSE 0 END) / SUM(amount) AS paid_share FROM orders
SELECT COUNT(DISTINCT status) AS `COUNT_DISTINCT(status)` FROM orders
SELECT DATE_FORMAT(placed, '%Y-%m-01') AS month, ROUND(SUM(amount), 1) AS total FROM orders GROUP BY DATE_FORMAT(placed, '%Y-%m-01') ORDER BY month
SELECT CONCAT(name, ' (', city, ')') AS label FROM people ORDER BY id
SELECT MAX(placed) AS latest, MIN(placed) AS earliest FROM orders
SELECT CAST(placed AS DATE) AS d, SUM(quantity) FROM orders GROUP BY CAST(placed AS DATE) ORDER BY 1 DESC LIMIT 5
SELECT person, SUM(amount) AS total, RANK() OVER (ORDER BY SUM(amount) DESC) AS r FROM orders WHERE person IS NOT NULL GROUP BY person ORDER BY r
SELECT YEAR(placed) AS y, MONTH(placed) AS m, COUNT(*) AS c FROM orders GROUP BY y, m ORDER BY y, m
SELECT status AS status, COUNT(*) AS count FROM orders JOIN (SELECT status AS status__, COUNT(*) AS mme_inner__ FROM orders GROUP BY status ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON status = status__ GROUP BY status ORDER BY count DESC LIMIT 10
SELECT DATE_ADD(DATE(placed), INTERVAL HOUR(placed) HOUR) AS __timestamp, SUM(amount) AS `SUM(amount)` FROM orders WHERE placed >= STR_TO_DATE('2024-01-01 00:00:00.000000', '%Y-%m-%d %H:%i:%s.%f') AND placed < STR_TO_DATE('2025-01-01 00:00:00.000000', '%Y-%m-%d %H:%i:%s.%f') GROUP BY DATE_ADD(DATE(placed), INTERVAL HOUR(placed) HOUR) ORDER BY `SUM(amount)` DESC LIMIT 50000
SELECT DATE(DATE_SUB(placed, INTERVAL DAYOFMONTH(placed) - 1 DAY)) AS __timestamp, status AS status, COUNT(*) AS count FROM orders GROUP BY DATE(DATE_SUB(placed, INTERVAL DAYOFMONTH(placed) - 1 DAY)), status ORDER BY 1, 2 LIMIT 10000
SELECT MAKEDATE(YEAR(placed), 1) + INTERVAL QUARTER(placed) QUARTER - INTERVAL 1 QUARTER AS __timestamp, COUNT(*) AS count FROM orders GROUP BY MAKEDATE(YEAR(placed), 1) + INTERVAL QUARTER(placed) QUARTER - INTERVAL 1 QUARTER ORDER BY 1
SELECT status AS status, AVG(amount) AS `AVG(amount)`, MAX(placed) AS `MAX(placed)` FROM orders JOIN (SELECT status AS status__, SUM(amount) AS mme_inner__ FROM orders GROUP BY status ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON status = status__ GROUP BY status ORDER BY `AVG(amount)` DESC LIMIT 10000
SELECT COUNT(*) AS rowcount FROM (SELECT status AS status, COUNT(*) AS count FROM orders GROUP BY status LIMIT 10000) AS rowcount_qry
SELECT DATE(placed) AS __timestamp, SUM(SUM(amount)) OVER (ORDER BY DATE(placed)) AS running FROM orders GROUP BY DATE(placed) ORDER BY 1
