import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { gzipMembers } from '../../../testing/bombs.ts'
import { packed } from '../../../testing/spreadsheet.ts'
import { asFound, load, READING, upload } from '../../conformance/files.ts'
import { cells, openSession, ownEngine, rowsUpTo, testSpace } from '../../conformance/fixture.ts'
import type { FileReading } from '../../engine/files.ts'
import { createInProcessDuckdb } from '../in-process.ts'

const provider = createInProcessDuckdb()
afterAll(() => provider.close())

const FIRST_BYTES = 100_000

async function opened() {
  const space = await testSpace()
  const engine = await ownEngine({ provider, kill: () => undefined }, space)
  const session = await openSession(engine)
  async function look(file: string, reading: Partial<FileReading> = {}) {
    const order = {
      does: 'inspect',
      file,
      reading: { ...READING, ...reading },
      rows: 10,
      sampleBytes: null,
      extractedBytes: FIRST_BYTES,
    } as const
    return session.execute(`INSPECT FILE 'f'`, { ...rowsUpTo(10), file: order }).outcome
  }
  const said = async (content: Buffer, reading: Partial<FileReading> = {}) => {
    const outcome = await look(await upload(space.directory, content), reading)
    return outcome.state === 'failed' ? outcome.error.message : outcome.state
  }
  const temporary = async () => {
    const [folder = ''] = await readdir(join(space.directory, 'tmp'))
    return readdir(join(space.directory, 'tmp', folder))
  }
  return { space, session, look, said, temporary }
}

const CSV = 'id,word\n1,one\n2,two\n'
/** Not of every Node that the service runs on. */
const zstd = 'zstdCompressSync' in zlib ? (zlib.zstdCompressSync as (of: Buffer) => Buffer) : null

test('a file is read through gzip, zstd and a ZIP archive that holds it alone, and loaded', async () => {
  const { space, session, look, temporary } = await opened()
  const files = {
    gz: zlib.gzipSync(CSV),
    // Such as several programs append to one file.
    members: Buffer.concat([zlib.gzipSync('id,word\n1,one\n'), zlib.gzipSync('2,two\n')]),
    zip: await packed({ '__MACOSX/._boats.csv': 'x', 'boats.csv': CSV, '.DS_Store': 'x' }),
    ...(zstd && { zst: zstd(Buffer.from(CSV)) }),
  }
  for (const [name, content] of Object.entries(files)) {
    const file = await upload(space.directory, content)
    const outcome = await look(file)
    expect(outcome).toMatchObject({ state: 'finished', result: { columns: [{ type: 'BIGINT' }, {}] } })
    expect(await load(session, { ...asFound(outcome), file, table: `from_${name}` })).toMatchObject({
      state: 'finished',
      result: { rowsChanged: 2 },
    })
  }
  const lines = await upload(space.directory, zlib.gzipSync('{"a": 1}\n{"a": 2}\n'))
  expect(await look(lines, { format: 'ndjson' })).toMatchObject({ result: { rows: [['1'], ['2']] } })
  expect(await temporary()).toEqual([])
})

test('of a large text its beginning is extracted to find the columns, and all of it to load it', async () => {
  const { space, session, look } = await opened()
  const rows = Array.from({ length: 50_000 }, (_, at) => `${at},word ${at}`)
  const file = await upload(space.directory, zlib.gzipSync(`id,word\n${rows.join('\n')}\n`))
  const outcome = await look(file)
  expect(outcome).toMatchObject({ state: 'finished', file: { sampledBytes: FIRST_BYTES } })
  expect(await load(session, { ...asFound(outcome), file, table: 'large' })).toMatchObject({
    result: { rowsChanged: 50_000 },
  })
  expect(await cells(session, 'SELECT max(id) FROM large')).toEqual([['49999']])
})

test('a bomb, what is damaged, what is packed twice and an archive of several files end with a sentence', async () => {
  const { space, session, said, temporary } = await opened()
  const bomb = zlib.gzipSync(Buffer.alloc(80_000_000, 'a'))
  expect(await said(bomb, { format: 'ndjson' })).toContain('250 times larger')
  const zipBomb = await packed({ 'a.json': Buffer.alloc(80_000_000, 'a') })
  expect(await said(zipBomb, { format: 'json' })).toContain('250 times larger')
  const members = await upload(space.directory, gzipMembers())
  const columns = [{ name: 'a', type: 'VARCHAR', into: 'a' }]
  expect(await load(session, { file: members, columns, table: 'members' })).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('250 times larger') },
  })
  expect(await said(zlib.gzipSync(CSV).subarray(0, 20))).toContain('The file is damaged or cut off')
  expect(await said(zlib.gzipSync(zlib.gzipSync(CSV)))).toContain('compressed twice')
  expect(await said(await packed({ 'a.csv': CSV, 'b.csv': CSV }))).toContain('The archive holds 2 files.')
  expect(await said(await packed({ 'a.json': '{}' }))).toBe(
    'The archive holds a.json. Choose the format JSON.',
  )
  expect(await said((await packed({ 'a.csv': CSV })).subarray(0, 60))).toContain('ZIP archive is damaged')
  expect(await temporary()).toEqual([])
})

test.skipIf(zstd !== null)('where Node cannot undo zstd, this is said', async () => {
  const { said } = await opened()
  expect(await said(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]))).toContain('Compress the file with gzip.')
})
