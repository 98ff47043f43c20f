import type { RowDataPacket } from 'mysql2/promise'
import { expect, test } from 'vitest'
import { mysqlClient, WITH_MYSQL } from '../../testing/mysql-kit.ts'
import { sharedApp } from '../../testing/start-app.ts'

const startedApp = sharedApp(WITH_MYSQL, { engine: 'embedded' })

/** `mysql2` sends every number of a prepared statement as a floating-point number. */
async function started() {
  const client = await mysqlClient(await startedApp())
  const execute = async (sql: string, ...values: (string | number)[]): Promise<unknown[][]> => {
    const [rows] = await client.execute<RowDataPacket[]>({ sql, rowsAsArray: true, values })
    return Array.isArray(rows) ? rows.map((row) => [...row.values()]) : []
  }
  return { client, execute }
}

test('a whole number of a driver is a whole number to texts and functions, and keeps its digits in a division', async () => {
  const { execute } = await started()
  await execute('CREATE TABLE numbers (s VARCHAR(40), f DOUBLE, n INT)')
  await execute('INSERT INTO numbers VALUES (?, ?, ?)', 5, 5, 5)
  await execute('INSERT INTO numbers SET s = ?, f = ?, n = ?', -6, 2.5, 6)
  expect(await execute('SELECT * FROM numbers ORDER BY n')).toEqual([
    ['5', 5, 5],
    ['-6', 2.5, 6],
  ])
  expect(await execute('SELECT n FROM numbers WHERE s = ? AND n IN (?, ?) LIMIT ?', '5', 5, 6, 1)).toEqual([
    [5],
  ])
  expect(
    await execute(
      `SELECT CONCAT('id-', ?), CAST(? AS CHAR), HEX(?), BIN(?), CONV(?, 10, 16), ROUND(1.2345, ?), REPEAT('a', ?),
        ELT(?, 'a', 'b'), WEEK('2024-01-31', ?), LOCATE('a', 'bca', ?), CHAR(?), ? & 3`,
      7,
      5,
      255,
      5,
      255,
      2,
      3,
      2,
      1,
      1,
      65,
      5,
    ),
  ).toEqual([['id-7', '5', 'FF', '101', 'FF', '1.23', 'aaa', 'b', 5, 3, 'A', 1]])
  expect(
    await execute(
      'SELECT ? / 2, ? / 3, 10 / ?, ? + 1, ? * 1.5, -?, ? + 0, CONCAT(?)',
      5,
      10,
      4,
      5,
      5,
      5,
      '5',
      1.5,
    ),
  ).toEqual([[2.5, 10 / 3, 2.5, 6, 7.5, -5, 5, '1.5']])
  expect(await execute('SELECT YEAR(?), CAST(DATE(?) AS CHAR)', 20240131, '20240131')).toEqual([
    [2024, '2024-01-31'],
  ])
})

test('SHOW and SET take values of a driver', async () => {
  const { client, execute } = await started()
  await execute('CREATE TABLE shown_pz (id INT, name VARCHAR(9))')
  expect(await execute('SHOW TABLES LIKE ?', 'shown%')).toEqual([['shown_pz']])
  expect(await execute('SHOW VARIABLES LIKE ?', 'version')).toEqual([['version', '8.0.33']])
  expect(await execute('SHOW COLUMNS FROM shown_pz LIKE ?', 'na%')).toHaveLength(1)
  expect(await execute('SHOW DATABASES LIKE ?', 'mai_')).toEqual([['main']])
  await execute('SET @a = ?, @b = ?', String.raw`it's \ "x"`, 5)
  expect(await execute('SELECT @a, @b, CONCAT(@b)')).toEqual([[String.raw`it's \ "x"`, 5, '5']])
  await client.query(`SET sql_mode = 'NO_BACKSLASH_ESCAPES'`)
  await execute('SET @a = ?', String.raw`\'`)
  expect(await execute('SELECT @a')).toEqual([[String.raw`\'`]])
  await expect(execute('SHOW TABLES LIKE ? ', `x' OR 'y`)).resolves.toEqual([])
})

test('a text that is no label of an ENUM is called so', async () => {
  const { execute } = await started()
  await execute(`CREATE TABLE moods (mood ENUM('calm', 'rough'))`)
  const refused = `'wild' is not one of the labels of its column's ENUM type`
  await expect(execute('INSERT INTO moods VALUES (?)', 'wild')).rejects.toThrow(refused)
})

test('what SHOW CREATE VIEW gives can be sent again', async () => {
  const { client, execute } = await started()
  await execute('CREATE TABLE viewed (id INT, s VARCHAR(9), f DOUBLE)')
  await execute(`INSERT INTO viewed VALUES (5, 'a', 2)`)
  await client.query(
    `CREATE VIEW odd (\`half\`, \`a"b\`, c) AS SELECT id / 2, CONCAT(s, "x'y\\\\", f), s LIKE 'a\\\\%' FROM viewed`,
  )
  const shown = async () => (await execute('SHOW CREATE VIEW odd'))[0]?.[1] as string
  const [text, rows] = [await shown(), await execute('SELECT * FROM odd')]
  expect(text).toMatch(/^CREATE ALGORITHM=UNDEFINED SQL SECURITY DEFINER VIEW `odd` \(.*`a"b`.*\) AS /)
  expect(rows).toEqual([['2.5000', String.raw`ax'y\2`, 0]])
  await execute('DROP VIEW odd')
  await client.query(text)
  expect(await execute('SELECT * FROM odd')).toEqual(rows)
  expect(await shown()).toBe(text)
})
