import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { startApp } from '../../../testing/start-app.ts'

test('comments in MySQL’s statements are kept, and those of a table that is there already stay', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const connection = await openProgram(app, await app.admin())
  await connection.run(`SET sql_dialect = 'mysql'`)
  const ask = async (sql: string): Promise<readonly (readonly string[])[]> => {
    const [answer] = await connection.run(sql)
    expect([sql, answer?.message ?? '', answer?.code]).toEqual([sql, '', 'Ok'])
    return (answer?.result?.rows ?? []).map((row) => row.map(String))
  }
  const comments = async (table: string) => {
    const columns = await ask(
      `SELECT column_name, column_comment FROM information_schema.columns WHERE table_name = '${table}' ORDER BY ordinal_position`,
    )
    const [ofTable] = await ask(
      `SELECT table_comment FROM information_schema.tables WHERE table_name = '${table}'`,
    )
    return { ...Object.fromEntries(columns), table: ofTable?.[0] }
  }
  await ask('CREATE DATABASE harbour')
  await ask('USE harbour')
  await ask(
    `CREATE TABLE boats (id INT NOT NULL COMMENT 'its number', \`the name\` VARCHAR(20) DEFAULT 'x' COMMENT "it's \\'quoted\\'",
      built DATE, PRIMARY KEY (id) COMMENT 'of the key') ENGINE=InnoDB COMMENT='all; boats'`,
  )
  const boats = { id: 'its number', 'the name': `it's 'quoted'`, built: '', table: 'all; boats' }
  expect(await comments('boats')).toEqual(boats)
  expect(await ask('SHOW CREATE TABLE boats')).toMatchObject([
    ['boats', expect.stringContaining("`id` int NOT NULL COMMENT 'its number'")],
  ])
  await ask(`CREATE TABLE IF NOT EXISTS boats (id INT COMMENT 'another') COMMENT 'another'`)
  expect(await ask('SHOW WARNINGS')).toHaveLength(1)
  expect(await comments('boats')).toEqual(boats)

  await ask(`ALTER TABLE boats ADD COLUMN length INT COMMENT 'in metres'`)
  await ask(`ALTER TABLE boats MODIFY built DATETIME COMMENT 'when'`)
  await ask(`ALTER TABLE harbour.boats COMMENT = 'of the harbour'`)
  expect(await comments('boats')).toEqual({
    ...boats,
    built: 'when',
    length: 'in metres',
    table: 'of the harbour',
  })
  await ask(`CREATE TABLE copy COMMENT 'a copy' AS SELECT id FROM boats`)
  expect(await comments('copy')).toEqual({ id: '', table: 'a copy' })
  await ask(`CREATE TEMPORARY TABLE passing (id INT COMMENT 'unseen')`)
  expect(await ask('SHOW WARNINGS')).toHaveLength(1)
})
