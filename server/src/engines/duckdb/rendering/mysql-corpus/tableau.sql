# As Tableau's MySQL connector and its ODBC driver write them.
SELECT ADDDATE(DATE_FORMAT(`orders`.`placed`, '%Y-%m-01 00:00:00'), INTERVAL 0 SECOND) AS `tmn:placed:ok`, SUM(`orders`.`amount`) AS `sum:amount:ok` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT ADDDATE(DATE_FORMAT(`orders`.`placed`, '%Y-01-01 00:00:00'), INTERVAL 0 SECOND) AS `tyr:placed:ok`, COUNT(1) AS `cnt` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT ADDDATE(CONCAT(DATE_FORMAT(`orders`.`placed`, '%Y-'), (3*(QUARTER(`orders`.`placed`)-1)+1), '-01 00:00:00'), INTERVAL 0 SECOND) AS `tqr:placed:ok`, SUM(1) AS `n` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT ADDDATE(DATE_FORMAT(`orders`.`placed`, '%Y-%m-%d 00:00:00'), INTERVAL -((7 + DAYOFWEEK(`orders`.`placed`) - 1) % 7) DAY) AS `twk:placed:ok`, COUNT(*) AS `n` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT YEAR(`orders`.`placed`) AS `yr:placed:ok`, SUM(`orders`.`quantity`) AS `sum:quantity:ok` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT `orders`.`status` AS `status`, SUM(`orders`.`amount`) AS `sum:amount:ok` FROM `orders` GROUP BY 1 ORDER BY NULL LIMIT 0
SELECT SUM(1) AS `COL` FROM `orders` HAVING COUNT(1) > 0
SELECT 1
SELECT `orders`.`status` AS `status` FROM `orders` WHERE ((`orders`.`placed` >= TIMESTAMP('2024-01-01 00:00:00')) AND (`orders`.`placed` <= TIMESTAMP('2024-12-31 23:59:59'))) GROUP BY 1 ORDER BY `status` ASC
SELECT (CASE WHEN (`orders`.`amount` > 100) THEN 'High' ELSE 'Low' END) AS `Calculation_1`, SUM(`orders`.`amount`) AS `s` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT (CASE WHEN ISNULL(`people`.`city`) THEN 1 WHEN NOT ISNULL(`people`.`city`) THEN 0 ELSE NULL END) AS `isnull`, COUNT(*) AS `n` FROM `people` GROUP BY 1 ORDER BY 1
SELECT LEFT(`people`.`name`, 2) AS `l`, RIGHT(`people`.`name`, 2) AS `r`, LENGTH(`people`.`name`) AS `n` FROM `people` ORDER BY `people`.`id`
SELECT IF(LOCATE('o', `people`.`city`) > 0, 'yes', 'no') AS `has_o` FROM `people` ORDER BY `people`.`id`
SELECT UPPER(`people`.`name`) AS `u`, LOWER(`people`.`name`) AS `l`, TRIM(`people`.`name`) AS `t`, LTRIM(' x') AS `lt`, RTRIM('x ') AS `rt` FROM `people` ORDER BY `people`.`id`
SELECT SUBSTRING(`people`.`name`, 2, 3) AS `mid`, REPLACE(`people`.`name`, 'a', '@') AS `rep` FROM `people` ORDER BY `people`.`id`
SELECT DATEDIFF(`orders`.`shipped`, `orders`.`placed`) AS `dd` FROM `orders` ORDER BY `orders`.`id`
SELECT TIMESTAMPDIFF(HOUR, DATE_FORMAT(`orders`.`placed`, '%Y-%m-%d %H:00:00'), '2025-01-01') AS `h` FROM `orders` ORDER BY `orders`.`id`
SELECT DATE_ADD(`orders`.`placed`, INTERVAL 3 MONTH) AS `plus` FROM `orders` ORDER BY `orders`.`id`
SELECT TRUNCATE(`orders`.`amount`, 0) AS `int`, ROUND(`orders`.`amount`, 1) AS `r` FROM `orders` ORDER BY `orders`.`id`
SELECT MONTHNAME(`orders`.`placed`) AS `mn`, DAYNAME(`orders`.`placed`) AS `dn` FROM `orders` ORDER BY `orders`.`id`
SELECT DATE_FORMAT(`orders`.`placed`, '%W, %M %e, %Y') AS `long`, DATE_FORMAT(`orders`.`placed`, '%a %b %d') AS `short` FROM `orders` ORDER BY `orders`.`id`
SELECT {fn CONCAT(`people`.`name`, '!')} AS `x`, {fn UCASE(`people`.`name`)} AS `y` FROM `people` ORDER BY `people`.`id`
SELECT COUNT(*) AS `n` FROM `orders` WHERE `orders`.`shipped` >= {d '2024-02-01'} AND `orders`.`placed` < {ts '2025-01-01 00:00:00'}
SELECT `t0`.`status` AS `status`, `t1`.`m` AS `m` FROM (SELECT `status` AS `status` FROM `orders` GROUP BY 1) `t0` INNER JOIN (SELECT `status` AS `status`, MAX(`amount`) AS `m` FROM `orders` GROUP BY 1) `t1` ON (`t0`.`status` <=> `t1`.`status`) ORDER BY 1
SELECT SUM(`orders`.`amount`) AS `TEMP(1)`, SUM(`orders`.`quantity`) AS `TEMP(2)`, MIN(`orders`.`placed`) AS `m` FROM `orders`
SELECT ASCII('A') AS `a`, CHAR(66) AS `c`, SPACE(3) AS `s`, REPEAT('ab', 2) AS `r`
SELECT IFNULL(`people`.`height`, 0) AS `h` FROM `people` ORDER BY `people`.`id`
SELECT (`orders`.`amount` / 0) AS `z`, (`orders`.`quantity` % 3) AS `m` FROM `orders` ORDER BY `orders`.`id`
SELECT STR_TO_DATE('31/12/2024', '%d/%m/%Y') AS `d`, STR_TO_DATE('bad', '%d/%m/%Y') AS `n`
SELECT DAYOFWEEK(`orders`.`shipped`) AS `wd`, WEEK(`orders`.`shipped`) AS `w`, YEARWEEK(`orders`.`shipped`, 3) AS `yw` FROM `orders` ORDER BY `orders`.`id`
SELECT SUM(`orders`.`amount`) AS `sum_amount_ok`, ADDDATE( DATE_FORMAT( `orders`.`placed`, '%Y-01-01 00:00:00' ), INTERVAL 0 SECOND ) AS `tyr_placed_ok` FROM `orders` GROUP BY 2 ORDER BY 2
SELECT ADDDATE( CONCAT( DATE_FORMAT( `orders`.`placed`, '%Y-' ), (3*(QUARTER(`orders`.`placed`)-1)+1), '-01 00:00:00' ), INTERVAL 0 SECOND ) AS `tqr_placed_ok`, COUNT(1) AS `cnt` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT `t0`.`status` AS `status`, `t0`.`x` AS `x` FROM (SELECT `orders`.`status` AS `status`, SUM(`orders`.`quantity`) AS `x` FROM `orders` GROUP BY 1 HAVING (SUM(`orders`.`quantity`) >= 3) ) `t0` ORDER BY 1
SELECT (CASE WHEN (`orders`.`amount` < 10) THEN 'low' WHEN NOT (`orders`.`amount` < 10) THEN 'high' ELSE NULL END) AS `calc`, SUM(1) AS `n` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT IFNULL(`people`.`city`, '') AS `city`, (LENGTH(`people`.`name`) > 4) AS `long`, LOCATE('a', LOWER(`people`.`name`)) AS `at` FROM `people` ORDER BY `people`.`id`
SELECT `people`.`name` AS `name` FROM `people` INNER JOIN `orders` ON (`people`.`id` = `orders`.`person`) WHERE ((`orders`.`placed` >= TIMESTAMP('2024-01-01 00:00:00')) AND (`orders`.`placed` <= TIMESTAMP('2024-12-31 00:00:00'))) GROUP BY 1 ORDER BY 1
