import { setTimeout as sleep } from 'node:timers/promises'
import type { WarehouseSize } from '@boathouse/contract'
import type { ClusterNode } from '../engines/engine/cluster-space.ts'
import type { EngineSize } from '../engines/engine/provider.ts'
import { type Engine, EngineUnavailable } from '../engines/engine/engine.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { createCpuMeter, type CpuUse } from './cpu-meter.ts'
import type { EngineProvisioner } from './provisioner.ts'
import { createRestartPause } from './restart-pause.ts'
import { createStartProgress, type StartListeners, type StartProgress } from './start-progress.ts'

/** The service's own need keeps an engine this long after its last use. */
const UNUSED_MS = 60_000
/**
 * An engine may change its size only when its busy threads are done, and end only when its log is written back. Nobody
 * waits longer than this for either, and the engine still does it.
 */
const SETTLING_MS = 500
/** A warehouse that is given another size has its old one until the engine has changed; it keeps it after this long. */
const RESIZING_MS = 60_000
const TOO_BUSY = 'The engine was too busy to change its size in time. Try again when less runs.'
/** Half of the time after which a process that gives no sign of life is ended. */
const SILENT_AFTER_MS = 5_000
const FIXED_SIZE = 'The engine cannot be resized while warehouses of this account use it. Suspend them first.'

export interface AccountEngineOptions extends StartListeners {
  readonly accountId: string
  /** The only one that it is for; null: it is for all of the account. */
  readonly warehouseId?: string | null
  /** Of its kind: what starts it, and says how large it becomes. */
  readonly provisioner: Pick<EngineProvisioner, 'capacityOf' | 'start' | 'resizingMs' | 'processors'>
  readonly clock: Clock
  readonly log: Log
  readonly settlingMs?: number
  readonly resizingMs?: number
  readonly silentAfterMs?: number | undefined
  /** The engine ended without being asked to; its running statements are gone. */
  onLost(reason: string): void
  /** It stopped answering, or answers again. */
  onSilence?(): void
}

/** A process of an engine, which most have one of: it plans and computes, and has no name. */
export type EngineNode = ClusterNode | (Omit<ClusterNode, 'name' | 'role'> & { readonly role: 'single' })

/**
 * One engine of an account: there while a warehouse has a share in it or the service needs it. Shares add up to its
 * threads and memory. Nothing acknowledged lives in it: it can be killed at any moment.
 */
export class AccountEngine {
  readonly #options: AccountEngineOptions
  readonly #pause: ReturnType<typeof createRestartPause>
  readonly #shares = new Map<string, WarehouseSize>()
  #starting: Promise<Engine> | null = null
  #running: { readonly engine: Engine; readonly startedAt: Date } | null = null
  #ending: Promise<void> = Promise.resolve()
  /** One change of size after the other. */
  #resized: Promise<void> = Promise.resolve()
  #given: EngineSize | null = null
  #holds = 0
  readonly #cpu: ReturnType<typeof createCpuMeter>
  readonly #starts: ReturnType<typeof createStartProgress>
  /** Called when the service no longer holds it. */
  #letGo: (() => void)[] = []
  #lastUsedAt = Number.NEGATIVE_INFINITY
  #isClosed = false
  /** What it was last asked and has not answered yet. */
  #asked: { readonly engine: Engine; readonly answered: Promise<void> } | null = null
  #silent: Engine | null = null

  constructor(options: AccountEngineOptions) {
    this.#options = options
    this.#pause = createRestartPause(options.clock)
    this.#cpu = createCpuMeter(options.clock)
    this.#starts = createStartProgress(options.clock, options)
  }

  /** How busy it is; null while that is not known. */
  get cpu(): CpuUse | null {
    return this.#cpu.use()
  }

