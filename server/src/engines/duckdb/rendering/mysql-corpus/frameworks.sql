# As Django, Rails, SQLAlchemy, Laravel and WordPress write them.
SELECT `people`.`id`, `people`.`name`, COUNT(`orders`.`id`) AS `num_orders` FROM `people` LEFT OUTER JOIN `orders` ON (`people`.`id` = `orders`.`person`) GROUP BY `people`.`id`, `people`.`name` ORDER BY NULL LIMIT 0
SELECT CAST(DATE_FORMAT(`orders`.`placed`, '%Y-%m-01 00:00:00') AS DATETIME) AS `month`, COUNT(*) AS `c` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT CAST(DATE_FORMAT(`orders`.`placed`, '%Y-01-01') AS DATE) AS `year` FROM `orders` WHERE `orders`.`placed` IS NOT NULL GROUP BY 1 ORDER BY 1 DESC
SELECT DISTINCT CAST(DATE_FORMAT(CONVERT_TZ(`orders`.`placed`, '+00:00', '+01:00'), '%Y-%m-%d') AS DATE) AS `d` FROM `orders` ORDER BY `d`
SELECT EXTRACT(MONTH FROM `orders`.`placed`) AS `m`, SUM(`orders`.`amount`) AS `total` FROM `orders` WHERE `orders`.`placed` BETWEEN '2024-01-01 00:00:00' AND '2024-12-31 23:59:59.999999' GROUP BY EXTRACT(MONTH FROM `orders`.`placed`) ORDER BY `m`
SELECT (1) AS `a` FROM `people` WHERE `people`.`name` = 'Ada' LIMIT 1
SELECT `people`.`name` FROM `people` WHERE `people`.`name` LIKE BINARY '%a%' ORDER BY `people`.`name` ASC
SELECT `people`.`name` FROM `people` WHERE `people`.`name` REGEXP BINARY '^[A-E]' ORDER BY `people`.`name`
SELECT `people`.`name` FROM `people` WHERE REGEXP_LIKE(`people`.`name`, 'r') ORDER BY 1
SELECT COUNT(*) AS `__count` FROM `orders` WHERE NOT (`orders`.`status` = 'void' AND `orders`.`status` IS NOT NULL)
SELECT `orders`.`id`, (`orders`.`amount` * 2) AS `double`, (`orders`.`quantity` % 2) AS `odd` FROM `orders` WHERE `orders`.`id` IN (10, 11) ORDER BY `orders`.`id` ASC
SELECT CASE WHEN `orders`.`amount` >= 100 THEN 'a' WHEN `orders`.`amount` >= 10 THEN 'b' ELSE NULL END AS `grade`, COUNT(*) AS `n` FROM `orders` GROUP BY 1 ORDER BY `grade`
SELECT CONCAT_WS('', `people`.`name`, CONCAT_WS('', ' ', `people`.`city`)) AS `label` FROM `people` ORDER BY `people`.`id`
SELECT COALESCE(SUM(`orders`.`amount`), 0.00) AS `s` FROM `orders` WHERE `orders`.`person` = 99
SELECT `orders`.* FROM `orders` WHERE `orders`.`person` = 1 ORDER BY `orders`.`id` DESC LIMIT 1
SELECT 1 AS one FROM `people` WHERE `people`.`id` = 3 LIMIT 1
SELECT SUM(`orders`.`amount`) AS sum_amount, `orders`.`status` AS orders_status FROM `orders` GROUP BY `orders`.`status` ORDER BY orders_status
SELECT count(*) AS aggregate FROM `orders` WHERE date(`placed`) = '2024-02-29'
SELECT * FROM `orders` WHERE year(`placed`) = 2025 AND `status` in ('paid', 'open') ORDER BY `placed` desc limit 15 offset 0
SELECT exists(select * from `orders` where `person` = 2) as `exists`
SELECT json_unquote(json_extract(`profile`, '$."home"."zip"')) AS `zip` FROM `people` WHERE json_contains(`profile`, '"fr"', '$."langs"') ORDER BY `id`
SELECT json_length(`profile`, '$."langs"') AS l FROM `people` WHERE json_length(`profile`, '$."langs"') > 1 ORDER BY `id`
SELECT SQL_CALC_FOUND_ROWS people.ID FROM people WHERE 1=1 AND (((people.name LIKE '%a%') OR (people.city LIKE '%a%'))) ORDER BY people.name ASC LIMIT 0, 10
SELECT YEAR(placed) AS `year`, MONTH(placed) AS `month`, count(ID) as posts FROM orders WHERE status = 'paid' GROUP BY YEAR(placed), MONTH(placed) ORDER BY placed DESC LIMIT 0
SELECT DATE_FORMAT( placed, '%d/%m/%Y' ) AS dmy, TIME_FORMAT( TIME(placed), '%H:%i' ) AS hm FROM orders ORDER BY id
SELECT id, IF(ISNULL(note) OR note = '', '(none)', note) AS shown FROM orders ORDER BY id
SELECT MAX(CASE WHEN status = 'paid' THEN amount END) AS max_paid, MIN(IF(status = 'open', amount, NULL)) AS min_open FROM orders
SELECT t.status, t.total, t.total / s.all_ * 100 AS pct FROM (SELECT status, SUM(amount) AS total FROM orders GROUP BY status) t CROSS JOIN (SELECT SUM(amount) AS all_ FROM orders) s ORDER BY t.status
SELECT DATE_SUB(DATE(placed), INTERVAL WEEKDAY(placed) DAY) AS monday, COUNT(*) AS n FROM orders GROUP BY monday ORDER BY monday
SELECT DATE_ADD(LAST_DAY(DATE_SUB(placed, INTERVAL 1 MONTH)), INTERVAL 1 DAY) AS first_day FROM orders ORDER BY id
SELECT STR_TO_DATE(CONCAT(YEAR(placed), '-', LPAD(MONTH(placed), 2, '0'), '-01'), '%Y-%m-%d') AS m FROM orders ORDER BY id
SELECT DATE_FORMAT(DATE_SUB(placed, INTERVAL (DAYOFWEEK(placed) + 5) % 7 DAY), '%Y-%m-%d') AS wk FROM orders ORDER BY id
SELECT TIMESTAMP(DATE_FORMAT(placed, '%Y-%m-%d %H:00:00')) AS hour_ FROM orders ORDER BY id
SELECT UNIX_TIMESTAMP(DATE(placed)) * 1000 AS ms FROM orders ORDER BY id
SELECT FROM_UNIXTIME(1714989605 - MOD(1714989605, 900)) AS quarter_hour
SELECT CEIL(COUNT(*) / 3) AS pages, FLOOR(5 / 2) AS half, ROUND(AVG(quantity)) AS avg_ FROM orders
SELECT ROUND(SUM(amount) / NULLIF(SUM(quantity), 0), 2) AS unit_price, status FROM orders GROUP BY status ORDER BY status
SELECT (SELECT COUNT(*) FROM orders o WHERE o.person = p.id) AS n, p.name FROM people p ORDER BY n DESC, p.name
SELECT name, height, IF(height > (SELECT AVG(height) FROM people), 'tall', 'short') AS size FROM people WHERE height IS NOT NULL ORDER BY id
SELECT GROUP_CONCAT(CONCAT(name, '=', COALESCE(height, 0)) ORDER BY height DESC SEPARATOR '\n') AS lines_ FROM people WHERE id < 4
SELECT SUBSTRING_INDEX(GROUP_CONCAT(name ORDER BY born DESC), ',', 1) AS youngest FROM people
SELECT city, SUBSTRING_INDEX(city, ' ', 1) AS first_word, CHAR_LENGTH(city) - CHAR_LENGTH(REPLACE(city, 'o', '')) AS os FROM people ORDER BY id
SELECT LEFT(MD5(name), 8) AS h, CONV(SUBSTRING(MD5('a'), 1, 4), 16, 10) AS n FROM people ORDER BY id
SELECT id, LAG(placed) OVER (PARTITION BY person ORDER BY placed) AS prev, TIMESTAMPDIFF(DAY, LAG(placed) OVER (PARTITION BY person ORDER BY placed), placed) AS gap FROM orders WHERE person IS NOT NULL ORDER BY id
SELECT COUNT(*) OVER () AS total, id FROM people ORDER BY id LIMIT 2
SELECT SUM(amount) OVER (PARTITION BY status ORDER BY placed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running, id FROM orders ORDER BY id
SELECT YEARWEEK(placed, 1) AS yw, DATE_FORMAT(placed, '%Y%u') AS yu, WEEK(placed, 3) AS w FROM orders ORDER BY id
SELECT CASE DAYOFWEEK(placed) WHEN 1 THEN 'Sun' WHEN 7 THEN 'Sat' ELSE 'weekday' END AS kind, COUNT(*) FROM orders GROUP BY kind ORDER BY kind
SELECT HOUR(TIMEDIFF('2024-01-02 12:00:00', '2024-01-01 00:00:00')) AS h, TIME_TO_SEC(TIMEDIFF('12:00:00', '10:30:00')) AS s
SELECT p.name AS `Name`, o.amount AS `Amount (EUR)` FROM people AS p, orders AS o WHERE p.id = o.person AND o.amount <> 0 ORDER BY o.amount DESC, o.id
SELECT IFNULL(CAST(height AS CHAR), '-') AS h, CAST(active AS CHAR) AS a FROM people ORDER BY id
SELECT COUNT(IF(active, 1, NULL)) AS active_, AVG(active) AS share FROM people
SELECT amount, amount BETWEEN 5 AND 20 AS mid, status IN ('paid') AS is_paid, note IS NULL AS no_note FROM orders ORDER BY id
SELECT DATE_FORMAT(NULL, '%Y'), DATE_ADD(NULL, INTERVAL 1 DAY), CONCAT(NULL), DATEDIFF(NULL, '2024-01-01'), YEAR(NULL)
SELECT LEAST(COALESCE(height, 0), 170) AS l, GREATEST(id, 3) AS g FROM people ORDER BY id
SELECT TRIM(TRAILING ',' FROM CONCAT(name, ',')) AS t, TRIM(CONCAT(' ', name, ' ')) AS u FROM people ORDER BY id
SELECT TO_DAYS(placed) - TO_DAYS('2024-01-01') AS d, DAYOFYEAR(placed) AS doy FROM orders ORDER BY id
SELECT EXTRACT(HOUR_MINUTE FROM placed) AS hm, EXTRACT(DAY_SECOND FROM placed) AS ds FROM orders ORDER BY id
SELECT MINUTE(placed) * 60 + SECOND(placed) AS s, HOUR(placed) + MINUTE(placed) / 60 AS h FROM orders ORDER BY id
SELECT status, COUNT(*) c FROM orders GROUP BY 1 HAVING c > 1 ORDER BY c DESC, 1
