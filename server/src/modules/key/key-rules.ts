import { timingSafeEqual } from 'node:crypto'
import { holdsAddress, type KeyDoor, plainAddress, readRanges } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { ipOf } from '../../kernel/client-address.ts'
import type { KeyRow } from './store.ts'

const DOOR_NAMES: Readonly<Record<KeyDoor, string>> = {
  http: 'the HTTP API',
  mysql: 'MySQL connections',
  ingest: 'stream load',
  mcp: 'MCP',
}

export const isOver = (until: Date | null, now: Date): boolean => until !== null && until <= now

/** Of its secret, and of the one before while both are valid. */
export const validHashes = (key: KeyRow, now: Date): readonly Buffer[] =>
  key.former_hash && key.former_until && key.former_until > now
    ? [key.secret_hash, key.former_hash]
    : [key.secret_hash]

/** The one of a key's hashes that this is. */
export const matching = (key: KeyRow, hash: Buffer, now: Date): Buffer | undefined =>
  validHashes(key, now).find((one) => one.length === hash.length && timingSafeEqual(one, hash))

/** Said only to who has its secret. */
export function requireUsable(
  key: KeyRow,
  { door, clientIp, now }: { door: KeyDoor; clientIp: string; now: Date },
): void {
  if (isOver(key.expires_at, now))
    throw new AppError(
      'LoginRequired',
      `The API key ${key.name} expired at ${key.expires_at?.toISOString()}. Create another one.`,
    )
  if (!key.doors.includes(door))
    throw new AppError('NoPermission', `The API key ${key.name} does not allow ${DOOR_NAMES[door]}.`)
  // A list that cannot be read opens nothing.
  if (key.addresses !== '' && !holdsAddress(readRanges(key.addresses) ?? [], ipOf(clientIp)))
    throw new AppError(
      'IpBlocked',
      `The API key ${key.name} is not allowed from ${plainAddress(ipOf(clientIp))}.`,
    )
}
