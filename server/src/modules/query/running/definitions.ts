import { isSameName } from '@boathouse/contract'
import type { Statement } from '@boathouse/sql'
import type { FileOrder } from '../../../engines/engine/files.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { userAuthor } from '../../audit/author.ts'
import type { ChangeNotes, NotedChange, ToldEvents } from './change-notes.ts'
import type { Connection } from '../sessions/connection.ts'
import { definitionEvents, definitionOfLoad, writtenDefinition } from './definition-events.ts'
import type { Ending } from './ending.ts'

export interface DefinitionParts {
  readonly notes: Pick<ChangeNotes, 'begin' | 'taken' | 'notTaken' | 'leave'>
  readonly clock: Clock
  readonly log: Log
}

interface Begun {
  readonly actor: Actor
  readonly clientIp: string | null
  readonly connection: Connection
  readonly queryId: string
  readonly statement: Statement
  readonly file: FileOrder | null
  /** The kind of engine that will remember whether it took effect. */
  readonly engine: string | null
}

interface Ended {
  readonly queryId: string
  readonly statement: Pick<Statement, 'kind'>
  readonly ending: Ending
  /** The connection as the statement left it. */
  readonly after: Pick<Connection, 'id' | 'inTransaction'>
}

/** Of a text, as much as the log shows of it; the whole is in the history. */
const TOLD_TEXT = 2_000
/** Of one transaction, which are kept until it ends. */
const MOST_IN_TRANSACTION = 10_000

const eventIn = ({ told }: NotedChange) => told.event

/** In the words of the engine where it has said what came of them, each with the statement that named it. */
function toldOf(noted: readonly NotedChange[], ending: Ending, at: Date): ToldEvents {
  const [first] = noted
  if (!first) return []
  return definitionEvents(noted.map(eventIn), ending).map((event) => {
    const asked = noted.find(({ told }) => isSameName(told.event.object.id, event.object.id))
    const { by, statement } = eventIn(asked ?? first)
    return { at, by, ...event, ...(statement && (asked || noted.length === 1) ? { statement } : {}) }
  })
}

/**
 * The audit log records statements that define something. Each is noted before it runs, under the id by which its engine
 * remembers it; the note goes with the entry. Of a transaction everything is recorded with its COMMIT. When the server or the
 * engine ends in between, the engine says later what became of it.
 */
export function createDefinitions({ notes, clock, log }: DefinitionParts) {
  /** By query id, while they run. */
  const running = new Map<string, NotedChange>()
  /** By connection, until their transaction ends. */
  const uncommitted = new Map<number, NotedChange[]>()

  function requireRoom({ id }: Connection): void {
    if ((uncommitted.get(id)?.length ?? 0) >= MOST_IN_TRANSACTION)
      throw new AppError(
        'LimitReached',
        `One transaction creates, alters or drops at most ${MOST_IN_TRANSACTION} objects. Commit it, then continue in another one.`,
      )
  }

  async function tell(noted: readonly NotedChange[], ending: Ending): Promise<void> {
    await notes.taken(noted, toldOf(noted, ending, clock.now()))
  }

  function take(connectionId: number): NotedChange[] {
    const found = uncommitted.get(connectionId) ?? []
    uncommitted.delete(connectionId)
    return found
  }

  function keepUntilCommit(connectionId: number, noted: NotedChange): void {
    const known = uncommitted.get(connectionId)
    if (known) known.push(noted)
    else uncommitted.set(connectionId, [noted])
  }

  async function ownEnded(own: NotedChange, { ending, after }: Ended): Promise<void> {
    const isTaken = ending.state === 'finished' || ending.effect === 'taken'
    if (isTaken && after.inTransaction) keepUntilCommit(after.id, own)
    else if (isTaken) await tell([own], ending)
    else if (ending.effect === 'unknown' || ending.effect === 'untold') notes.leave(own)
    else await notes.notTaken(own)
  }

  async function transactionEnded({ statement: { kind }, ending, after }: Ended): Promise<void> {
    const noted = after.inTransaction ? [] : take(after.id)
    if (noted.length === 0) return
    const isTaken = ending.state === 'finished' || ending.effect === 'taken'
    if (kind === 'commit' && isTaken) await tell(noted, ending)
    else if (kind === 'rollback' && ending.state === 'finished') await notes.notTaken(...noted)
    else for (const one of noted) notes.leave(one)
  }

  return {
    /** Before it runs; nothing is done for one that defines nothing. */
    async begins({ actor, clientIp, connection, queryId, statement, file, engine }: Begun): Promise<void> {
      const event = file?.does === 'load' ? definitionOfLoad(file) : writtenDefinition(statement, connection)
      if (!event) return
      requireRoom(connection)
      const by = { ...userAuthor({ actor, clientIp: clientIp ?? '' }), clientIp }
      const told = { queryId, text: statement.text.slice(0, TOLD_TEXT) }
      const noted: NotedChange = {
        id: queryId,
        accountId: actor.accountId,
        begunAt: clock.now(),
        engine,
        told: { event: { by, ...event, statement: told }, follows: [] },
      }
      await notes.begin(noted)
      running.set(queryId, noted)
    },

    /** After every statement. What cannot be recorded now is recorded later: its note is still there. */
    async ended(ended: Ended): Promise<void> {
      const own = running.get(ended.queryId)
      if (!own && !uncommitted.has(ended.after.id)) return
      running.delete(ended.queryId)
      try {
        await transactionEnded(ended)
        if (own) await ownEnded(own, ended)
      } catch (error) {
        const { queryId } = ended
        log.error({ err: error, queryId }, 'what a statement defined is not in the audit log yet')
      }
    },

    /** The session is gone, and what was not committed in it: the engine says so. */
    sessionClosed(connectionId: number): void {
      for (const noted of take(connectionId)) notes.leave(noted)
    },
  }
}

export type Definitions = ReturnType<typeof createDefinitions>
