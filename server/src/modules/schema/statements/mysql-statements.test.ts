import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { startApp, type TestApp, type TestUser } from '../../../testing/start-app.ts'

/** Rows of one statement, or why it has none, for a client of MySQL. */
async function client(app: TestApp, user: TestUser) {
  const connection = await openProgram(app, user)
  await connection.run(`SET sql_dialect = 'mysql'`)
  return async (sql: string) => {
    const [answer] = await connection.run(sql)
    if (answer?.code !== 'Ok') return answer?.message ?? ''
    const { columns = [], rows = [] } = answer.result ?? {}
    return { columns: columns.map(({ name }) => name), rows }
  }
}

const rowsOf = (answer: Awaited<ReturnType<Awaited<ReturnType<typeof client>>>>) =>
  typeof answer === 'string' ? answer : answer.rows

async function harbour() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const ask = await client(app, admin)
  for (const sql of [
    'CREATE DATABASE harbour',
    'USE harbour',
    `CREATE TABLE boats (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL DEFAULT 'no''ne', weight DECIMAL(10,2),
      built TIMESTAMP, is_open BOOLEAN DEFAULT true, tags VARCHAR[], serial UBIGINT UNIQUE)`,
    'CREATE TABLE trips (no INTEGER, boat INTEGER REFERENCES boats (id), PRIMARY KEY (no, boat))',
    'CREATE INDEX heavy ON boats (weight)',
    'CREATE VIEW fleet AS SELECT id, name FROM boats',
    `COMMENT ON TABLE boats IS 'It''s ours'`,
    `COMMENT ON COLUMN boats.name IS 'as painted'`,
  ])
    expect([sql, rowsOf(await ask(sql))]).toEqual([sql, []])
  return { app, admin, ask }
}

test('who may not see a table is shown nothing of it, nor of a table that a key refers to', async () => {
  const { app, ask } = await harbour()
  const grace = await app.user()
  const asGrace = await client(app, grace)
  for (const sql of [
    'SHOW INDEX FROM harbour.boats',
    'SHOW CREATE TABLE harbour.boats',
    'DESC harbour.boats',
  ])
    expect(await asGrace(sql)).toMatch(/^There is no table boats/)
  expect(rowsOf(await asGrace('SHOW TABLE STATUS FROM harbour'))).toEqual([])
  await ask(`GRANT SELECT ON TABLE harbour.trips TO USER ${grace.name}`)
  expect(rowsOf(await asGrace('SHOW FULL TABLES FROM harbour'))).toEqual([['trips', 'BASE TABLE']])
  const status = rowsOf(await asGrace('SHOW TABLE STATUS FROM harbour')) as string[][]
  expect(status.map(([name]) => name)).toEqual(['trips'])
  const [row] = rowsOf(await asGrace('SHOW CREATE TABLE harbour.trips')) as string[][]
  expect(row?.[1]).not.toContain('boats')
  expect(row?.[1]).toContain('PRIMARY KEY (`no`,`boat`)')
})

test('SHOW CREATE TABLE and VIEW are as MySQL writes them', async () => {
  const { ask } = await harbour()
  expect(await ask('SHOW CREATE TABLE `boats`')).toEqual({
    columns: ['Table', 'Create Table'],
    rows: [
      [
        'boats',
        [
          'CREATE TABLE `boats` (',
          '  `id` int NOT NULL,',
          "  `name` varchar(65535) COLLATE utf8mb4_bin NOT NULL DEFAULT 'no''ne' COMMENT 'as painted',",
          '  `weight` decimal(10,2) DEFAULT NULL,',
          '  `built` datetime(6) DEFAULT NULL,',
          "  `is_open` tinyint(1) DEFAULT '1',",
          '  `tags` json DEFAULT NULL,',
          '  `serial` bigint unsigned DEFAULT NULL,',
          '  PRIMARY KEY (`id`),',
          '  UNIQUE KEY `boats_serial_key` (`serial`),',
          '  KEY `heavy` (`weight`)',
          ") DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='It''s ours'",
        ].join('\n'),
      ],
    ],
  })
  const [trips] = rowsOf(await ask('SHOW CREATE TABLE `harbour`.`trips`')) as string[][]
  expect(trips?.[1]).toContain('FOREIGN KEY (`boat`) REFERENCES `boats` (`id`)')
  const view = await ask('SHOW CREATE TABLE fleet')
  expect(view).toMatchObject({
    columns: ['View', 'Create View', 'character_set_client', 'collation_connection'],
  })
  const [[, text]] = rowsOf(view) as [[string, string]]
  expect(text).toMatch(/^CREATE ALGORITHM=UNDEFINED SQL SECURITY DEFINER VIEW `fleet` AS SELECT/)
  const [[, database]] = rowsOf(await ask('SHOW CREATE DATABASE harbour')) as [[string, string]]
  expect(database).toMatch(/^CREATE DATABASE `harbour` /)
})

