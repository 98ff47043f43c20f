import { expect, test } from 'vitest'
import { askInTheirWords } from './ask-ours.ts'

/** The rows of each statement, or why it failed. */
const answersTo = (statements: readonly string[]) =>
  askInTheirWords(async (run) => {
    const answers: unknown[] = []
    for (const sql of statements) {
      const outcome = await run(sql)
      answers.push(outcome.state === 'finished' ? outcome.result.rows : outcome)
    }
    return answers
  })

/** What the corpus does not compare: more than 12 digits, types that MariaDB has not, offsets of time zones. */
test('values are MySQL’s to the last digit, also of types that only this engine has', async () => {
  const expected: readonly (readonly [sql: string, rows: unknown])[] = [
    [
      'CREATE TABLE sums (id INT, price DECIMAL(18,2), big BIGINT, isPaid BOOLEAN, zoned TIMESTAMPTZ, f DOUBLE)',
      [],
    ],
    [
      `INSERT INTO sums VALUES (1, 123456789012.34, 9007199254740993, TRUE, '2024-07-01 10:00:00', 0.1),
        (2, 123456789012.35, 9007199254740993, FALSE, '2024-07-01 10:00:00', 0.2)`,
      [],
    ],
    [
      'SELECT AVG(price), AVG(big), AVG(isPaid) FROM sums',
      [['123456789012.345000', '9007199254740993.0000', '0.5000']],
    ],
    [
      'SELECT SUM(big) / 4, SUM(big) / COUNT(*) FROM sums GROUP BY big',
      [['4503599627370496.5000', '9007199254740993.0000']],
    ],
    ['SELECT CAST(1234567890123456.78 AS DECIMAL(20,2)) / 2 AS x', [['617283945061728.390000']]],
    [
      'SELECT MAX(price) / 3 * 2 FROM sums GROUP BY id ORDER BY id',
      [['82304526008.226667'], ['82304526008.233333']],
    ],
    ['SELECT -1234567890123459 / 20000 AS x', [['-61728394506.1730']]],
    [
      'SELECT big DIV 1, -7 DIV 2, 7.5 DIV 2.5, -7.5 DIV 2, 1 DIV 0 FROM sums WHERE id = 1',
      [['9007199254740993', '-3', '3', '-3', null]],
    ],
    ['SELECT 10 / 3e0 AS x, 10e0 / 3 AS y', [['3.3333333333333335', '3.3333333333333335']]],
    ['SELECT f / 3 FROM sums ORDER BY id', [[String(0.1 / 3)], [String(0.2 / 3)]]],
    [
      `SELECT CAST(0.00000000000049382716 AS DECIMAL(38,20)) / CAST(0.00000000000012345679 AS DECIMAL(38,20)) AS x`,
      [['4.000000000000000000000000']],
    ],
    // Too wide to be divided exactly: as near as a floating-point number is.
    ['SELECT CAST(1e30 AS DECIMAL(38,2)) / 3.33 > 3e29 AS x', [['true']]],
    [
      `SELECT CONCAT(isPaid), CAST(isPaid AS CHAR), isPaid + 0, isPaid LIKE '1%', UPPER(isPaid) FROM sums ORDER BY id`,
      [
        ['1', '1', '1', 'true', '1'],
        ['0', '0', '0', 'false', '0'],
      ],
    ],
    [
      'SELECT GROUP_CONCAT(isPaid ORDER BY id), GROUP_CONCAT(DISTINCT isPaid ORDER BY isPaid) FROM sums',
      [['1,0', '0,1']],
    ],
    [
      `SELECT CAST(zoned AS CHAR), CONCAT(zoned, '!') FROM sums WHERE id = 1`,
      [['2024-07-01 10:00:00', '2024-07-01 10:00:00!']],
    ],
    [
      `SELECT CONCAT(1e20, ' ', 1.5e-7, ' ', 123456789012345680e0) AS x`,
      [['1e20 1.5e-7 1.2345678901234568e17']],
    ],
    [
      `SELECT CAST('2024-01-31 10:00:00+02:00' AS DATETIME) AS x, DATE('2024-01-31 01:00:00+02:00') AS y`,
      [['2024-01-31 08:00:00', '2024-01-30']],
    ],
    [
      `SELECT x'41' + 0 AS x, ~0 AS y, CAST(-1 AS UNSIGNED) AS z`,
      [['65', '18446744073709551615', '18446744073709551615']],
    ],
    [
      'SELECT (SELECT MAX(CONCAT(o.f, i.id)) FROM sums i WHERE i.id = o.id) AS x FROM sums o WHERE o.id = 1',
      [['0.11']],
    ],
  ]
  const answers = await answersTo(expected.map(([sql]) => sql))
  expect(expected.map(([sql], at) => [sql, answers[at]])).toEqual(expected)
})

test('texts in texts and quotients of quotients, as deep as people write them, are bound in a moment', async () => {
  const nested = (count: number, around: (inner: string, depth: number) => string) =>
    Array.from({ length: count }, (_, depth) => depth).reduce(around, 'name')
  const text = nested(
    12,
    (inner, depth) => `CONCAT(IF(id = ${depth}, ${inner}, 'x'), UPPER(CONCAT(id, '${depth}')))`,
  )
  const cleaned = nested(8, (inner) => `REPLACE(TRIM(${inner}), 'a', CONCAT('b', id))`)
  const answers = await answersTo([
    `SELECT ${text} AS x FROM people WHERE id = 1`,
    `SELECT LENGTH(${cleaned}) > 0 AS x FROM people WHERE id = 1`,
    'SELECT 4096 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 > 15 AS x',
    `SELECT TIMESTAMPDIFF(MONTH, DATE_ADD(DATE_ADD(born, INTERVAL 1 DAY), INTERVAL 1 DAY), LAST_DAY(joined)) > 0 AS x
      FROM people WHERE id = 1`,
  ])
  expect(answers).toEqual([[['x111']], [['true']], [['true']], [['true']]])
})
