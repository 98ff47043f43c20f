# Models, seeds and snapshots of dbt, data frames of pandas, and dumps.
CREATE TABLE `stg_orders` AS SELECT id AS order_id, person AS person_id, amount, DATE(placed) AS placed_on FROM `orders`
SELECT COUNT(*) AS n, SUM(amount) AS s FROM `stg_orders`
CREATE OR REPLACE VIEW `v_orders` AS SELECT order_id, IFNULL(person_id, -1) AS person_id, DATE_FORMAT(placed_on, '%Y-%m') AS month FROM `stg_orders`
SELECT month, COUNT(*) AS n FROM `v_orders` GROUP BY month ORDER BY month
SELECT COUNT(*) AS failures, COUNT(*) != 0 AS should_warn, COUNT(*) != 0 AS should_error FROM (SELECT order_id FROM `stg_orders` WHERE order_id IS NULL) dbt_internal_test
SELECT order_id AS unique_field, COUNT(*) AS n_records FROM `stg_orders` WHERE order_id IS NOT NULL GROUP BY order_id HAVING COUNT(*) > 1
WITH all_values AS (SELECT status AS value_field, COUNT(*) AS n_records FROM `orders` GROUP BY status) SELECT * FROM all_values WHERE value_field NOT IN ('paid', 'open')
DROP VIEW IF EXISTS `v_orders`
DROP TABLE IF EXISTS `stg_orders`
CREATE TABLE `seed` (`id` INT(11) NOT NULL AUTO_INCREMENT, `code` VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '', `price` DECIMAL(10,2) UNSIGNED DEFAULT NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='seed'
CREATE TABLE `stock` (`id` INT(11) NOT NULL, `sku` VARCHAR(20) NOT NULL DEFAULT '' COMMENT 'the code', `label` MEDIUMTEXT DEFAULT NULL, `count` BIGINT(20) UNSIGNED NOT NULL DEFAULT 0, `price` DECIMAL(10,2) DEFAULT NULL, `is_new` TINYINT(1) NOT NULL DEFAULT 1, `made` DATETIME(6) DEFAULT NULL, `changed` TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, `kind` ENUM('a','b') DEFAULT 'a', `raw` LONGBLOB, PRIMARY KEY (`id`), UNIQUE KEY `by_sku` (`sku`) USING BTREE, KEY `by_price` (`price`), FULLTEXT KEY `words` (`label`)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 ROW_FORMAT=DYNAMIC
INSERT INTO `stock` (`id`, `sku`, `label`, `count`, `price`, `made`) VALUES (1,'A-1','it\'s new',5,9.99,'2024-01-31 10:00:00'),(2,'B-2','line\nbreak',0,NULL,NULL)
INSERT INTO stock SET id = 3, sku = 'C-3', label = 'set', price = 1.50
INSERT INTO stock (id, sku) VALUES (4, 'D-4')
SELECT id, sku, label, `count`, price, is_new, kind FROM stock ORDER BY id
UPDATE stock SET price = price * 2, label = CONCAT(label, '!') WHERE id IN (1, 3)
SELECT id, price, label FROM stock ORDER BY id
DELETE FROM stock WHERE id = 4
SELECT COUNT(*) AS c, COUNT(price) AS p, MAX(LENGTH(label)) AS l FROM stock
CREATE TABLE upserts (id INT NOT NULL PRIMARY KEY, hits INT NOT NULL, note TEXT)
INSERT INTO upserts VALUES (1, 1, 'a'), (2, 1, 'b')
INSERT INTO upserts (id, hits, note) VALUES (1, 5, 'c') ON DUPLICATE KEY UPDATE hits = VALUES(hits), note = 'changed'
INSERT INTO upserts (id, hits, note) VALUES (2, 1, 'z') ON DUPLICATE KEY UPDATE hits = hits + 10
INSERT IGNORE INTO upserts VALUES (1, 100, 'ignored'), (3, 3, 'new')
REPLACE INTO upserts VALUES (3, 33, 'replaced')
SELECT * FROM upserts ORDER BY id
TRUNCATE TABLE upserts
SELECT COUNT(*) FROM upserts
DROP TABLE upserts
CREATE TABLE IF NOT EXISTS frame (`index` BIGINT, `when` DATETIME, `text` TEXT, `value` DOUBLE, `flag` BOOL)
INSERT INTO frame (`index`, `when`, `text`, `value`, `flag`) VALUES (0, '2024-01-01 00:00:00', 'x', 1.5, 1), (1, NULL, NULL, NULL, 0)
SELECT `index`, `when`, `text`, `value`, `flag` FROM frame ORDER BY `index`
CREATE INDEX ix_frame_index ON frame (`index`)
DROP TABLE frame
CREATE TABLE snap AS SELECT id, status, MD5(CONCAT(COALESCE(CAST(id AS CHAR), ''), '|', COALESCE(CAST(status AS CHAR), ''))) AS dbt_scd_id, CAST('2024-01-01' AS DATETIME) AS dbt_valid_from, CAST(NULL AS DATETIME) AS dbt_valid_to FROM orders
SELECT id, dbt_scd_id, dbt_valid_from, dbt_valid_to FROM snap ORDER BY id
UPDATE snap SET dbt_valid_to = DATE_ADD(dbt_valid_from, INTERVAL 1 DAY) WHERE status = 'void'
SELECT id, dbt_valid_to FROM snap WHERE dbt_valid_to IS NOT NULL
DROP TABLE snap
