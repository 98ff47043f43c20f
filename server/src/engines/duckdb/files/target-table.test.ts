import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { targetColumns } from './target-table.ts'

async function opened() {
  const instance = await DuckDBInstance.create(':memory:', { errors_as_json: 'true' })
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return connection
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

test('the columns of a table are those of its definition, whatever its name is made of', async () => {
  const connection = await opened()
  await connection.run(`CREATE SCHEMA "s.""1"`)
  await connection.run(
    `CREATE TABLE "s.""1"."t.""a" (id BIGINT PRIMARY KEY, "n "" m" DECIMAL(18,2) NOT NULL, tags VARCHAR[], since DATE DEFAULT current_date)`,
  )
  const table = { catalog: 'memory', database: 's."1', name: 't."a' }
  expect(await targetColumns(connection, { table })).toEqual([
    { name: 'id', type: 'BIGINT', isNullable: false },
    { name: 'n " m', type: 'DECIMAL(18,2)', isNullable: false },
    { name: 'tags', type: 'VARCHAR[]', isNullable: true },
    { name: 'since', type: 'DATE', isNullable: true },
  ])
  for (const gone of [
    { ...table, name: 'gone' },
    { ...table, database: 'gone' },
  ])
    await expect(targetColumns(connection, { table: gone })).rejects.toThrow(/^There is no table .+\.$/)
})

test('one table is asked for, and no list of all is made', async () => {
  const connection = await opened()
  for (let at = 0; at < 2_000; at++) await connection.run(`CREATE TABLE t${at} (a INT, b INT, c INT)`)
  const table = { catalog: 'memory', database: 'main', name: 't7' }
  const list = `SELECT count(*) FROM duckdb_columns() WHERE table_name = 't7'`
  const [one, all]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < 5; turn++) {
    one.push(await cpuOf(() => targetColumns(connection, { table })))
    all.push(await cpuOf(() => connection.run(list)))
  }
  expect(Math.min(...one)).toBeLessThan(Math.min(...all) / 2)
})
