import { beforeAll, describe, expect, test } from 'vitest'
import {
  accountSpace,
  cell,
  failure,
  MIB,
  openSession,
  removeSpace,
  rowsOf,
  rowsUpTo,
} from '../conformance/fixture.ts'
import { inspect, load, READING, upload } from '../conformance/files.ts'
import type { AccountSpace } from '../engine/local-space.ts'
import type { EngineSession } from '../engine/session.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { FileFormat } from '../engine/files.ts'
import { hostBundleForTests } from './host/host-bundle-for-tests.ts'
import { createDuckdbProvider, type DuckdbEngine } from './provider.ts'

/**
 * What somebody without any privilege may send to the engine of an account, while a colleague keeps inserting: nothing of
 * it ends the process, and no insert fails.
 */
const nested = (levels: number, open: string, close: string, inner: string): string =>
  open.repeat(levels) + inner + close.repeat(levels)
const listed = (count: number, one: (at: number) => string, between: string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join(between)

let space: AccountSpace
let engine: DuckdbEngine
let colleague: Colleague

interface Colleague {
  /** Resolves when another insert was acknowledged. */
  another(): Promise<void>
  stop(): Promise<{ acknowledged: number; others: Outcome[]; kept: number }>
}

async function insertingColleague(): Promise<Colleague> {
  const session = await engine.openSession({
    catalog: 'default_catalog',
    database: null,
    timeZone: 'UTC',
    variables: {},
  })
  await rowsOf(session, 'CREATE TABLE work (n INTEGER)')
  let acknowledged = 0
  const over = new AbortController()
  const others: Outcome[] = []
  const waiting: (() => void)[] = []
  const work = (async () => {
    while (!over.signal.aborted) {
      const options = { ...rowsUpTo(1), takenFor: 'writes' as const, queryId: crypto.randomUUID() }
      const outcome = await session.execute(`INSERT INTO work VALUES (${acknowledged})`, options).outcome
      if (outcome.state === 'finished') acknowledged++
      else others.push(outcome)
      for (const resolve of waiting.splice(0)) resolve()
      // Others work on this machine too.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return {
    another: () => new Promise((resolve) => void waiting.push(resolve)),
    async stop() {
      over.abort()
      await work
      const kept = Number(await cell(session, 'SELECT count(*) FROM work'))
      await session.close()
      return { acknowledged, others, kept }
    },
  }
}

beforeAll(async () => {
  space = { ...(await accountSpace()), memoryBytes: 512 * MIB }
  // What it gave up on still runs when it is closed.
  const provider = createDuckdbProvider({
    hostPath: await hostBundleForTests(),
    spare: false,
    stopDeadlineMs: 500,
  })
  engine = await provider.open(space)
  colleague = await insertingColleague()
  return async () => {
    await engine.close()
    await provider.close()
    await removeSpace(space)
  }
})

const attacker = (user = 'mallory'): Promise<EngineSession> => openSession(engine, { user })

/** As somebody of whom every object is asked, and who is given none that there is. */
const send = (session: EngineSession, sql: string, takenFor: 'reads' | 'writes' = 'reads') =>
  session.execute(sql, { ...rowsUpTo(10), takenFor, authorize: async () => null })

/** Stops it in the middle of its one step; one that was stopped before that is sent again. */
async function stoppedInside(sql: string, user: string): Promise<Outcome> {
  for (;;) {
    const session = await attacker(user)
    const run = send(session, sql)
    for (let inserts = 0; inserts < 5; inserts++) await colleague.another()
    await run.cancel()
    const outcome = await run.outcome
    if (session.hasEnded || outcome.state !== 'cancelled') return outcome
  }
}

/** For what keeps the machine busy while it runs. */
const SLOW_MS = 90_000

const DEEP_LIST = `(repeat('[', 300000) || repeat(']', 300000))`
const DEEP_OBJECT = `(repeat('{"a":', 300000) || '1' || repeat('}', 300000))`

const REFUSED: readonly (readonly [what: string, sql: string])[] = [
  ['lambdas', `SELECT ${nested(25, 'list_transform([1], x -> ', ')', 'x')}`],
  ['lambdas by their word', `SELECT ${nested(24, 'list_filter([true], lambda x: len(', ') > 0)', '[x]')}`],
  ['subqueries', `SELECT ${nested(26, '(SELECT ', ')', '1')}`],
  ['EXISTS', `SELECT ${nested(26, 'EXISTS (SELECT 1 WHERE ', ')', 'true')}`],
  ['arrays of subqueries', `SELECT ${nested(20, 'ARRAY(SELECT ', ')', '1')}`],
  ['arrows', `SELECT '{}'::JSON${"->'a'".repeat(40)}`],
  ['BETWEEN', `SELECT ${nested(24, '(', ' BETWEEN 1 AND 2)::INT', '1')}`],
  ['macros of the engine', `SELECT ${nested(24, 'nullif(', ', 2)', '1')}`],
  [
    'others of its macros',
    `SELECT ${nested(14, 'split_part(round_even(', ", 1)::VARCHAR, ',', 1)::INT", '1')}`,
  ],
  ['functions of ours', `SELECT ${nested(16, 'json_pretty(', ')', "'1'")}`],
  ['a function of ours', `SELECT ${nested(20, 'repeat(', ', 1)', "'x'")}`],
  [
    'queries in the place of names',
    `WITH c0 AS (SELECT 1 a), ${listed(20, (at) => `c${at + 1} AS NOT MATERIALIZED (SELECT x.a FROM c${at} x, c${at} y)`, ', ')} SELECT * FROM c20`,
  ],
  ['lists', `SELECT ${nested(390, '[', ']', '1')}`],
  ['structures', `SELECT ${nested(300, "{'a': ", '}', '1')}`],
  ['sums', `SELECT 1${'+1'.repeat(900)}`],
  ['calls', `SELECT ${nested(900, 'abs(', ')', '1')}`],
  ['texts put together', `SELECT 'a'${"||'a'".repeat(900)}`],
  ['types', `SELECT NULL::INT${'[]'.repeat(3000)}`],
  ['JSON as a VARIANT', `SELECT ${DEEP_LIST}::JSON::VARIANT`],
  ['JSON as a VARIANT, tried', `SELECT try_cast(${DEEP_OBJECT}::JSON AS VARIANT)`],
  ['JSON in a list as a VARIANT', `SELECT [${DEEP_OBJECT}::JSON]::VARIANT`],
  ['json_contains', `SELECT json_contains(${DEEP_LIST}, '3')`],
  ['json_contains of a needle', `SELECT json_contains('[]', ${DEEP_OBJECT})`],
  ['json_transform', `SELECT json_transform('1', ${DEEP_LIST})`],
  ['from_json_strict', `SELECT from_json_strict('1', ${DEEP_OBJECT})`],
  ['json_structure', `SELECT json_structure(${DEEP_OBJECT})`],
  ['json_group_structure', `SELECT json_group_structure(x) FROM (SELECT ${DEEP_LIST}::JSON x)`],
]

describe('a colleague keeps inserting, in the same process, while somebody sends', () => {
  const begun = { pid: 0 }
  beforeAll(() => {
    begun.pid = engine.pid
  })
  const isAlive = (): boolean => process.kill(begun.pid, 0)

  test.each(REFUSED)('%s without end: refused in words', async (_, sql) => {
    const outcome = await send(await attacker(), sql).outcome
    expect(outcome).toMatchObject({
      state: 'failed',
      error: { message: expect.stringMatching(/\w{3,} \w+/) },
    })
    await colleague.another()
    expect(isAlive()).toBe(true)
  })

  test('macros and views of a session that double one another', async () => {
    const session = await attacker()
    const run = async (sql: string) => {
      const outcome = await send(session, sql, 'writes').outcome
      if (outcome.state !== 'finished') throw new Error(`${sql}: ${JSON.stringify(outcome)}`)
    }
    await run('CREATE TEMP MACRO twice(x) AS x + x')
    await run('CREATE TEMP VIEW v0 AS SELECT 1 AS a')
    let refused: Outcome | null = null
    for (let at = 0; at < 30 && refused === null; at++) {
      const made = await send(
        session,
        `CREATE TEMP VIEW v${at + 1} AS SELECT x.a FROM v${at} x, v${at} y`,
        'writes',
      ).outcome
      if (made.state === 'failed') refused = made
    }
    expect(refused).toMatchObject({
      error: { message: expect.stringContaining('nested too deeply for the engine') },
    })
    const doubled = await send(session, `SELECT ${nested(24, 'twice(', ')', '1')}`).outcome
    expect(doubled).toMatchObject({
      error: { message: expect.stringContaining('nested too deeply for the engine') },
    })
    expect((await send(session, `SELECT ${nested(5, 'twice(', ')', '1')} FROM v3`).outcome).state).toBe(
      'finished',
    )
    await colleague.another()
  })

  const LOADED_TOO = new Set(['lists', 'records by lines', 'structures within metadata'])
  const FILES: readonly (readonly [
    what: string,
    format: FileFormat,
    content: () => string | Buffer,
    says: RegExp,
  ])[] = [
    ['lists', 'json', () => nested(1_000_000, '[', ']', ''), /Line 1: .* more than 100 levels/],
    ['objects', 'json', () => nested(400_000, '{"a":', '}', '1'), /more than 100 levels/],
    ['records by lines', 'ndjson', () => `{"a":1}\n${nested(200_000, '{"a":[', ']}', '1')}\n`, /Line 2: /],
    [
      'what a quote hides',
      'json',
      () => `{"a":"x}\n{"a":${nested(200_000, '[', ']', '1')}}\n`,
      /more than 100 levels/,
    ],
    ['levels between spaces', 'json', () => `[\n${nested(101, ' [\r\n', '\n]', '1')}]`, /Line 102|Line 10\d/],
    ['invalid metadata of a Parquet', 'parquet', () => parquetOf(Buffer.alloc(2000, 0x1c)), /\w+/],
    [
      'metadata of an endless length',
      'parquet',
      () => parquetOf(Buffer.from([0x15, 0x02, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f]), 2 ** 31 - 1),
      /\w+/,
    ],
    ['structures within metadata', 'parquet', () => parquetOf(Buffer.alloc(1_000_000, 0x2c)), /\w+/],
    ['columns', 'csv', () => `${listed(6000, (at) => `c${at}`, ',')}\n`, /6000 columns/],
    [
      'an invalid archive',
      'xlsx',
      () => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(5000, 0xff)]),
      /\w+/,
    ],
  ]

  test.each(FILES)(
    'a file of %s (%s): refused in words, to look at and to load',
    async (what, format, content, says) => {
      const session = await attacker()
      const file = await upload(space.directory, content())
      const looked = await inspect(session, file, { format })
      expect(looked).toMatchObject({ state: 'failed', error: { message: expect.stringMatching(says) } })
      if (LOADED_TOO.has(what)) {
        const columns = [{ name: 'a', type: 'JSON', into: 'a' }]
        const loaded = await load(session, {
          file,
          columns,
          table: 'hostile',
          reading: { ...READING, format },
        })
        expect(loaded).toMatchObject({ state: 'failed', error: { message: expect.stringMatching(says) } })
      }
      await colleague.another()
      expect(isAlive()).toBe(true)
    },
  )

  test('a file that is stopped while it is looked at is cancelled, and the next one is read', async () => {
    const session = await attacker()
    const file = await upload(
      space.directory,
      listed(200_000, (at) => `{"a":${at},"b":"${at}"}`, '\n'),
    )
    const order = {
      does: 'inspect',
      file,
      reading: { ...READING, format: 'ndjson' },
      rows: 2,
      sampleBytes: null,
    } as const
    const run = session.execute(`INSPECT FILE 'f'`, { ...rowsUpTo(2), file: order })
    await run.cancel()
    expect(await run.outcome).toMatchObject({ state: 'cancelled' })
    expect(
      await inspect(session, await upload(space.directory, `[{"a":[${nested(90, '[', ']', '')}]}]`), {
        format: 'json',
      }),
    ).toMatchObject({
      state: 'finished',
    })
  })

  test('what was written in a session that ends with its statement never takes effect', async () => {
    const [session, other] = [await attacker('writer'), await attacker('reader')]
    await rowsOf(other, 'CREATE TABLE half (n INTEGER)')
    await rowsOf(session, 'BEGIN')
    await rowsOf(session, 'INSERT INTO half VALUES (1)')
    const run = session.execute(
      `INSERT INTO half SELECT len(list_sort(list_transform(range(3000000), x -> hash(x))))`,
      rowsUpTo(1),
    )
    await colleague.another()
    await run.cancel()
    const outcome = await run.outcome
    expect(outcome).toMatchObject({ state: 'cancelled', session: { inTransaction: true } })
    if (session.hasEnded) expect((await failure(session, 'SELECT 1')).message).toContain('session')
    await session.close()
    await expect.poll(() => cell(other, 'SELECT count(*) FROM half'), { timeout: 20_000 }).toBe('0')
  })

  test(
    'what cannot be interrupted, and stops it: their sessions end, and nothing else',
    async () => {
      // Each keeps a core until the engine is closed: of the many there are, one that matches and one that walks a document.
      const uninterruptible = [
        `SELECT repeat('a', 80) GLOB (repeat('a*', 40) || 'b')`,
        `SELECT len(json_extract(repeat('{"a":', 900) || '1' || repeat('}', 900), '$..a..a..a..a'))`,
      ]
      for (const [at, sql] of uninterruptible.entries())
        expect(await stoppedInside(sql, `mallory ${at}`)).toMatchObject({
          state: 'cancelled',
          sessionEnded: true,
        })
      await colleague.another()
      expect(isAlive()).toBe(true)
    },
    SLOW_MS,
  )

  test(
    'one of which two still run is refused, and their colleagues are not',
    async () => {
      for (const end of ['b', 'c'])
        await stoppedInside(`SELECT repeat('a', 80) GLOB (repeat('a*', 40) || '${end}')`, 'twice')
      const session = await attacker('twice')
      expect(await send(session, 'SELECT 1').outcome).toMatchObject({
        state: 'failed',
        error: { kind: 'resource', message: expect.stringContaining('2 of your stopped statements') },
      })
      expect((await send(await attacker('other'), 'SELECT 1').outcome).state).toBe('finished')
    },
    SLOW_MS,
  )

  test('all that was acknowledged is there, no insert failed, and it is the same process', async () => {
    const { acknowledged, others, kept } = await colleague.stop()
    expect({ others, kept, pid: engine.pid }).toEqual({ others: [], kept: acknowledged, pid: begun.pid })
    expect(isAlive()).toBe(true)
  })
})

/** Between its two marks, with its length before the second. */
function parquetOf(metadata: Buffer, length = metadata.length): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(length)
  return Buffer.concat([Buffer.from('PAR1'), metadata, size, Buffer.from('PAR1')])
}
