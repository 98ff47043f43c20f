import { expect, test } from 'vitest'
import { complete } from './completion.ts'
import type { Names } from './names.ts'
import { readShellCommand } from './shell-command.ts'

const LISTS: Readonly<Record<string, readonly string[]>> = {
  'columns orders': ['customer', 'Created At', 'total'],
  'tables sample': ['orders', 'order_lines'],
  'tables main': ['voyages'],
}
const names: Names = {
  catalogs: async () => ['default_catalog', 'lake'],
  databases: async (catalog?: string) => (catalog === 'lake' ? ['raw'] : ['main', 'sample']),
  tables: async (database?: string) => [...(LISTS[`tables ${database ?? 'main'}`] ?? [])],
  columns: async (table) => [...(LISTS[`columns ${table}`] ?? [])],
  forget: () => undefined,
}
const found = async (line: string, before = '') => (await complete(names, line, before))[0]

test('keywords keep the case of their beginning, and names follow', async () => {
  expect(await found('sel')).toEqual(['select'])
  expect(await found('SEL')).toEqual(['SELECT'])
  expect(await found('select * from voy')).toEqual(['voyages'])
})

test('behind a point are tables of a database, databases of a catalog and columns of a table', async () => {
  expect(await found('select * from sample.')).toEqual(['order_lines', 'orders'])
  expect(await found('select * from lake.r')).toEqual(['raw'])
  expect(await found('select o.to', 'from sample.orders o')).toEqual(['total'])
})

test('columns of tables in the statement are offered, quoted where they must be', async () => {
  expect(await found('select * from sample.orders where c')).toContain('customer')
  expect(await found('select "Cre', 'from sample.orders')).toEqual(['"Created At"'])
})

test('a line that is no SQL is a command, and an unknown one says so', () => {
  expect(readShellCommand('\\d sample.orders')).toEqual({ kind: 'run', sql: 'DESCRIBE sample.orders' })
  expect(readShellCommand(' EXIT; ')).toEqual({ kind: 'leave' })
  expect(readShellCommand('\\limit all')).toEqual({
    kind: 'run',
    sql: 'SET sql_select_limit = 18446744073709551615',
  })
  expect(readShellCommand('\\limit some')).toMatchObject({ kind: 'unknown' })
  expect(readShellCommand('\\nothing')).toMatchObject({ kind: 'unknown' })
  expect(readShellCommand('select 1;')).toBeNull()
})
