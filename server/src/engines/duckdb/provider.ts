import { createStaging } from './staging.ts'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { AccountSpace, LocalProvider } from '../engine/local-space.ts'
import type { NamesFound } from '../engine/names.ts'
import type { EffectMemory } from '../engine/capabilities.ts'
import { type Engine, EngineUnavailable } from '../engine/engine.ts'
import type { Log } from '../../kernel/log.ts'
import type { ReaderPlace, ReaderProvider } from '../../results/reader.ts'
import type { OtherCatalogs } from './account/account.ts'
import type { AskedNames } from './account/name-cache.ts'
import { attachmentsOf } from './attachments.ts'
import { duckdbCatalogs } from './catalogs/catalogs.ts'
import { DUCKDB_WORDS } from './dialect.ts'
import { DUCKDB_NAMES } from './guard/name-rules.ts'
import { NOT_APART } from './outside/reach.ts'
import { serveOutside } from './outside/serve-outside.ts'
import { isApart } from './hosting/confinement.ts'
import { hostBundlePath } from './host/host-bundle.ts'
import { unpackNames } from './host/packed-names.ts'
import { type HostProcess, stopHost } from './hosting/host-process.ts'
import { type HostUser, NoUserOfItsOwn, hostUser, hostUsers } from './hosting/host-user.ts'
import { type Hosts, createHosts } from './hosting/hosts.ts'
import { type Inspector, createInspectors } from './hosting/inspectors.ts'
import { hostedReader } from './hosting/hosted-reader.ts'
import { hostedSession } from './hosting/hosted-session.ts'
import { type FitMemory, fitMemory } from './hosting/memory-limit.ts'
import type { Patience } from './hosting/silence.ts'

export interface DuckdbOptions {
  readonly log?: Log
  /** The bundled entry of the host process. */
  readonly hostPath?: string
  /** Whether a process is held ready for the next account, so that it need not wait for a start. */
  readonly spare?: boolean
  readonly startDeadlineMs?: number
  /** With a process that is asked something and says nothing. */
  readonly patience?: Patience
  /** How long a cancelled statement may keep running before its process is ended. */
  readonly cancelDeadlineMs?: number
  /** How long the end may take, in which DuckDB writes its log back into its file. */
  readonly stopDeadlineMs?: number
}

export interface DuckdbEngine extends Engine {
  readonly pid: number
  readonly effects: EffectMemory
  readonly resize: NonNullable<Engine['resize']>
  readonly attachments: NonNullable<Engine['attachments']>
}

export interface DuckdbProvider extends LocalProvider, ReaderProvider {
  readonly version: string
  open(space: AccountSpace): Promise<DuckdbEngine>
}

/** Written with every statement that it runs: a change of it would leave those without their engine. */
const KIND = 'duckdb'

type Limits = Required<Pick<DuckdbOptions, 'startDeadlineMs' | 'cancelDeadlineMs' | 'stopDeadlineMs'>>

const NO_USER =
  'it has no user of its own on this machine, and statements never run as root. The log of the service says why.'
/** Of a reader of kept results. What its DuckDB may have is in the allowance that every process gets. */
const READER_SIZE = { threads: Math.min(4, availableParallelism()), memoryBytes: 0 }
/** Of a process that looks at one file. */
const INSPECTOR_SIZE = { threads: Math.min(2, availableParallelism()), memoryBytes: 1024 ** 3 }
const INSPECTOR_TEMP_BYTES = 4 * 1024 ** 3
const UNLIMITED = 'the system does not limit the memory of an engine'

/** Each account's DuckDB in a process of its own. */
export function createDuckdbProvider(options: DuckdbOptions = {}): DuckdbProvider {
  const hosts = createHosts({
    hostPath: options.hostPath ?? hostBundlePath(),
    keepsSpare: options.spare ?? true,
    patience: options.patience,
  })
  const limits: Limits = {
    startDeadlineMs: options.startDeadlineMs ?? 60_000,
    cancelDeadlineMs: options.cancelDeadlineMs ?? 5_000,
    // Shorter than a server may take to end: what is not written back by then is in the log, and read from there.
    stopDeadlineMs: options.stopDeadlineMs ?? 10_000,
  }

  async function start(place: ReaderPlace, begin: Begin) {
    const log = options.log?.child({ accountId: place.accountId })
    const { startDeadlineMs } = limits
    const { host, user } = await startHost(hosts, place, { begin, startDeadlineMs }).catch(
      (error: EngineUnavailable) => {
        // Names folders of this machine, which users must not see.
        if (error.cause instanceof NoUserOfItsOwn) log?.error(error.cause.message)
        throw error
      },
    )
    host.onTrouble = (message) => log?.warn({ pid: host.pid }, message)
    const fit = fitMemory({
      set: (bytes) => hosts.memory.set({ pid: host.pid, user }, bytes),
      onTrouble: (error) => host.hasEnded || log?.warn({ pid: host.pid, err: error }, UNLIMITED),
    })
    return { host, fit, log }
  }

  const inspectors = createInspectors({
    stopDeadlineMs: limits.stopDeadlineMs,
    async start(place) {
      const space = { directory: place.directory, ...INSPECTOR_SIZE, tempBytes: INSPECTOR_TEMP_BYTES }
      const { host, fit } = await start(
        place,
        (begun, user) => begun.ask({ kind: 'startInspector', space, user }).answer,
      )
      // Waited for: the file is what it is for.
      await fit(INSPECTOR_SIZE)
      return host
    },
  })

  return {
    id: KIND,
    label: 'DuckDB',
    nameRules: DUCKDB_NAMES,
    users: hostUsers(),
    staging: createStaging,
    version: duckdbVersion(),
    async open(space) {
      const { threads, memoryBytes, tempBytes, directory, catalogs = [], folders = [] } = space
      const { extensions, outside } = space
      const sandbox = {
        directory,
        threads,
        memoryBytes,
        tempBytes,
        catalogs,
        folders,
        ...(extensions !== undefined && { extensions }),
      }
      const whyNoOutside = outside && isApart() ? null : NOT_APART
      let others: OtherCatalogs = { names: [], closed: [], lacks: [] }
      const { host, fit, log } = await start(space, async (begun, user) => {
        if (outside && whyNoOutside === null)
          serveOutside(begun.outsidePipe, outside, (error) =>
            options.log?.error({ err: error, accountId: space.accountId }, 'a file outside was not read'),
          )
        others = await begun.ask({ kind: 'start', space: sandbox, user, whyNoOutside }).answer
      })
      log?.info({ pid: host.pid }, 'the engine of an account is running')
      // Not waited for: it is done in two milliseconds, in which nothing can take much.
      void fit(space)
      return runningEngine({ host, limits, fit, others, inspector: inspectors.of(space) })
    },
    async openReader(place) {
      const space = { directory: place.directory, threads: READER_SIZE.threads }
      const { host, fit, log } = await start(
        place,
        (begun, user) => begun.ask({ kind: 'startReader', space, user }).answer,
      )
      log?.debug({ pid: host.pid }, 'the reader of an account is running')
      void fit(READER_SIZE)
      return hostedReader(host, limits.stopDeadlineMs)
    },
    close: () => hosts.close(),
  }
}