  /** What it runs on; none while it does not run. */
  get nodes(): readonly EngineNode[] {
    if (!this.#running || !this.#given) return []
    const { engine, startedAt } = this.#running
    if (engine.nodes) return engine.nodes()
    const state = this.isSilent ? 'silent' : 'running'
    return [{ ...this.#given, role: 'single', state, startedAt, cpuPercent: this.cpu?.percent ?? null }]
  }

  /** How far its start has come; null while it does not start, or starts in no time. */
  get progress(): StartProgress | null {
    return this.#starts.current()
  }

  /** Whether it runs and has not answered for so long that nobody can say how it is. */
  get isSilent(): boolean {
    return this.#silent !== null && this.#silent === this.running
  }

  /** From time to time: each figure is of the time between two looks. One that does not answer holds up nobody. */
  async measureCpu(): Promise<void> {
    const engine = this.running
    if (!engine?.cpuMs) return this.#cpu.rest()
    if (this.isSilent) return
    if (this.#asked?.engine !== engine) this.#asked = { engine, answered: this.#look(engine, engine.cpuMs()) }
    const { silentAfterMs = SILENT_AFTER_MS } = this.#options
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<'silent'>((resolve) => {
      timer = setTimeout(() => resolve('silent'), silentAfterMs)
    })
    try {
      if ((await Promise.race([this.#asked.answered, tooLong])) === 'silent') this.#fallSilent(engine)
    } finally {
      clearTimeout(timer)
    }
  }

  async #look(engine: Engine, answer: Promise<number | null>): Promise<void> {
    try {
      const used = await answer
      const { processors = this.#given?.threads ?? 1 } = this.#options.provisioner
      if (this.running === engine && used !== null) this.#cpu.look(used, processors)
    } catch (error) {
      // With it went the figure.
      if (!(error instanceof EngineUnavailable)) throw error
    }
    if (this.#asked?.engine === engine) this.#asked = null
    if (this.#silent !== engine) return
    this.#silent = null
    if (this.running === engine) this.#options.onSilence?.()
  }

  #fallSilent(engine: Engine): void {
    if (this.running !== engine || this.isSilent) return
    const { accountId, log, onSilence } = this.#options
    log.warn({ accountId }, 'the engine of an account does not answer')
    this.#silent = engine
    onSilence?.()
  }

  get running(): Engine | null {
    return this.#running?.engine ?? null
  }

  get isStarting(): boolean {
    return this.#starting !== null
  }

  /** Resolves when one that was closed has ended. */
  get ended(): Promise<void> {
    return this.#ending
  }

  /** The running engine, started when there is none. Rejects with an `EngineUnavailable`. */
  start(): Promise<Engine> {
    if (this.#isClosed) return Promise.reject(new EngineUnavailable('The service is shutting down.'))
    if (this.#running) return Promise.resolve(this.#running.engine)
    this.#starting ??= this.#open().finally(() => (this.#starting = null))
    return this.#starting
  }

  /** For the service's own work, without a share; kept until the work is done and for a minute longer. */
  async use<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    this.#holds++
    try {
      return await work(await this.start())
    } finally {
      this.#holds--
      this.#lastUsedAt = this.#now()
      if (this.#holds === 0) for (const tell of this.#letGo.splice(0)) tell()
    }
  }

  /** Resolves when a result that was promised here is on disk, or will not be. Starts nothing. */
  async settled(queryId: string): Promise<void> {
    await this.#ending
    try {
      await this.running?.settled(queryId)
    } catch (error) {
      // With it went what it had not written.
      if (!(error instanceof EngineUnavailable)) throw error
    }
  }

  /** Gives a warehouse its share, or another one; resolves once the engine has it, or is sure to get it. */
  async share(warehouseId: string, size: WarehouseSize): Promise<Engine> {
    const before = this.#shares.get(warehouseId)
    const engineBefore = this.running
    this.#shares.set(warehouseId, size)
    try {
      await this.#renewFixed(before === undefined)
      const engine = await this.start()
      if (before === undefined) await this.#settled(this.#fit())
      else await this.#resizedInTime(this.#fit())
      if (this.running === engine) return engine
      throw new EngineUnavailable('The engine of this account ended right after its start.')
    } catch (error) {
      // A share in an engine that is gone went with it.
      if (before === undefined || this.running !== engineBefore) this.#shares.delete(warehouseId)
      else this.#shares.set(warehouseId, before)
      // What it may still take on is taken back, after that.
      void this.#shrink()
      throw error
    }
  }

  /** WH-30 */
  async #resizedInTime(change: Promise<void>): Promise<void> {
    const { provisioner, resizingMs = provisioner.resizingMs ?? RESIZING_MS } = this.#options
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new EngineUnavailable(TOO_BUSY)), resizingMs)
    })
    try {
      await Promise.race([change, tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * An engine that cannot change its size is ended, and one of the new size takes its place. It is not ended while
   * warehouses run in it: their statements would end with it.
   */
  async #renewFixed(isNew: boolean): Promise<void> {
    while (this.running?.resize === null && !this.#isFitting()) {
      if (!isNew || this.#shares.size > 1) throw new EngineUnavailable(FIXED_SIZE)
      if (this.#holds === 0) await this.#end()
      else await new Promise<void>((resolve) => this.#letGo.push(resolve))
    }
  }

  /** Takes the share back; the engine ends with the last one, unless the service needs it. */
  async unshare(warehouseId: string): Promise<void> {
    if (!this.#shares.delete(warehouseId)) return
    await this.#settled(this.#isUnused() ? this.#end() : this.#shrink())
  }

  async endIfUnused(): Promise<void> {
    if (this.#isUnused()) await this.#end()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#starting?.catch(() => null)
    await this.#end()
  }

  async #open(): Promise<Engine> {
    const { provisioner, accountId, warehouseId = null, clock, log } = this.#options
    await this.#ending
    const pauseMs = this.#pause.leftMs()
    if (pauseMs > 0) await sleep(pauseMs)
    if (this.#isClosed) throw new EngineUnavailable('The service is shutting down.')
    const given = this.#wanted()
    const startedAt = clock.now()
    try {
      const engine = await this.#starts.follow((onStep) =>
        provisioner.start(accountId, given, { warehouseId, onStep }),
      )
      this.#running = { engine, startedAt }
      this.#given = given
      void engine.lost.then((reason) => this.#lose(engine, reason))
      return engine
    } catch (error) {
      this.#pause.ended(startedAt)
      log.warn({ accountId, reason: String(error) }, 'the engine of an account did not start')
      throw error
    }
  }

  #lose(engine: Engine, reason: string): void {
    if (this.#running?.engine !== engine) return
    const { startedAt } = this.#running
    this.#running = null
    this.#shares.clear()
    this.#pause.ended(startedAt)
    const { accountId, log, onLost } = this.#options
    log.warn({ accountId, reason }, 'the engine of an account ended')
    onLost(reason)
  }

  async #shrink(): Promise<void> {
    const { accountId, log } = this.#options
    await this.#fit().catch((error: unknown) =>
      log.warn({ accountId, err: error }, 'an engine kept what a warehouse no longer needs'),
    )
  }

  async #settled(change: Promise<void>): Promise<void> {
    const { accountId, log, settlingMs = SETTLING_MS } = this.#options
    let timer: NodeJS.Timeout | undefined
    const longEnough = new Promise<void>((resolve) => (timer = setTimeout(resolve, settlingMs)))
    let isWaitedFor = true
    const watched = change.catch((error: unknown) => {
      if (isWaitedFor) throw error
      log.warn({ accountId, err: error }, 'an engine did not change its size')
    })
    try {
      await Promise.race([watched, longEnough])
    } finally {
      isWaitedFor = false
      clearTimeout(timer)
    }
  }

  /** Makes the engine as large as the shares now say; a failure is the caller's, not the next one's. */
  #fit(): Promise<void> {
    const fitted = this.#resized.then(() => this.#fitNow())
    this.#resized = fitted.catch(() => undefined)
    return fitted
  }

  async #fitNow(): Promise<void> {
    const engine = this.running
    // One that cannot change keeps what it has until it ends.
    if (!engine?.resize || this.#isFitting()) return
    const wanted = this.#wanted()
    await engine.resize(wanted)
    this.#given = wanted
  }

  #wanted(): EngineSize {
    return this.#options.provisioner.capacityOf([...this.#shares.values()])
  }

  #isFitting(): boolean {
    const { threads, memoryBytes } = this.#wanted()
    return threads === this.#given?.threads && memoryBytes === this.#given.memoryBytes
  }

  #isUnused(): boolean {
    const isNeeded = this.#shares.size > 0 || this.#holds > 0 || this.#starting !== null
    return !isNeeded && this.#now() - this.#lastUsedAt >= UNUSED_MS
  }

  async #end(): Promise<void> {
    const engine = this.running
    this.#running = null
    const { accountId, log } = this.#options
    if (engine)
      this.#ending = engine
        .close()
        .catch((error: unknown) =>
          log.error({ accountId, err: error }, 'an engine did not close in good order'),
        )
    await this.#ending
  }

  #now(): number {
    return this.#options.clock.now().getTime()
  }
}
