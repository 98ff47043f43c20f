import { DEFAULT_CATALOG, DEFAULT_DATABASE, MESSAGES } from '@boathouse/contract'
import { NOTHING_TO_LOSE } from '../../../engines/engine/session.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { jsonText } from '../../../store/json-text.ts'
import type { QueryStore } from '../store.ts'
import type { Connection, ConnectionRequest } from './connection.ts'
import type { Present } from './connection-cache.ts'

/** Open consoles and programs keep their connections alive every half minute: these were left behind. */
const UNUSED_MS = 10 * 60_000

/** How many connections may be open at once. */
export interface ConnectionLimits {
  readonly perAccount: number
  readonly perUser: number
}

const shareFull = ({ perUser, perAccount }: ConnectionLimits): string =>
  `${MESSAGES.connectionLimit}: you have ${perUser}, the maximum for one user of the ${perAccount} of an account. Close tabs or programs that you do not use.`

export interface OpeningParts {
  readonly store: Pick<QueryStore, 'anyConnection' | 'openConnection'>
  readonly present: Present
  readonly clock: Clock
  readonly limits: ConnectionLimits
  /** Called when connections were closed to make room for another. */
  readonly forget: (ids: readonly number[]) => void
  readonly onClosed: (ids: readonly number[]) => void
}

/** Opens a connection, in the place of the previous one; throws when the user or the account has too many. */
export async function openConnection(
  { store, present, clock, limits, forget, onClosed }: OpeningParts,
  actor: Actor,
  request: ConnectionRequest,
): Promise<Connection> {
  const { previousConnectionId, place } = request
  const previous =
    previousConnectionId > 0 ? await store.anyConnection(actor.userId, previousConnectionId) : undefined
  const from = previous && present(previous)
  // What an open one has is still there, and stays its own.
  const lost = previous?.closed_at ? present(previous) : NOTHING_TO_LOSE
  const now = clock.now()
  const asked = {
    ...(request.newId !== undefined && { connection_id: request.newId }),
    account_id: actor.accountId,
    user_id: actor.userId,
    client_id: request.clientId,
    catalog: place?.catalog ?? from?.catalog ?? DEFAULT_CATALOG,
    database_name: place ? place.database : from ? from.database : DEFAULT_DATABASE,
    warehouse_id: place ? place.warehouseId : (from?.warehouseId ?? null),
    variables: jsonText(place?.variables ?? from?.variables ?? {}),
    in_transaction: lost.inTransaction,
    has_temporary: lost.hasTemporary,
    created_at: now,
    last_used_at: now,
  }
  const { connection, closed, full } = await store.openConnection(asked, {
    mostOfAccount: limits.perAccount,
    mostOfUser: limits.perUser,
    unusedSince: new Date(now.getTime() - UNUSED_MS),
  })
  forget(closed)
  if (closed.length > 0) onClosed(closed)
  if (!connection)
    throw new AppError('ConnectionLimit', full === 'user' ? shareFull(limits) : MESSAGES.connectionLimit)
  return present(connection)
}
