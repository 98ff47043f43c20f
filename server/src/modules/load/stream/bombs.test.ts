import * as zlib from 'node:zlib'
import { CODES, load } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { bzip2Bomb, EMPTY_STREAMS, gzipMembers, lz4Bomb } from '../../../testing/bombs.ts'
import { filesOf, rowsIn } from '../../../testing/load-kit.ts'
import { sharedApp } from '../../../testing/start-app.ts'
import { streamed } from '../../../testing/stream-kit.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const letters = (bytes: number) => Buffer.alloc(bytes, 'a')
/** Not of every Node that the service runs on. */
const zstd = 'zstdCompressSync' in zlib ? (zlib.zstdCompressSync as (of: Buffer) => Buffer) : null

const BOMBS: readonly (readonly [name: string, compression: string, body: () => Buffer])[] = [
  ['gzip', 'gzip', () => zlib.gzipSync(letters(80_000_000))],
  ['gzip of many members', 'gzip', gzipMembers],
  ['deflate', 'deflate', () => zlib.deflateSync(letters(80_000_000))],
  ['lz4', 'lz4', () => lz4Bomb(24)],
  ['bzip2', 'bzip2', bzip2Bomb],
  ...(zstd ? [['zstd', 'zstd', () => zstd(letters(80_000_000))] as const] : []),
]

const ask = async (sql: string) => rowsIn(await (await shared()).admin(), sql)
const emptied = () => ask('CREATE OR REPLACE TABLE main.t (id BIGINT, name VARCHAR)')

const loaded = async (compression: string, body: Buffer) =>
  (await streamed(await shared(), body, { headers: { column_separator: ',', compression } })).body

test.each(BOMBS)('a bomb of %s is refused, and others are served meanwhile', async (_, compression, body) => {
  await emptied()
  const bomb = body()
  const ended = new AbortController()
  const refused = loaded(compression, bomb).finally(() => ended.abort())
  const other = await (await shared()).admin()
  do expect((await other.call(load.list, {})).code).toBe(CODES.Ok.code)
  while (!ended.signal.aborted)
  expect(await refused).toMatchObject({
    Status: 'Fail',
    Message: expect.stringContaining('250 times larger'),
  })
  expect(await ask('SELECT count(*) FROM main.t')).toEqual([['0']])
  expect(await filesOf(await shared())).toEqual([])
})

test('what is packed twice is extracted once', async () => {
  await emptied()
  const nested = zlib.gzipSync(zlib.gzipSync(letters(20_000_000)))
  expect(nested.length).toBeLessThan(10_000)
  expect((await loaded('gzip', nested)).Status).toBe('Fail')
})

test.each([
  ['gzip', EMPTY_STREAMS.gzip],
  ['lz4', EMPTY_STREAMS.lz4],
  ['bzip2', EMPTY_STREAMS.bzip2],
] as const)('a hundred thousand streams of %s with nothing inside load nothing', async (compression, of) => {
  await emptied()
  expect((await loaded(compression, of(100_000))).NumberLoadedRows).toBe(0)
  expect(await ask('SELECT count(*) FROM main.t')).toEqual([['0']])
})
