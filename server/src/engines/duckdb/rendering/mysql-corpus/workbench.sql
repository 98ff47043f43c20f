# As DBeaver, DataGrip and Workbench write what people do in their grids.
SELECT t.* FROM people t LIMIT 501
SELECT x.id, x.name FROM people x WHERE x.city = 'London' ORDER BY x.name DESC LIMIT 0, 200
SELECT COUNT(*) FROM (SELECT * FROM orders o WHERE o.status IN ('paid', 'open')) dbvrcnt
UPDATE people SET city='Cambridge', active=0 WHERE id=3
INSERT INTO people (id, name, city, born, height, active, joined, tags, profile) VALUES(6, 'Katherine', 'Hampton', '1918-08-26', 160.00, 1, '2024-01-01 00:00:00', NULL, NULL)
SELECT name, city FROM people WHERE id IN (3, 6) ORDER BY id
DELETE FROM people WHERE id=6
SELECT status, GROUP_CONCAT(id ORDER BY 1 DESC SEPARATOR '/') ids FROM orders GROUP BY status ORDER BY status
SELECT 'x' || 'y', '2x' || 0, NOT 'a', 'y' OR 'n'
UPDATE people p JOIN orders o ON o.person = p.id SET p.tags = CONCAT(IFNULL(p.tags, ''), '!') WHERE o.amount > 1000
SELECT id, tags FROM people ORDER BY id
UPDATE orders SET note = 'last' ORDER BY id DESC LIMIT 2
SELECT id, note FROM orders WHERE note = 'last' ORDER BY id
DELETE o FROM orders o LEFT JOIN people p ON p.id = o.person WHERE p.id IS NULL
DELETE FROM orders ORDER BY amount LIMIT 1
SELECT id FROM orders ORDER BY id
CREATE TABLE people_copy AS SELECT * FROM people WHERE 1 = 0
INSERT INTO people_copy SELECT * FROM people
SELECT COUNT(*) n, MAX(id) m FROM people_copy
ALTER TABLE people_copy ADD COLUMN nick VARCHAR(20) DEFAULT 'none' AFTER name
SELECT id, nick FROM people_copy ORDER BY id LIMIT 1
ALTER TABLE people_copy MODIFY COLUMN nick VARCHAR(40)
ALTER TABLE people_copy RENAME COLUMN nick TO alias
DELETE FROM people_copy USING people_copy INNER JOIN people ON people.id = people_copy.id WHERE people.city = 'London'
SELECT id, alias FROM people_copy ORDER BY id
DROP TABLE people_copy
SELECT DATE_FORMAT(placed, '%D of %M %Y') d, DATE_FORMAT(placed, 'w%u') u, DATE_FORMAT(placed, '%X/%V') x, DATE_FORMAT(placed, '%V') v, DATE_FORMAT(placed, '%D %u') both_codes FROM orders ORDER BY id
SELECT WEEK(placed) w, WEEK(placed, 0) w0, WEEK(placed, 1) w1, WEEK(placed, 2) w2, WEEK(placed, 3) w3, WEEK(placed, 4) w4, WEEK(placed, 5) w5, WEEK(placed, 6) w6, WEEK(placed, 7) w7, WEEKOFYEAR(placed) wy FROM orders ORDER BY id
SELECT WEEK(DATE_ADD(DATE_ADD(placed, INTERVAL WEEK(placed) DAY), INTERVAL WEEK(placed, 3) DAY)) nested, WEEK('2023-01-01'), WEEK('2024-12-31', 3), WEEK(NULL) FROM orders ORDER BY id