test('columns and keys are listed as MySQL lists them, under any way to write the place', async () => {
  const { ask } = await harbour()
  const described = ['name', 'varchar(65535)', 'NO', '', "no'ne", '']
  for (const sql of [
    "DESCRIBE boats 'na%'",
    'DESC harbour.boats name',
    'EXPLAIN boats name',
    "SHOW COLUMNS FROM `boats` FROM `harbour` LIKE 'name'",
    "SHOW FIELDS FROM boats IN `default_catalog.harbour` WHERE Field = 'NAME'",
  ])
    expect([sql, await ask(sql)]).toEqual([
      sql,
      { columns: ['Field', 'Type', 'Null', 'Key', 'Default', 'Extra'], rows: [described] },
    ])
  expect(rowsOf(await ask("SHOW FULL COLUMNS FROM boats WHERE Field = 'name'"))).toEqual([
    ['name', 'varchar(65535)', 'utf8mb4_bin', 'NO', '', "no'ne", '', 'select', 'as painted'],
  ])
  const keys = rowsOf(await ask('SHOW KEYS FROM `harbour`.`boats`')) as string[][]
  expect(keys.map(([table, isOpen, name, place, column]) => [table, isOpen, name, place, column])).toEqual([
    ['boats', '0', 'PRIMARY', '1', 'id'],
    ['boats', '0', 'boats_serial_key', '1', 'serial'],
    ['boats', '1', 'heavy', '1', 'weight'],
  ])
  expect(rowsOf(await ask("SHOW INDEX FROM boats WHERE Key_name = 'PRIMARY'"))).toHaveLength(1)
})

test('tables are listed with their types, and by patterns with escaped letters', async () => {
  const { ask } = await harbour()
  const all = [
    ['boats', 'BASE TABLE'],
    ['fleet', 'VIEW'],
    ['trips', 'BASE TABLE'],
  ]
  expect(await ask('SHOW FULL TABLES')).toEqual({ columns: ['Tables_in_harbour', 'Table_type'], rows: all })
  expect(rowsOf(await ask("SHOW /*!50002 FULL*/ TABLES FROM `harbour` LIKE '%'"))).toEqual(all)
  expect(rowsOf(await ask("SHOW FULL TABLES WHERE Table_type != 'VIEW'"))).toHaveLength(2)
  expect(rowsOf(await ask("SHOW TABLES LIKE 'b_ats'"))).toEqual([['boats']])
  expect(rowsOf(await ask(String.raw`SHOW TABLES LIKE 'b\_ats'`))).toEqual([])
  const status = rowsOf(await ask("SHOW TABLE STATUS LIKE 'boats'")) as string[][]
  expect(status[0]?.[0]).toBe('boats')
  expect(status[0]?.at(-1)).toBe("It's ours")
})

test('what is not there is an empty list with the columns of MySQL', async () => {
  const { ask } = await harbour()
  await ask('CREATE MACRO twice(x) AS 2 * x')
  for (const [sql, first, rows] of [
    ['SHOW ENGINES', 'Engine', 1],
    ['SHOW STORAGE ENGINES', 'Engine', 1],
    ['SHOW PLUGINS', 'Name', 1],
    ["SHOW SESSION STATUS LIKE 'Ssl_cipher'", 'Variable_name', 0],
    ['SHOW TRIGGERS FROM `harbour`', 'Trigger', 0],
    ['SHOW EVENTS', 'Db', 0],
    ["SHOW PROCEDURE STATUS WHERE Db = 'harbour'", 'Db', 0],
    ["SHOW FUNCTION STATUS WHERE Db = 'harbour'", 'Db', 1],
    ['SHOW OPEN TABLES', 'Database', 0],
    ['SHOW MASTER STATUS', 'File', 0],
    ['SHOW REPLICA STATUS', 'File', 0],
    ['SHOW COUNT(*) WARNINGS', '@@session.warning_count', 1],
  ] as const) {
    const answer = await ask(sql)
    expect([sql, typeof answer === 'string' ? answer : [answer.columns[0], answer.rows.length]]).toEqual([
      sql,
      [first, rows],
    ])
  }
  expect(rowsOf(await ask('SHOW PRIVILEGES'))).not.toEqual([])
})
