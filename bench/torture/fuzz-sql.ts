import { anyText, mangled, oneOf } from './fuzz-text.ts'
import type { Random } from './random.ts'

/** Statements of every kind that the service knows, and of some that it refuses. */
const STATEMENTS = [
  'SELECT 1',
  "SELECT 'it''s' AS a, \"x\" FROM (SELECT 1 AS \"x\") WHERE a LIKE '%' ESCAPE '!'",
  'SELECT n, count(*) OVER (PARTITION BY n % 3 ORDER BY n) FROM range(20) t(n) QUALIFY row_number() OVER () < 5',
  'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 10) SELECT * FROM r',
  'SELECT * FROM fuzzed f JOIN fuzzed g USING (n) ORDER BY ALL LIMIT 10 OFFSET 1',
  'SELECT CASE WHEN n > 1 THEN [n, n] ELSE NULL END, {a: n}, MAP {n: 1} FROM range(3) t(n)',
  "SELECT CAST('1e400' AS DOUBLE), DATE '2024-02-30', INTERVAL 1 MONTH, 1::HUGEINT, x'00'",
  'PIVOT (SELECT n, n % 2 AS p FROM range(9) t(n)) ON p USING sum(n)',
  'FROM range(3) SELECT * EXCLUDE (range)',
  'VALUES (1, 2), (3, 4)',
  'INSERT INTO fuzzed VALUES (1), (2)',
  'INSERT INTO fuzzed SELECT n FROM range(10) t(n) ON CONFLICT DO NOTHING RETURNING *',
  'UPDATE fuzzed SET n = n + 1 WHERE n IN (1, 2, 3)',
  'DELETE FROM fuzzed WHERE n = 1',
  'MERGE INTO fuzzed USING (SELECT 1 AS n) s ON fuzzed.n = s.n WHEN MATCHED THEN DELETE',
  'TRUNCATE fuzzed',
  "CREATE OR REPLACE TABLE other (a INTEGER PRIMARY KEY, b VARCHAR DEFAULT 'x', CHECK (a > 0))",
  'CREATE TABLE IF NOT EXISTS made AS SELECT 1 AS a',
  'CREATE VIEW seen AS SELECT * FROM fuzzed',
  'CREATE TEMP TABLE brief (a INT)',
  'CREATE INDEX i ON fuzzed (n)',
  'CREATE SEQUENCE s START 1',
  "CREATE TYPE mood AS ENUM ('a', 'b')",
  'CREATE MACRO twice(x) AS x * 2',
  'ALTER TABLE other ADD COLUMN c INT',
  'DROP TABLE IF EXISTS made CASCADE',
  'DROP VIEW seen',
  'CREATE DATABASE IF NOT EXISTS elsewhere',
  'DROP DATABASE IF EXISTS elsewhere CASCADE',
  'USE elsewhere',
  'USE default_catalog.main',
  'SET CATALOG default_catalog',
  'SET WAREHOUSE default_warehouse',
  'SET sql_select_limit = 10',
  "SET time_zone = 'Europe/Berlin'",
  'SET enable_profile = true',
  'RESET time_zone',
  "SHOW VARIABLES LIKE '%zone%'",
  'SHOW CATALOGS',
  'SHOW DATABASES FROM default_catalog',
  'SHOW TABLES',
  'SHOW WAREHOUSES',
  'DESCRIBE fuzzed',
  'EXPLAIN SELECT 1',
  'EXPLAIN ANALYZE SELECT * FROM range(5)',
  'EXPLAIN ANALYZE INSERT INTO fuzzed VALUES (9)',
  'BEGIN',
  'COMMIT',
  'ROLLBACK',
  "CREATE WAREHOUSE w1 SIZE = 'X-Small'",
  'DROP WAREHOUSE w1',
  "COPY fuzzed TO 'file.csv'",
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT * FROM '/etc/passwd'",
  "ATTACH 'x.duckdb'",
  'INSTALL httpfs',
  'PRAGMA database_list',
  'PREPARE p AS SELECT ?',
  'EXECUTE p(1)',
  'CALL pragma_version()',
  'CHECKPOINT',
  'VACUUM',
  'GRANT SELECT ON fuzzed TO nobody',
]

