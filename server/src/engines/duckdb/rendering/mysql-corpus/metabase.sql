# As Metabase's MySQL driver compiles its questions.
SELECT STR_TO_DATE(CONCAT(DATE_FORMAT(`orders`.`placed`, '%Y-%m'), '-01'), '%Y-%m-%d') AS `placed`, COUNT(*) AS `count` FROM `orders` GROUP BY STR_TO_DATE(CONCAT(DATE_FORMAT(`orders`.`placed`, '%Y-%m'), '-01'), '%Y-%m-%d') ORDER BY STR_TO_DATE(CONCAT(DATE_FORMAT(`orders`.`placed`, '%Y-%m'), '-01'), '%Y-%m-%d') ASC
SELECT STR_TO_DATE(CONCAT(YEARWEEK(`orders`.`placed`), ' Sunday'), '%X%V %W') AS `placed`, COUNT(*) AS `count` FROM `orders` GROUP BY STR_TO_DATE(CONCAT(YEARWEEK(`orders`.`placed`), ' Sunday'), '%X%V %W') ORDER BY 1
SELECT STR_TO_DATE(CONCAT(YEAR(`orders`.`placed`), '-', ((QUARTER(`orders`.`placed`) * 3) - 2), '-01'), '%Y-%m-%d') AS `placed`, SUM(`orders`.`amount`) AS `sum` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT STR_TO_DATE(DATE_FORMAT(`orders`.`placed`, '%Y-%m-%d %H:%i'), '%Y-%m-%d %H:%i') AS `placed`, COUNT(*) AS `count` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT STR_TO_DATE(DATE_FORMAT(`orders`.`placed`, '%Y-%m-%d %H'), '%Y-%m-%d %H') AS `placed`, COUNT(*) AS `count` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT DATE(`orders`.`placed`) AS `placed`, AVG(`orders`.`amount`) AS `avg` FROM `orders` GROUP BY DATE(`orders`.`placed`) ORDER BY DATE(`orders`.`placed`) ASC
SELECT MAKEDATE(YEAR(`orders`.`placed`), 1) AS `placed`, COUNT(*) AS `count` FROM `orders` GROUP BY MAKEDATE(YEAR(`orders`.`placed`), 1) ORDER BY 1
SELECT HOUR(`orders`.`placed`) AS `placed`, COUNT(*) AS `count` FROM `orders` GROUP BY HOUR(`orders`.`placed`) ORDER BY HOUR(`orders`.`placed`) ASC
SELECT DAYOFWEEK(`orders`.`placed`) AS `placed`, COUNT(*) AS `count` FROM `orders` GROUP BY DAYOFWEEK(`orders`.`placed`) ORDER BY 1
SELECT DAYOFMONTH(`orders`.`placed`) AS `d`, DAYOFYEAR(`orders`.`placed`) AS `y` FROM `orders` ORDER BY `orders`.`id`
SELECT (WEEK(`orders`.`placed`, 6)) AS `week`, COUNT(*) AS `count` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT MONTH(`orders`.`placed`) AS `m`, QUARTER(`orders`.`placed`) AS `q`, COUNT(*) AS `count` FROM `orders` GROUP BY 1, 2 ORDER BY 1, 2
SELECT COUNT(*) AS `count` FROM `orders` WHERE (`orders`.`placed` >= DATE_ADD('2024-03-01', INTERVAL -30 DAY) AND `orders`.`placed` < '2024-03-02')
SELECT COUNT(*) AS `count` FROM `orders` WHERE `orders`.`placed` >= TIMESTAMP '2024-01-01 00:00:00' AND `orders`.`placed` < TIMESTAMP '2024-04-01 00:00:00'
SELECT COUNT(*) AS `count` FROM `orders` WHERE DATE(`orders`.`placed`) BETWEEN '2024-02-01' AND '2024-03-31'
SELECT `orders`.`id` AS `id`, `orders`.`person` AS `person`, `People`.`name` AS `People__name` FROM `orders` LEFT JOIN `people` AS `People` ON `orders`.`person` = `People`.`id` ORDER BY `orders`.`id` ASC LIMIT 2000
SELECT `source`.`bucket` AS `bucket`, COUNT(*) AS `count` FROM (SELECT (FLOOR(((`orders`.`amount` - 0.0) / 100.0)) * 100.0) + 0.0 AS `bucket` FROM `orders`) AS `source` GROUP BY `source`.`bucket` ORDER BY `source`.`bucket` ASC
SELECT CASE WHEN `orders`.`amount` > 100 THEN 'big' WHEN `orders`.`amount` > 10 THEN 'mid' ELSE 'small' END AS `size`, COUNT(*) AS `count` FROM `orders` GROUP BY 1 ORDER BY 1
SELECT SUBSTRING(`people`.`name`, 1, 1234) AS `substring1` FROM `people` ORDER BY `people`.`id` LIMIT 10
SELECT `people`.`name` AS `name` FROM `people` WHERE (LOWER(`people`.`name`) LIKE '%a%') ORDER BY `name`
SELECT `people`.`name` FROM `people` WHERE (`people`.`city` <> 'London' OR `people`.`city` IS NULL) ORDER BY `people`.`id`
SELECT COALESCE(`people`.`city`, 'unknown') AS `c`, COUNT(*) AS `n` FROM `people` GROUP BY COALESCE(`people`.`city`, 'unknown') ORDER BY `n` DESC, `c`
SELECT CONCAT(`people`.`name`, ' ', COALESCE(`people`.`city`, '')) AS `full` FROM `people` ORDER BY `people`.`id`
SELECT REGEXP_SUBSTR(`events`.`host`, '^[a-z]+') AS `h` FROM `events` ORDER BY `events`.`id`
SELECT TIMESTAMPDIFF(DAY, `orders`.`placed`, `orders`.`shipped`) AS `days` FROM `orders` ORDER BY `orders`.`id`
SELECT TIMESTAMPDIFF(MONTH, `people`.`born`, '2024-06-30') AS `months`, TIMESTAMPDIFF(YEAR, `people`.`born`, '2024-06-30') AS `years` FROM `people` ORDER BY `people`.`id`
SELECT STDDEV_POP(`orders`.`amount`) > 400 AS `big` FROM `orders`
SELECT SUM(CASE WHEN `orders`.`status` = 'paid' THEN 1 ELSE 0.0 END) / NULLIF(COUNT(*), 0) AS `share` FROM `orders`
SELECT CAST(`orders`.`amount` AS SIGNED) AS `n` FROM `orders` ORDER BY `orders`.`id`
SELECT JSON_UNQUOTE(JSON_EXTRACT(`people`.`profile`, '$.home.city')) AS `city` FROM `people` ORDER BY `people`.`id`
SELECT CONVERT(JSON_EXTRACT(`people`.`profile`, '$.age'), SIGNED) AS `age` FROM `people` WHERE `people`.`id` IN (1, 2, 3) ORDER BY 1
SELECT CONVERT_TZ(`orders`.`placed`, '+00:00', '-08:00') AS `local` FROM `orders` ORDER BY `orders`.`id`
SELECT DATE(CONVERT_TZ(`orders`.`placed`, '+00:00', '+05:30')) AS `d`, COUNT(*) FROM `orders` GROUP BY 1 ORDER BY 1
SELECT count(distinct `orders`.`person`) AS `count` FROM `orders`
SELECT `orders`.`status`, SUM(SUM(`orders`.`amount`)) OVER (ORDER BY `orders`.`status` ASC ROWS UNBOUNDED PRECEDING) AS `running` FROM `orders` GROUP BY `orders`.`status` ORDER BY `orders`.`status`
SELECT POWER(2, 8) AS `p`, SQRT(144) AS `s`, LOG10(100) AS `l`, EXP(0) AS `e`, ABS(-3) AS `a`, CEIL(1.5) AS `c`, FLOOR(-1.5) AS `f`
SELECT `source`.`status` AS `status`, `source`.`sum` AS `sum`, `source`.`sum` / NULLIF(SUM(`source`.`sum`) OVER (), 0) AS `share` FROM (SELECT `orders`.`status` AS `status`, SUM(`orders`.`amount`) AS `sum` FROM `orders` GROUP BY `orders`.`status`) AS `source` ORDER BY `source`.`status` ASC LIMIT 1048575
SELECT `orders`.`id` AS `id` FROM `orders` WHERE (`orders`.`placed` >= CONVERT_TZ('2024-01-31 00:00:00', '+00:00', '+00:00')) AND (`orders`.`status` = 'paid') AND ((`orders`.`note` <> '') OR (`orders`.`note` IS NULL)) ORDER BY `orders`.`id` ASC LIMIT 1048575
SELECT SUM(CASE WHEN (`orders`.`amount` >= 10.0) AND (`orders`.`amount` < 100.0) THEN 1 ELSE 0.0 END) / COUNT(*) AS `share`, COUNT(DISTINCT `orders`.`person`) AS `people` FROM `orders`
SELECT LEFT(`people`.`name`, 3) AS `a`, RIGHT(`people`.`name`, 2) AS `b`, CHAR_LENGTH(`people`.`name`) AS `c`, LTRIM(RTRIM(CONCAT('  ', `people`.`name`, ' '))) AS `d` FROM `people` ORDER BY `people`.`id` ASC
SELECT DATE(DATE_ADD(`orders`.`placed`, INTERVAL ((1 - DAYOFWEEK(`orders`.`placed`))) DAY)) AS `week`, COUNT(*) AS `count` FROM `orders` GROUP BY DATE(DATE_ADD(`orders`.`placed`, INTERVAL ((1 - DAYOFWEEK(`orders`.`placed`))) DAY)) ORDER BY 1 ASC
SELECT CEIL(`orders`.`amount` / 10) AS `c`, FLOOR(`orders`.`amount`) AS `f`, ROUND(`orders`.`amount`, 1) AS `r`, ABS(-`orders`.`quantity`) AS `a`, POWER(`orders`.`quantity`, 2) AS `p`, SQRT(`orders`.`quantity`) > 2 AS `s` FROM `orders` ORDER BY `orders`.`id`
