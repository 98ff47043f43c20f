import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../store/store.ts'
import { leaseStore } from './leased-store.ts'
import { remember, remembered } from './store-kit.ts'

async function lease(): Promise<Store> {
  const store = await leaseStore()
  onTestFinished(() => store.close())
  return store
}

async function databaseOf({ pool }: Store): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  return rows[0]?.name
}

test('the next lease has the same database, without rows and with all sequences reset', async () => {
  const first = await lease()
  await remember(first, 'mine')
  await first.pool.query(`select setval(format('boathouse.%I', sequencename), 7) from pg_sequences
    where schemaname = 'boathouse'`)
  const database = await databaseOf(first)
  await first.close()
  const next = await lease()
  expect(await databaseOf(next)).toBe(database)
  expect(await remembered(next)).toEqual([])
  const { rows } = await next.pool.query(
    `select sequencename from pg_sequences where schemaname = 'boathouse' and last_value is not null`,
  )
  expect(rows).toEqual([])
})

test('two at the same time have a database each', async () => {
  const [one, other] = await Promise.all([lease(), lease()])
  expect(await databaseOf(one)).not.toBe(await databaseOf(other))
})

test('a database whose tables were changed is nobody else’s', async () => {
  const first = await lease()
  await first.pool.query('alter table instance_facts add column colour text')
  const database = await databaseOf(first)
  await first.close()
  expect(await databaseOf(await lease())).not.toBe(database)
})

test('what comes after the end is refused, also when somebody else has the database by then', async () => {
  const first = await lease()
  await first.close()
  const next = await lease()
  await expect(remember(first, 'late')).rejects.toThrow('This store is closed.')
  expect(() => first.pool.query('select 1')).toThrow('This store is closed.')
  expect(await remembered(next)).toEqual([])
})
