import { randomUUID } from 'node:crypto'
import type { Output, result } from '@boathouse/contract'
import type { Actor, Caller } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { userAuthor } from '../../audit/author.ts'
import type { AuditEvent } from '../../audit/record.ts'
import type { Needed, Wanted } from '../gate/authorize-statement.ts'
import { valuesIn } from '../sessions/named-values.ts'
import { errorIn, neededIn } from '../history/ended-row.ts'
import type { Queries } from '../service.ts'
import type { QueryStore } from '../store.ts'
import type { ResultStore } from './result-store.ts'
import type { Results } from './results.ts'
import type { SharedStore } from './shared-store.ts'

export interface SharingParts {
  readonly queries: Pick<Queries, 'submit' | 'killConnection'>
  readonly store: Pick<QueryStore, 'findRequest'>
  readonly statements: Pick<ResultStore, 'findRun'>
  readonly results: Pick<Results, 'find'>
  readonly shared: SharedStore
  /** Who somebody is and what they may do now; undefined when they are gone. */
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly endsWritten: () => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

type Sharer = Pick<Caller, 'clientIp'> & { readonly actor: Actor }

const notYours = () => new AppError('NotFound', 'There is no such query of yours.')
const cannot = (why: string) => new AppError('Conflict', `This result cannot be shared. ${why}`)

const DEPENDS = 'What it shows depends on who runs it. Others can run it themselves.'

/** What was asked for when it ran counts as well, should the names in it mean something else by now. */
function together(one: Needed, other: Needed): Needed {
  // Its user may do everything, which says nothing of what it needs.
  if (one === 'all') return other
  if (other === 'all') return 'all'
  const each = new Map<string, Wanted>([...one, ...other].map((wanted) => [JSON.stringify(wanted), wanted]))
  return [...each.values()]
}

/**
 * Lets others look at a kept result. What they must hold is what its statement needs: that of somebody who may do
 * everything was never asked, so an EXPLAIN of it is run once. It is the service that asks: it takes no slot of a
 * warehouse, resumes none and costs nobody anything.
 */
export function createSharing(parts: SharingParts) {
  const { queries, store, statements, results, shared, actorOf, endsWritten, clock, log } = parts

  async function now(actor: Actor): Promise<Actor> {
    const found = await actorOf(actor.userId)
    if (!found) throw new AppError('LoginRequired', 'The user of this request no longer exists.')
    return found
  }

  async function findOwn(actor: Actor, queryId: string) {
    const found = await results.find(actor, queryId)
    if (!found.isOwn) throw notYours()
    return found
  }

  async function explain(actor: Actor, queryId: string, requestId: string): Promise<void> {
    const run = await statements.findRun(actor.accountId, queryId)
    if (!run) throw notYours()
    if (run.sql_hash) throw cannot('The history has only the beginning of its text. Run it again.')
    let connectionId = 0
    try {
      await queries.submit(
        { known: actor, now: () => now(actor) },
        {
          requestId,
          sql: `EXPLAIN ${run.sql}`,
          values: valuesIn(run) ?? undefined,
          connectionId: 0,
          previousConnectionId: run.connection_id ?? 0,
          place: { catalog: run.catalog ?? '', database: run.database_name, warehouseId: run.warehouse_id },
          clientId: 'sharing',
          clientIp: run.client_ip,
          door: 'service',
          notesUses: true,
        },
        (answer) => (connectionId = answer.connectionId),
      )
    } finally {
      await queries
        .killConnection(actor, connectionId)
        .catch((error: unknown) =>
          log.warn({ err: error }, 'the connection of a shared result was not closed'),
        )
    }
  }

  async function neededBy(actor: Actor, queryId: string): Promise<Needed> {
    const requestId = randomUUID()
    await explain(actor, queryId, requestId)
    await endsWritten()
    const [row] = await store.findRequest(actor.accountId, requestId)
    if (row?.state !== 'finished')
      throw cannot(
        `The privileges that its statement requires could not be determined. ${row ? errorIn(row)?.message : ''}`,
      )
    return neededIn(row)
  }

  const told = (
    { actor, clientIp }: Sharer,
    queryId: string,
    what: Pick<AuditEvent, 'action' | 'before' | 'after'>,
  ): AuditEvent => ({
    accountId: actor.accountId,
    at: clock.now(),
    by: userAuthor({ actor, clientIp }),
    object: { type: 'result', id: queryId },
    ...what,
  })

  return {
    async share(sharer: Sharer, queryId: string): Promise<Output<typeof result.share>> {
      const { actor } = sharer
      const { row, expiresAt } = await findOwn(actor, queryId)
      if (row.kind !== 'select') throw cannot('Only the result of a SELECT can be shared.')
      const needed = together(neededIn(row), await neededBy(actor, queryId))
      if (needed === 'all') throw cannot(DEPENDS)
      await shared.share(
        { accountId: actor.accountId, queryId, at: clock.now(), needed },
        told(sharer, queryId, { action: 'result.share', before: null, after: { needed } }),
      )
      return { expiresAt: expiresAt.toISOString() }
    },

    async unshare(sharer: Sharer, queryId: string): Promise<void> {
      const { accountId, userId } = sharer.actor
      const run = await statements.findRun(accountId, queryId)
      if (run?.user_id !== userId) throw notYours()
      const gone = { action: 'result.unshare', before: {}, after: null } as const
      await shared.unshare(accountId, queryId, told(sharer, queryId, gone))
    },

    async facts({ actor, clientIp }: Sharer, queryId: string): Promise<Output<typeof result.facts>> {
      const { row, isOwn, expiresAt } = await results.find(actor, queryId, clientIp)
      return {
        sql: row.sql,
        values: valuesIn(row),
        user: row.user_name,
        catalog: row.catalog ?? '',
        database: row.database_name ?? '',
        endedAt: (row.ended_at ?? clock.now()).toISOString(),
        expiresAt: expiresAt.toISOString(),
        isOwn,
        isShared: !isOwn || (await shared.find(actor.accountId, queryId)) !== undefined,
      }
    },
  }
}

export type Sharing = ReturnType<typeof createSharing>
