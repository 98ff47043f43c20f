import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { ReaderProvider } from '../../results/reader.ts'
import type { AccountSpace, LocalProvider } from '../engine/local-space.ts'
import type { Asking } from '../engine/asking.ts'
import type { CatalogReader } from '../engine/catalogs.ts'
import type { DescriptionReader } from '../engine/descriptions.ts'
import type { Cell, ResultRows } from '../engine/rows.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineError, Outcome } from '../engine/outcome.ts'
import type { EngineSession, SessionState } from '../engine/session.ts'
import type { ExecuteOptions, QueryRun } from '../engine/run.ts'

/** What an engine's test file gives to the suite. */
export interface EngineFixture {
  readonly provider: LocalProvider & ReaderProvider
  /** Ends the engine as a crash would. */
  kill(engine: Engine): void
}

export type OpenFixture = () => Promise<EngineFixture>

export const MIB = 1024 * 1024
export const STATE: SessionState = {
  catalog: 'default_catalog',
  database: null,
  timeZone: 'UTC',
  variables: {},
}

/** The account of tests, and the user of its processes. */
export const ACCOUNT = { accountId: 'acc', osUser: 61_184 }

/** A folder of its own. Its name has a space in it, as folders do. */
export async function accountSpace(accountId = ACCOUNT.accountId): Promise<AccountSpace> {
  const parent = await mkdtemp(join(tmpdir(), 'boathouse engine-'))
  // As root, engines run as other users and must come through.
  await chmod(parent, 0o711)
  return {
    accountId,
    directory: join(parent, accountId),
    threads: 2,
    memoryBytes: 256 * MIB,
    tempBytes: 64 * MIB,
    osUser: ACCOUNT.osUser,
  }
}

export function removeSpace({ directory }: Pick<AccountSpace, 'directory'>): Promise<void> {
  return rm(dirname(directory), { recursive: true, force: true })
}

/** The same for one test. */
export async function testSpace(accountId?: string): Promise<AccountSpace> {
  const space = await accountSpace(accountId)
  onTestFinished(() => removeSpace(space))
  return space
}

/** For the tests that end their engine. */
export async function ownEngine(fixture: EngineFixture, space?: AccountSpace): Promise<Engine> {
  const engine = await fixture.provider.open(space ?? (await testSpace()))
  onTestFinished(() => engine.close())
  return engine
}

export interface SharedEngine {
  engine(): Engine
  directory(): string
  provider(): LocalProvider & ReaderProvider
}

/** An engine for all tests of a group, started once. */
export function sharedEngine(open: OpenFixture): SharedEngine {
  let shared: { engine: Engine; directory: string; provider: EngineFixture['provider'] } | null = null
  beforeAll(async () => {
    const space = await accountSpace()
    const { provider } = await open()
    shared = { engine: await provider.open(space), directory: space.directory, provider }
  })
  afterAll(async () => {
    await shared?.engine.close()
    if (shared) await removeSpace(shared)
  })
  const opened = () => {
    if (!shared) throw new Error('The engine of this group is not open.')
    return shared
  }
  return {
    engine: () => opened().engine,
    directory: () => opened().directory,
    provider: () => opened().provider,
  }
}

export async function openSession(engine: Engine, state: Partial<SessionState> = {}): Promise<EngineSession> {
  const session = await engine.openSession({ ...STATE, ...state })
  onTestFinished(() => session.close())
  return session
}

let keep: ExecuteOptions['keep'] = null

/** In this group the rows of all statements are kept, which must change nothing else about them. */
export function keepAllRows(): void {
  beforeAll(() => {
    keep = { maxRows: 10_000, maxBytes: 16 * MIB }
  })
  afterAll(() => {
    keep = null
  })
}

/** What the engine under test is said to have. */
export function must<T>(capability: T | null): T {
  if (capability === null) throw new Error('This engine says that it cannot do this.')
  return capability
}

export function rowsUpTo(maxRows: number): ExecuteOptions {
  return { takenFor: null, authorize: 'all', maxRows, queryId: randomUUID(), keep, profile: null }
}

/** Runs it, however it ends, and gives the id it ran under. */
export async function runUnderId(
  session: EngineSession,
  sql: string,
): Promise<{ queryId: string; outcome: Outcome }> {
  const options = rowsUpTo(1000)
  return { queryId: options.queryId, outcome: await session.execute(sql, options).outcome }
}

export async function finished(run: QueryRun): Promise<ResultRows> {
  const outcome = await run.outcome
  if (outcome.state !== 'finished')
    throw new Error(`The statement has not finished: ${JSON.stringify(outcome)}`)
  return outcome.result
}

export function rowsOf(session: EngineSession, sql: string, maxRows = 1000): Promise<ResultRows> {
  return finished(session.execute(sql, rowsUpTo(maxRows)))
}

/** As the service asks in a session. */
const askingIn = (session: EngineSession, inTransaction = false): Asking => ({
  read: (sql, most) => rowsOf(session, sql, most),
  inTransaction,
})

export const listsIn = ({ catalogs }: Engine, session: EngineSession, inTransaction = false): CatalogReader =>
  must(catalogs).in(askingIn(session, inTransaction))

export const descriptionsIn = ({ descriptions }: Engine, session: EngineSession): DescriptionReader =>
  must(descriptions).in(askingIn(session))

export async function cells(session: EngineSession, sql: string): Promise<readonly (readonly Cell[])[]> {
  return (await rowsOf(session, sql)).rows
}

/** The only cell of the only row. */
export async function cell(session: EngineSession, sql: string): Promise<Cell> {
  const rows = await cells(session, sql)
  expect(rows).toHaveLength(1)
  return rows[0]?.[0] ?? null
}

export async function failure(session: EngineSession, sql: string, maxRows = 1000): Promise<EngineError> {
  const outcome = await session.execute(sql, rowsUpTo(maxRows)).outcome
  if (outcome.state !== 'failed') throw new Error(`The statement has not failed: ${summary(outcome)}`)
  return outcome.error
}

function summary(outcome: Outcome): string {
  return JSON.stringify(outcome).slice(0, 300)
}

/** Reads for hours and writes nothing. */
export const ENDLESS =
  'SELECT count(*) FROM range(1000000000000) a, range(1000) b WHERE (a.range * b.range) % 7 = 3'
