import { ResultRefused } from '../../../results/reader.ts'
import { type EngineSession, SessionRefused } from '../../engine/session.ts'
import type { QueryRun } from '../../engine/run.ts'
import type { ListedName, ObjectUse, Verdict } from '../../engine/objects.ts'
import { type DuckDbAccount, openAccount, type OtherCatalogs } from '../account/account.ts'
import { folderRefusal } from '../folders/layout.ts'
import { readReport } from '../errors.ts'
import { FreedMemory } from '../account/freed-memory.ts'
import type { Answers, Report, Request } from './protocol.ts'
import { become } from '../hosting/host-user.ts'
import { type LocalInspector, openInspector } from '../inspector/inspector.ts'
import { type LocalReader, openResultReader } from '../reader/result-reader.ts'
import { askOutside } from '../outside/ask-outside.ts'
import { outsidePipe } from './outside-pipe.ts'
import { type PackedNames, packNames } from './packed-names.ts'
import { rowsPipe } from './row-frames.ts'
import { HeldRows } from './held-rows.ts'
import { KeptOnce } from './sent-once.ts'
import { SentRows } from './sent-rows.ts'
import { showLife } from './sign-of-life.ts'

export interface HostWorld {
  send(report: Report): void
  /** Ends this process, telling why. */
  die(reason: string): void
}

const PROGRESS_EVERY_MS = 200
/** With what lies outside, once a statement that may wait for it is cancelled. */
const PATIENCE_OF_CANCELLED_MS = 1_500
const GIVE_UP_EVERY_MS = 500

/** The host's side of the protocol: sessions and statements by the numbers the server gave them, or kept results. */
export class HostedEngine {
  private started: DuckDbAccount | null = null
  private startedReader: LocalReader | null = null
  private startedInspector: LocalInspector | null = null
  private readonly sessions = new Map<number, EngineSession>()
  private readonly statements = new Map<number, QueryRun>()
  /** Of the statements that wait for theirs. */
  private readonly verdicts = new Map<number, (verdict: Verdict) => void>()
  /** Names that somebody may see, which come once. */
  private readonly seen = new KeptOnce<ReadonlySet<string>>()
  private readonly listed = new KeptOnce<readonly ListedName[]>()
  private sentRows: SentRows | null = null
  private progressTimer: NodeJS.Timeout | null = null
  private readonly freed = new FreedMemory({
    giveBack: () => this.account.giveBackMemory(),
    onTrouble: (message) => this.tellTrouble(message),
  })

  constructor(private readonly world: HostWorld) {}

  async receive(request: Request): Promise<void> {
    const { id } = request
    try {
      // Begun before anything is awaited: a statement must be known when its cancellation is read right after it.
      this.world.send({ kind: 'answer', id, answer: await this.answer(request) })
    } catch (error) {
      this.world.send({ kind: 'refusal', id, ...this.refusal(error) })
    }
  }

  private answer(request: Request): Promise<Answers[keyof Answers]> {
    switch (request.kind) {
      case 'start':
        return this.start(request)
      case 'open':
        return this.open(request)
      case 'execute':
        return this.execute(request)
      case 'cancel':
        this.cancel(request.statement)
        return Promise.resolve(null)
      case 'verdict':
        this.decide(request)
        return Promise.resolve(null)
      case 'tookEffect':
        return this.account.tookEffect(request.queryIds)
      case 'forgetEffects':
        return this.account.forgetEffects(request.before).then(() => null)
      case 'resize':
        return this.account.resize(request.size).then(() => null)
      case 'attach':
        return this.account.attach(request.catalog).then(() => null)
      case 'removeCatalog':
        return this.account.removeCatalog(request.catalog).then(() => null)
      case 'renameCatalog':
        return this.account.renameCatalog(request.name, request.to)
      case 'checkCatalog':
        return this.account.checkCatalog(request.name)
      case 'tryCatalog':
        return this.account.tryCatalog(request.catalog).catch(folderRefusal)
      case 'tableSizes':
        return this.account.tableSizes(request.asked)
      case 'names':
        return this.names(request)
      case 'settled':
        return this.account.settled(request.queryId).then(() => null)
      case 'startReader':
        return this.startReader(request)
      case 'readResult':
        return this.reader.read(request.queryId, request.window)
      case 'arrangeResult':
        return this.reader.arranged(request.queryId, request.order)
      case 'readCell':
        return this.reader.cell(request.queryId, request.part)
      case 'columnStatistics':
        return this.reader.statistics(request.queryId, request.order)
      case 'pivotResult':
        return this.reader.pivot(request.queryId, request.order)
      case 'compareResults':
        return this.reader.compare(request.queryId, request.order)
      case 'stopWork':
        return this.reader.stopWork(request.workId)
      case 'exportResult':
        return this.reader.export(request.queryId, request.order)
      case 'exportProgress':
        return this.reader.exportProgress(request.file)
      case 'stopExport':
        return this.reader.stopExport(request.file)
      case 'startInspector':
        return this.startInspector(request)
      case 'inspectFile':
        return this.inspector.inspect(request.order)
      case 'checkFile':
        return this.inspector.check(request.file, request.reading)
      case 'close':
        return this.close(request.session)
      case 'cpu':
        return Promise.resolve(usedCpuMs())
      case 'ping':
        return Promise.resolve(null)
      case 'stop':
        return this.stop()
      default:
        return unknownRequest(request)
    }
  }

