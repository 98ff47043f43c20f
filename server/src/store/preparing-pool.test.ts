import { sql } from 'kysely'
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { openedStore } from '../testing/database.ts'
import { preparingPool } from './preparing-pool.ts'

const { db } = await openedStore()

/** Prepared statements belong to a connection, and a transaction keeps one. */
const onOneConnection = (texts: readonly string[]) =>
  db.transaction().execute(async (trx) => {
    for (const text of texts) await sql`select ${sql.lit(text)} as text, ${1}::int as one`.execute(trx)
    const { rows } = await sql<{ statement: string; runs: number }>`
      select statement, generic_plans + custom_plans as runs from pg_prepared_statements`.execute(trx)
    return rows
  })

test('a text that is sent again is planned once for each connection', async () => {
  const prepared = await onOneConnection(['oar', 'oar', 'oar', 'rudder'])
  const runsOf = (word: string) => prepared.filter((one) => one.statement.includes(`'${word}'`))
  expect(runsOf('oar')).toEqual([expect.objectContaining({ runs: 3 })])
  expect(runsOf('rudder')).toEqual([expect.objectContaining({ runs: 1 })])
})

test('texts without end do not fill the memory of the database, and still run', async () => {
  const prepared = await onOneConnection(Array.from({ length: 300 }, (_, i) => `text ${i}`))
  expect(prepared.length).toBe(200)
})

test('a full disk is reported as such, also when it keeps a connection from being made', async () => {
  const reason = Object.assign(new Error('could not write init file'), { code: '53100' })
  const pool = { connect: () => Promise.reject(reason) } as unknown as Pool
  await expect(preparingPool(pool).connect()).rejects.toMatchObject({ code: 'DiskFull', cause: reason })
})
