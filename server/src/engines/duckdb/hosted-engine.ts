import { type EngineSession, type QueryRun, ResultRefused, SessionRefused } from '../engine.ts'
import { type DuckDbAccount, openAccount } from './account.ts'
import { readReport } from './errors.ts'
import { FreedMemory } from './freed-memory.ts'
import type { Answers, Hint, Report, Request } from './protocol.ts'
import { become } from './host-user.ts'
import { showLife } from './sign-of-life.ts'

export interface HostWorld {
  send(report: Report): void
  /** Ends this process, telling why. */
  die(reason: string): void
}

const PROGRESS_EVERY_MS = 200

type Asked = Exclude<Request, Hint>

/** The engine's side of the protocol: sessions and statements by the numbers the server gave them. */
export class HostedEngine {
  private started: DuckDbAccount | null = null
  private readonly sessions = new Map<number, EngineSession>()
  private readonly statements = new Map<number, QueryRun>()
  private progressTimer: NodeJS.Timeout | null = null
  private readonly freed = new FreedMemory({
    giveBack: () => this.account.giveBackMemory(),
    onTrouble: (message) => this.tellTrouble(message),
  })

  constructor(private readonly world: HostWorld) {}

  async receive(request: Request): Promise<void> {
    if (request.kind === 'makeReady')
      return this.sessions.get(request.session)?.makeReady(request.sql, request.options)
    const { id } = request
    try {
      // Begun before anything is awaited: a statement must be known when its cancellation is read right after it.
      this.world.send({ kind: 'answer', id, answer: await this.answer(request) })
    } catch (error) {
      this.world.send({ kind: 'refusal', id, ...this.refusal(error) })
    }
  }

  private answer(request: Asked): Promise<Answers[keyof Answers]> {
    switch (request.kind) {
      case 'start':
        return this.start(request)
      case 'open':
        return this.open(request)
      case 'execute':
        return this.execute(request)
      case 'cancel':
        void this.statements.get(request.statement)?.cancel()
        return Promise.resolve(null)
      case 'tookEffect':
        return this.account.tookEffect(request.queryIds)
      case 'forgetEffects':
        return this.account.forgetEffects(request.before).then(() => null)
      case 'resize':
        return this.account.resize(request.size).then(() => null)
      case 'readResult':
        return this.account.results.read(request.queryId, request.window)
      case 'readCell':
        return this.account.results.cell(request.queryId, request.place)
      case 'exportResult':
        return this.account.results.export(request.queryId, request.format, request.file)
      case 'dropResults':
        return this.account.results.drop(request.queryIds).then(() => null)
      case 'listResults':
        return this.account.results.list()
      case 'close':
        return this.close(request.session)
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

  private async start({ space, user }: Request & { kind: 'start' }): Promise<null> {
    const onTrouble = (message: string) => this.tellTrouble(message)
    // Before anything of the account is touched.
    if (user) become(user)
    process.chdir(space.directory)
    this.started = await openAccount(space, { onTrouble })
    await showLife(space.directory, onTrouble)
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

  private session(number: number): EngineSession {
    const session = this.sessions.get(number)
    if (!session) throw new Error('This session is not open.')
    return session
  }

  private async execute({ id, session: number, sql, options }: Request & { kind: 'execute' }) {
    const run = this.session(number).execute(sql, options)
    this.statements.set(id, run)
    this.freed.keep()
    this.progressTimer ??= setInterval(() => this.tellProgress(), PROGRESS_EVERY_MS)
    const outcome = await run.outcome
    this.statements.delete(id)
    if (this.statements.size === 0) this.rest()
    // Before it is answered, so that the next one finds it.
    if (outcome.state === 'failed' && outcome.error.kind === 'resource') await this.freed.giveBack()
    return outcome
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
    return null
  }
}

function unknownRequest(request: never): never {
  throw new Error(`A request of an unknown kind: ${JSON.stringify(request)}`)
}
