# Questions as people write them in Redash.
SELECT DATE_FORMAT(placed, '%Y-%m') AS month, status, COUNT(*) AS orders FROM orders GROUP BY month, status ORDER BY month, status
SELECT p.name, COUNT(o.id) AS orders, IFNULL(SUM(o.amount), 0) AS total FROM people p LEFT JOIN orders o ON o.person = p.id GROUP BY p.id, p.name ORDER BY total DESC, p.name
SELECT name, TIMESTAMPDIFF(YEAR, born, '2024-01-01') AS age FROM people ORDER BY age DESC
SELECT GROUP_CONCAT(name ORDER BY name SEPARATOR ', ') AS names FROM people
SELECT city, GROUP_CONCAT(DISTINCT name ORDER BY name DESC) AS names FROM people GROUP BY city ORDER BY city
SELECT GROUP_CONCAT(DISTINCT status ORDER BY status SEPARATOR '|') FROM orders
SELECT GROUP_CONCAT(id, ':', name ORDER BY id SEPARATOR '; ') AS pairs FROM people
SELECT SUM(status = 'paid') AS paid, SUM(status = 'open') AS open, COUNT(*) AS n FROM orders
SELECT status, COUNT(*) * 100 / (SELECT COUNT(*) FROM orders) AS pct FROM orders GROUP BY status ORDER BY status
SELECT ROUND(100 * SUM(IF(status = 'paid', 1, 0)) / COUNT(*), 2) AS pct FROM orders
SELECT IF(amount > 100, 'big', 'small') AS size, COUNT(*) FROM orders GROUP BY size ORDER BY size
SELECT placed, amount FROM orders WHERE placed BETWEEN '2024-01-01' AND '2024-12-31' ORDER BY placed LIMIT 2, 3
SELECT placed FROM orders WHERE placed > DATE_SUB('2025-07-05', INTERVAL 7 DAY) ORDER BY placed
SELECT name FROM people WHERE name REGEXP '^[AB]' ORDER BY name
SELECT name FROM people WHERE name NOT REGEXP 'a$' ORDER BY name
SELECT name FROM people WHERE FIND_IN_SET('red', tags) ORDER BY name
SELECT name, FIND_IN_SET('blue', tags) AS pos FROM people ORDER BY id
SELECT SUBSTRING_INDEX(host, '.', 1) AS machine, SUBSTRING_INDEX(host, '.', -2) AS domain FROM events ORDER BY id
SELECT DATE(at) AS day, HOUR(at) AS hour, COUNT(*) AS n FROM events GROUP BY 1, 2 ORDER BY 1, 2
SELECT FROM_UNIXTIME(seconds, '%Y-%m-%d %H:%i') AS minute FROM events ORDER BY id
SELECT UNIX_TIMESTAMP(at) - seconds AS off FROM events ORDER BY id
SELECT FROM_UNIXTIME(FLOOR(UNIX_TIMESTAMP(at) / 300) * 300) AS bucket, COUNT(*) AS n FROM events GROUP BY bucket ORDER BY bucket
SELECT WEEKDAY(placed) AS wd, COUNT(*) FROM orders GROUP BY wd ORDER BY wd
SELECT DATE_FORMAT(placed, '%x-W%v') AS iso_week, COUNT(*) FROM orders GROUP BY iso_week ORDER BY iso_week
SELECT LAST_DAY(placed) AS eom, COUNT(*) FROM orders GROUP BY eom ORDER BY eom
SELECT CONCAT(YEAR(placed), '-Q', QUARTER(placed)) AS q, SUM(amount) FROM orders GROUP BY q ORDER BY q
SELECT LPAD(id, 5, '0') AS code, RPAD(name, 8, '.') AS padded FROM people ORDER BY id
SELECT FORMAT(SUM(amount), 2) AS total FROM orders
SELECT CONCAT('$', FORMAT(amount, 2)) AS price FROM orders ORDER BY id
SELECT note FROM orders WHERE note LIKE '%\%%' ORDER BY id
SELECT note FROM orders WHERE note LIKE 'a\_b' ORDER BY id
SELECT person, amount FROM orders o1 WHERE amount = (SELECT MAX(amount) FROM orders o2 WHERE o2.person <=> o1.person) ORDER BY id
SELECT status, SUM(amount) FROM orders GROUP BY status WITH ROLLUP
SELECT COALESCE(status, 'total') AS status, SUM(quantity) AS q FROM orders GROUP BY status WITH ROLLUP
SELECT person, placed, ROW_NUMBER() OVER (PARTITION BY person ORDER BY placed DESC) AS rn FROM orders ORDER BY person, rn
SELECT placed, amount, LAG(amount, 1) OVER (ORDER BY placed) AS prev FROM orders ORDER BY placed
SELECT placed, SUM(amount) OVER (ORDER BY placed) AS running FROM orders ORDER BY placed
SELECT COUNT(DISTINCT person, status) AS pairs FROM orders
SELECT amount DIV 10 AS tens, COUNT(*) FROM orders GROUP BY tens ORDER BY tens
SELECT quantity MOD 3 AS m, COUNT(*) FROM orders GROUP BY m ORDER BY m
SELECT name FROM people WHERE active AND NOT (city <=> 'London') ORDER BY name
SELECT name FROM people WHERE active = 1 && height > 166 || name = 'Barbara' ORDER BY name
SELECT name FROM people WHERE !active ORDER BY name
SELECT id, active XOR (height > 170) AS x FROM people ORDER BY id
SELECT * FROM orders USE INDEX (PRIMARY) WHERE id = 10
SELECT SQL_NO_CACHE id FROM orders ORDER BY id LIMIT 1
SELECT STRAIGHT_JOIN p.name, o.amount FROM people p JOIN orders o ON o.person = p.id ORDER BY o.id
SELECT p.name, o.amount FROM people p STRAIGHT_JOIN orders o ON o.person = p.id ORDER BY o.id
SELECT name AS 'Full name', city "Town" FROM people ORDER BY id
SELECT ELT(2, 'a', 'b', 'c') AS e, FIELD('b', 'a', 'b') AS f, ELT(9, 'a') AS n
SELECT id FROM orders ORDER BY FIELD(status, 'open', 'paid', 'void'), id
SELECT INET_ATON('10.0.0.1') AS n, INET_NTOA(167772161) AS a
SELECT MD5('a') AS m, SHA1('a') AS s, SHA2('a', 256) AS s2
