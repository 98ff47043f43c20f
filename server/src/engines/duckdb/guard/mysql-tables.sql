CREATE TABLE people (id INTEGER, name VARCHAR(40), city VARCHAR(40), born DATE, height DECIMAL(5,2));
INSERT INTO people VALUES (1,'Ada','London','1815-12-10',165.50),(2,'Grace','New York','1906-12-09',167.00),(3,'Alan','London','1912-06-23',178.25),(4,'Edsger','Rotterdam','1930-05-11',180.00),(5,'Barbara',NULL,'1939-11-07',NULL);
CREATE TABLE orders (id INTEGER, person INTEGER, amount DECIMAL(10,2), placed TIMESTAMP, note VARCHAR(60));
INSERT INTO orders VALUES (10,1,19.99,'2024-01-31 08:15:30','first, of many'),(11,1,5.00,'2024-02-29 23:59:59',NULL),(12,2,250.10,'2024-03-01 00:00:00','it''s big'),(13,3,0.01,'2024-12-31 12:00:00',''),(14,NULL,7.77,'2025-07-04 17:45:10','100% sure'),(15,2,19.99,'2025-07-04 18:00:00','a_b');