  private refusal(error: unknown): Pick<Report & { kind: 'refusal' }, 'message' | 'error'> {
    if (error instanceof SessionRefused || error instanceof ResultRefused)
      return { message: error.message, error: error.error }
    return { message: readReport(error).message }
  }

  private async start({ space, user, whyNoOutside }: Request & { kind: 'start' }): Promise<OtherCatalogs> {
    const onTrouble = (message: string) => this.tellTrouble(message)
    // Before anything of the account is touched.
    if (user) become(user)
    process.chdir(space.directory)
    const outside = whyNoOutside ?? askOutside(outsidePipe())
    this.started = await openAccount(space, { onTrouble, outside })
    await showLife(space.directory, onTrouble)
    return this.started.attached
  }

  /**
   * DuckDB cannot be interrupted while it waits for an answer from outside, and the server would end the process at
   * its deadline.
   */
  private cancel(statement: number): void {
    const run = this.statements.get(statement)
    if (!run) return
    void run.cancel()
    const hurry = setInterval(
      () => this.account.giveUpOutside(performance.now() - PATIENCE_OF_CANCELLED_MS),
      GIVE_UP_EVERY_MS,
    )
    void run.outcome.then(() => clearInterval(hurry))
  }

  private async startReader({ space, user }: Request & { kind: 'startReader' }): Promise<null> {
    if (user) become(user)
    process.chdir(space.directory)
    this.startedReader = await openResultReader(space)
    return null
  }

  private async startInspector({ space, user }: Request & { kind: 'startInspector' }): Promise<null> {
    if (user) become(user)
    process.chdir(space.directory)
    this.startedInspector = await openInspector(space)
    return null
  }

  private async open({ session: number, state }: Request & { kind: 'open' }): Promise<null> {
    const session = await this.account.openSession(state, (reason) => this.world.die(reason))
    this.sessions.set(number, session)
    return null
  }

  private tellTrouble(message: string): void {
    this.world.send({ kind: 'trouble', message })
  }

  private get account(): DuckDbAccount {
    if (!this.started) throw new Error('The engine has not been started.')
    return this.started
  }

  private get rows(): SentRows {
    return (this.sentRows ??= new SentRows(rowsPipe()))
  }

  private get reader(): LocalReader {
    if (!this.startedReader) throw new Error('The reader has not been started.')
    return this.startedReader
  }

  private get inspector(): LocalInspector {
    if (!this.startedInspector) throw new Error('The inspector has not been started.')
    return this.startedInspector
  }

  private session(number: number): EngineSession {
    const session = this.sessions.get(number)
    if (!session) throw new Error('This session is not open.')
    return session
  }

  private async execute({ id, session: number, sql, options }: Request & { kind: 'execute' }) {
    const authorize = options.authorize === 'all' ? 'all' : (uses: readonly ObjectUse[]) => this.ask(id, uses)
    const sink = options.sendsRows ? this.rows.sinkOf(id, options.sendsRows === 'packed or as columns') : null
    // What a statement writes takes effect only behind the end of its rows.
    const held = sink && options.takenFor === 'reads' ? new HeldRows(sink) : null
    const run = this.session(number).execute(sql, { ...options, authorize, sink: held ?? sink })
    this.statements.set(id, run)
    this.freed.keep()
    this.progressTimer ??= setInterval(() => this.tellProgress(), PROGRESS_EVERY_MS)
    const outcome = await run.outcome
    const answered = held?.take()
    this.statements.delete(id)
    this.verdicts.delete(id)
    if (sink) this.rows.end(id)
    if (this.statements.size === 0) this.rest()
    // Before it is answered, so that the next one finds it.
    if (outcome.state === 'failed' && outcome.error.kind === 'resource') await this.freed.giveBack()
    return outcome.state === 'finished' && answered ? { ...outcome, answered } : outcome
  }

  /** Has the server decide on what a statement uses. */
  private ask(id: number, uses: readonly ObjectUse[]): Promise<Verdict> {
    return new Promise((resolve) => {
      this.verdicts.set(id, resolve)
      this.world.send({ kind: 'uses', id, uses })
    })
  }

  private decide({ statement, verdict }: Request & { kind: 'verdict' }): void {
    const listed = verdict && 'listed' in verdict ? this.listed.take(verdict.listed) : null
    const decided = verdict && 'listed' in verdict ? listed && { ...verdict, listed } : verdict
    this.verdicts.get(statement)?.(decided)
  }

  private async names({ asked, seen }: Request & { kind: 'names' }): Promise<PackedNames | null> {
    const page = seen ? { ...asked.page, seen: this.seen.take(seen) } : asked.page
    const found = await this.account.names({ ...asked, page })
    return found && packNames(found)
  }

  private rest(): void {
    if (this.progressTimer) clearInterval(this.progressTimer)
    this.progressTimer = null
    this.freed.rest()
  }

  private tellProgress(): void {
    for (const [id, run] of this.statements) {
      this.world.send({ kind: 'progress', id, progress: run.progress() })
    }
  }

  private async close(number: number): Promise<null> {
    const session = this.session(number)
    this.sessions.delete(number)
    await session.close()
    return null
  }

  private async stop(): Promise<null> {
    await Promise.all([...this.sessions.values()].map((session) => session.close()))
    await this.started?.close()
    await this.startedReader?.close()
    await this.startedInspector?.close()
    return null
  }
}

function usedCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function unknownRequest(request: never): never {
  throw new Error(`A request of an unknown kind: ${JSON.stringify(request)}`)
}
