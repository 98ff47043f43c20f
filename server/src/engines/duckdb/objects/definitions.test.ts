import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { KnownDefinitions, bothChanging, untouchedOf } from './definitions.ts'

/** Tells how often it was asked, as the name of a view. */
function counting(): DuckDBConnection {
  let asked = 0
  const read = () => Promise.resolve({ getRows: () => [['c', 's', `v${++asked}`, '']] })
  return { runAndReadAll: read } as unknown as DuckDBConnection
}

const nameOfView = async (known: KnownDefinitions, connection: DuckDBConnection, stamp = known.stamp()) =>
  (await known.in(connection, stamp).views())[0]?.name

test('a list is kept until something is defined', async () => {
  const [known, connection] = [new KnownDefinitions(), counting()]
  expect(await nameOfView(known, connection)).toBe('v1')
  expect(await nameOfView(known, connection)).toBe('v1')
  known.changes()
  known.changed()
  expect(await nameOfView(known, connection)).toBe('v2')
  expect(await nameOfView(known, connection)).toBe('v2')
})

test('nothing is kept, nor taken from what is kept, while something is being defined', async () => {
  const [known, connection] = [new KnownDefinitions(), counting()]
  await nameOfView(known, connection)
  known.changes()
  expect(await nameOfView(known, connection)).toBe('v2')
  expect(await nameOfView(known, connection)).toBe('v3')
  known.changed()
  expect(await nameOfView(known, connection)).toBe('v4')
  expect(await nameOfView(known, connection)).toBe('v4')
})

test('a transaction that began before something was defined reads for itself alone', async () => {
  const [known, connection] = [new KnownDefinitions(), counting()]
  const before = known.stamp()
  known.changes()
  const during = known.stamp()
  known.changed()
  expect(await nameOfView(known, connection, before)).toBe('v1')
  expect(await nameOfView(known, connection, during)).toBe('v2')
  expect(await nameOfView(known, connection)).toBe('v3')
  expect(await nameOfView(known, connection, before)).toBe('v4')
  expect(await nameOfView(known, connection)).toBe('v3')
})

test('a transaction that may have defined something itself reads every time', async () => {
  const [known, connection] = [new KnownDefinitions(), counting()]
  const name = async () => (await known.in(connection, null).views())[0]?.name
  expect([await name(), await name()]).toEqual(['v1', 'v2'])
})

test('views and macros are kept while tables come and go', async () => {
  const [known, connection] = [new KnownDefinitions(), counting()]
  expect(await nameOfView(known, connection)).toBe('v1')
  known.changes('tables')
  expect(await nameOfView(known, connection)).toBe('v1')
  known.changed('tables')
  expect(await nameOfView(known, connection)).toBe('v1')
  const before = known.stamp()
  known.changes()
  known.changed()
  expect(await nameOfView(known, connection)).toBe('v2')
  expect(known.versionSeen(before)).toBe(null)
})

test('which objects a text uses is asked again after a table was made', () => {
  const known = new KnownDefinitions()
  const before = known.stamp()
  expect(known.versionSeen(before)).not.toBe(null)
  known.changes('tables')
  known.changed('tables')
  expect(known.versionSeen(before)).toBe(null)
})

const nameOfMacro = async (known: KnownDefinitions, connection: DuckDBConnection, stamp = known.stamp()) =>
  (await known.in(connection, stamp).macros())[0]?.name

test('macros, which take long to list, are kept while views come and go', async () => {
  const [known, connection] = [new KnownDefinitions(), counting()]
  expect(await nameOfMacro(known, connection)).toBe('v1')
  known.changes('views')
  expect(await nameOfMacro(known, connection)).toBe('v1')
  expect(await nameOfView(known, connection)).toBe('v2')
  known.changed('views')
  expect(await nameOfMacro(known, connection)).toBe('v1')
  expect(await nameOfView(known, connection)).toBe('v3')
  known.changes('all')
  known.changed('all')
  expect(await nameOfMacro(known, connection)).toBe('v4')
})

test('a transaction reads for itself what it may have changed itself, and nothing else', async () => {
  const [known, connection] = [new KnownDefinitions(), counting()]
  const stamp = known.stamp()
  expect(await nameOfMacro(known, connection, stamp)).toBe('v1')
  expect(await nameOfView(known, connection, stamp)).toBe('v2')
  known.changes('views')
  const seen = known.in(connection, untouchedOf(stamp, 'views'))
  expect((await seen.macros())[0]?.name).toBe('v1')
  expect((await seen.views())[0]?.name).toBe('v3')
  expect((await seen.views())[0]?.name).toBe('v4')
  known.changed('views')
  expect(untouchedOf(stamp, 'all')).toBe(null)
  expect(untouchedOf(null, 'tables')).toBe(null)
  expect(Object.keys(untouchedOf(stamp, 'tables') ?? {})).toEqual(['views', 'macros'])
})

test('a transaction changes all that its statements change', () => {
  expect(bothChanging(null, 'tables')).toBe('tables')
  expect(bothChanging('views', 'tables')).toBe('views')
  expect(bothChanging('tables', 'views')).toBe('views')
  expect(bothChanging('views', 'all')).toBe('all')
  expect(bothChanging('all', 'tables')).toBe('all')
})