const KEYWORDS =
  'SELECT FROM WHERE GROUP BY ORDER LIMIT JOIN LEFT ON AS WITH RECURSIVE UNION ALL EXCEPT INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE VIEW DROP ALTER CASE WHEN THEN ELSE END AND OR NOT NULL IN BETWEEN LIKE IS TRUE DISTINCT HAVING OVER PARTITION CAST EXISTS EXPLAIN ANALYZE DESCRIBE SHOW USE PIVOT UNPIVOT QUALIFY LATERAL INTERVAL DATE STRUCT MAP BEGIN COMMIT RETURNING'
const QUOTES = `' " \` '' 'a' 'open "open $$ $tag$ E'\\' X'0g' /* */ -- --\n /*/* ; ;; ( ) (( )) [ ] { } /* /* */ */`
const VALUES =
  '1 -1 0 1e999 1_000 . .. 0x1F 99999999999999999999999999999999999999999 1::int :: -> ->> => := ? $1 @ % ~~ !~~* || ** <> != , \0 \ud800 é 数'
const NAMES =
  "fuzzed n range(10) range(1000000) default_catalog main count(*) sum(n) unnest([1,2]) random() now() md5('x') boathouse_internal information_schema.tables duckdb_settings() error('x')"

const WORDS = [KEYWORDS, QUOTES, VALUES, NAMES].flatMap((words) => words.split(' '))

const soup = (random: Random): string =>
  Array.from({ length: random.between(1, 40) }, () => random.pick(WORDS)).join(random.chance(0.8) ? ' ' : '')

const known = (random: Random): string => random.pick(STATEMENTS)

const several = (random: Random): string =>
  Array.from({ length: random.chance(0.02) ? 600 : random.between(2, 6) }, () =>
    oneOf(random, known, soup, (own) => mangled(own, known(own))),
  ).join(';')

function depth(random: Random): number {
  if (random.chance(0.7)) return random.between(1, 40)
  return random.chance(0.95) ? random.between(40, 3_000) : 60_000
}

/** Deeper than any parser likes. */
function nested(random: Random): string {
  const times = depth(random)
  const [open, middle, close] = random.pick([
    ['(', '1', ')'],
    ['[', '1', ']'],
    ['{a: ', '1', '}'],
    ['NOT ', 'true', ''],
    ['- ', '1', ''],
    ['1 + ', '1', ''],
    ['CASE WHEN true THEN ', '1', ' END'],
    ['(SELECT ', '1', ')'],
    ['abs(', '1', ')'],
    ['CAST(', '1', ' AS INT)'],
    ['/*', ' 1 ', '*/'],
    ['(', '', ''],
    ['', '1', ')'],
    ['SELECT * FROM (', 'SELECT 1', ')'],
    ['1 UNION SELECT ', '1', ''],
    ['EXPLAIN ', 'SELECT 1', ''],
  ] as const)
  return `SELECT ${open.repeat(times)}${middle}${close.repeat(times)}`
}

/** Longer than anyone writes. */
function long(random: Random): string {
  const length = random.chance(0.02) ? 900_000 : random.between(100, 20_000)
  const many = 'x'.repeat(length)
  return random.pick([
    `SELECT ${many}`,
    `SELECT 1 AS "${many}"`,
    `SELECT '${many}'`,
    `SELECT '${many}`,
    `SELECT ${'9'.repeat(length)}`,
    `SELECT 0.${'1'.repeat(length)}`,
    `SELECT ${'1,'.repeat(length / 2)}1`,
    `SELECT 1 IN (${'1,'.repeat(length / 2)}1)`,
    `SELECT ${'a.'.repeat(length / 2)}b`,
    `CREATE TABLE "${many.slice(0, 5_000)}" (a INT)`,
    `USE ${many}`,
    `SHOW TABLES LIKE '${'%'.repeat(length)}'`,
    `SELECT '${'%a'.repeat(Math.min(length, 5_000))}' LIKE '${'%a'.repeat(200)}b'`,
    `${' '.repeat(length)}SELECT 1`,
    `SELECT 1 ${'-'.repeat(length)}`,
    `-- ${many}`,
    ';'.repeat(length),
  ])
}

/** Any text as SQL, never empty. */
export function anySql(random: Random): string {
  const share = random.next()
  if (share < 0.2) return anyText(random)
  if (share < 0.5) return soup(random)
  if (share < 0.85) return mangled(random, known(random)) || ' '
  if (share < 0.95) return several(random)
  return share < 0.97 ? nested(random) : long(random)
}