/** Read and not asked: this process has no need to load DuckDB. */
function duckdbVersion(): string {
  const file = createRequire(import.meta.url).resolve('@duckdb/node-api/package.json')
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return `v${version.split('-')[0]}`
}

/** Gives a process its part: from then on it is that user's. */
type Begin = (host: HostProcess, user: HostUser | null) => Promise<unknown>

async function startHost(
  hosts: Hosts,
  { directory, osUser }: ReaderPlace,
  { begin, startDeadlineMs }: Pick<Limits, 'startDeadlineMs'> & { begin: Begin },
): Promise<{ host: HostProcess; user: HostUser | null }> {
  let host: HostProcess | null = null
  let deadline: NodeJS.Timeout | undefined
  try {
    await mkdir(directory, { recursive: true })
    const user = await hostUser({ osUser, directory })
    const started = await hosts.take()
    host = started
    deadline = setTimeout(() => started.kill(`it was not ready after ${startDeadlineMs} ms`), startDeadlineMs)
    await begin(started, user)
    return { host: started, user }
  } catch (error) {
    host?.kill('it could not be started')
    await host?.ended
    const message =
      error instanceof NoUserOfItsOwn ? NO_USER : (error as Error).message.replaceAll(directory, '<account>')
    throw new EngineUnavailable(`The engine did not start: ${message}`, { cause: error })
  } finally {
    clearTimeout(deadline)
    hosts.refill()
  }
}

interface RunningEngine {
  readonly host: HostProcess
  readonly limits: Limits
  readonly fit: FitMemory
  readonly others: OtherCatalogs
  readonly inspector: Inspector
}

function runningEngine({ host, limits, fit, others, inspector }: RunningEngine): DuckdbEngine {
  const { cancelDeadlineMs, stopDeadlineMs } = limits
  let sessions = 0
  let closed: Promise<void> | null = null

  return {
    kind: KIND,
    pid: host.pid,
    // An end that was asked for is not a loss: this then stays open.
    lost: host.ended.then((reason) => (closed ? new Promise<string>(() => undefined) : reason)),
    async openSession(state) {
      if (closed) throw new EngineUnavailable('The engine is closed.')
      const session = ++sessions
      await host.ask({ kind: 'open', session, state }).answer
      return hostedSession({ host, session, cancelDeadlineMs, inspector })
    },
    ...DUCKDB_WORDS,
    catalogs: duckdbCatalogs((asked) => askNames(host, asked)),
    effects: {
      tookEffect: (queryIds) => host.ask({ kind: 'tookEffect', queryIds }).answer,
      forget: async (before) => void (await host.ask({ kind: 'forgetEffects', before }).answer),
    },
    settled: async (queryId) => void (await host.ask({ kind: 'settled', queryId }).answer),
    cpuMs: () => host.ask({ kind: 'cpu' }).answer,
    attachments: attachmentsOf(others, {
      attach: (catalog) => host.ask({ kind: 'attach', catalog }).answer,
      removeCatalog: (catalog) => host.ask({ kind: 'removeCatalog', catalog }).answer,
      renameCatalog: (name, to) => host.ask({ kind: 'renameCatalog', name, to }).answer,
      checkCatalog: (name) => host.ask({ kind: 'checkCatalog', name }).answer,
      tryCatalog: (catalog) => host.ask({ kind: 'tryCatalog', catalog }).answer,
    }),
    tableSizes: (asked) => host.ask({ kind: 'tableSizes', asked }).answer,
    resize: (size) => fit(size, () => host.ask({ kind: 'resize', size }).answer),
    close: () => (closed ??= stopHost(host, stopDeadlineMs)),
  }
}

async function askNames(host: HostProcess, asked: AskedNames): Promise<NamesFound | null> {
  const { page } = asked
  const seen = page.seen === 'all' ? null : host.seen.of(page.seen)
  const found = await host.ask({ kind: 'names', asked: { ...asked, page: { ...page, seen: 'all' } }, seen })
    .answer
  return found && unpackNames(found)
}
