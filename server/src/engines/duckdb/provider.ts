import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type AccountSpace, type Engine, type EngineProvider, EngineUnavailable } from '../engine.ts'
import type { Log } from '../../kernel/log.ts'
import { hostBundlePath } from './host-bundle.ts'
import type { HostProcess } from './host-process.ts'
import { type HostUser, hostUser } from './host-user.ts'
import { type Hosts, createHosts } from './hosts.ts'
import { hostedResults } from './hosted-results.ts'
import { hostedSession } from './hosted-session.ts'
import { type FitMemory, fitMemory } from './memory-limit.ts'
import type { Patience } from './silence.ts'

export interface DuckdbOptions {
  readonly log?: Log
  /** The bundled entry of the host process. */
  readonly hostPath?: string
  /** Whether a process is held ready for the next account, so that it need not wait for a start. */
  readonly spare?: boolean
  readonly startDeadlineMs?: number
  /** With a process that is asked something and says nothing. */
  readonly patience?: Patience
  /** How long a cancelled statement may go on before its process is ended. */
  readonly cancelDeadlineMs?: number
  /** How long the end may take, in which DuckDB writes its log back into its file. */
  readonly stopDeadlineMs?: number
}

export interface DuckdbEngine extends Engine {
  readonly pid: number
}

export interface DuckdbProvider extends EngineProvider {
  readonly version: string
  open(space: AccountSpace): Promise<DuckdbEngine>
}

type Limits = Required<Pick<DuckdbOptions, 'startDeadlineMs' | 'cancelDeadlineMs' | 'stopDeadlineMs'>>

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
  return {
    id: 'duckdb',
    version: duckdbVersion(),
    async open(space) {
      const { host, user } = await startHost(hosts, space, limits)
      const log = options.log?.child({ accountId: space.accountId })
      host.onTrouble = (message) => log?.warn({ pid: host.pid }, message)
      log?.info({ pid: host.pid }, 'the engine of an account is running')
      const fit = fitMemory({
        set: (bytes) => hosts.memory.set({ pid: host.pid, user }, bytes),
        onTrouble: (error) => host.hasEnded || log?.warn({ pid: host.pid, err: error }, UNLIMITED),
      })
      // Not waited for: it is done in two milliseconds, in which nothing can take much.
      void fit(space)
      return runningEngine({ host, limits, fit })
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

async function startHost(
  hosts: Hosts,
  space: AccountSpace,
  { startDeadlineMs }: Limits,
): Promise<{ host: HostProcess; user: HostUser | null }> {
  const { accountId, directory, threads, memoryBytes, tempBytes } = space
  let host: HostProcess | null = null
  let deadline: NodeJS.Timeout | undefined
  try {
    await mkdir(directory, { recursive: true })
    const user = hostUser({ accountId, directory })
    const started = await hosts.take()
    host = started
    deadline = setTimeout(() => started.kill(`it was not ready after ${startDeadlineMs} ms`), startDeadlineMs)
    await started.ask({ kind: 'start', space: { directory, threads, memoryBytes, tempBytes }, user }).answer
    return { host: started, user }
  } catch (error) {
    host?.kill('it could not be started')
    await host?.ended
    const message = (error as Error).message.replaceAll(directory, '<account>')
    throw new EngineUnavailable(`The engine does not start: ${message}`, { cause: error })
  } finally {
    clearTimeout(deadline)
    hosts.refill()
  }
}

interface RunningEngine {
  readonly host: HostProcess
  readonly limits: Limits
  readonly fit: FitMemory
}

function runningEngine({ host, limits, fit }: RunningEngine): DuckdbEngine {
  const { cancelDeadlineMs, stopDeadlineMs } = limits
  let sessions = 0
  let closed: Promise<void> | null = null

  async function close(): Promise<void> {
    const deadline = setTimeout(() => host.kill('it did not stop in time'), stopDeadlineMs)
    try {
      await host.ask({ kind: 'stop' }).answer
    } catch (error) {
      // It ended before it could be asked, or while it was: either way its files are free below.
      if (!(error instanceof EngineUnavailable)) throw error
    } finally {
      clearTimeout(deadline)
      host.kill('it was closed')
      await host.ended
    }
  }

  return {
    pid: host.pid,
    // An end that was asked for is not a loss: this then stays open.
    lost: host.ended.then((reason) => (closed ? new Promise<string>(() => undefined) : reason)),
    async openSession(state) {
      if (closed) throw new EngineUnavailable('The engine is closed.')
      const session = ++sessions
      await host.ask({ kind: 'open', session, state }).answer
      return hostedSession({ host, session, cancelDeadlineMs })
    },
    tookEffect: (queryIds) => host.ask({ kind: 'tookEffect', queryIds }).answer,
    forgetEffects: async (before) => void (await host.ask({ kind: 'forgetEffects', before }).answer),
    results: hostedResults(host),
    resize: (size) => fit(size, () => host.ask({ kind: 'resize', size }).answer),
    close: () => (closed ??= close()),
  }
}
