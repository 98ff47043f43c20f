import type { SessionState, SqlError } from '../../link/messages.ts'
import { encodeText } from './charsets.ts'
import { CAN, STATUS } from './flags.ts'
import { PayloadBuilder } from './payload-builder.ts'

const OK = 0x00
const EOF = 0xfe
const ERROR = 0xff
const TRACKED = { variable: 0, schema: 1, transaction: 5 } as const

export interface OkFields {
  readonly affectedRows?: number
  readonly lastInsertId?: number
  readonly warnings?: number
  readonly info?: string
  readonly status: number
  /** What has changed since the last answer, for clients that track it. */
  readonly changes?: Buffer | null
}

/** Of a connection: the state of its session, without what belongs to one answer. */
export function statusOf({ isAutocommit, inTransaction, isWithoutBackslash }: SessionState): number {
  return (
    (isAutocommit ? STATUS.autocommit : 0) |
    (inTransaction ? STATUS.inTransaction : 0) |
    (isWithoutBackslash ? STATUS.noBackslash : 0)
  )
}

export const okPacket = (fields: OkFields, capabilities: number): Buffer => okForm(OK, fields, capabilities)

/** Behind the rows of a result, or the columns of one that is fetched in parts. */
export function resultEndPacket(fields: OkFields, capabilities: number): Buffer {
  return capabilities & CAN.deprecateEof ? okForm(EOF, fields, capabilities) : eofPacket(fields)
}

export function eofPacket({ warnings = 0, status }: OkFields): Buffer {
  return new PayloadBuilder().byte(EOF).uint16(Math.min(warnings, 0xffff)).uint16(status).build()
}

function okForm(head: number, fields: OkFields, capabilities: number): Buffer {
  const { affectedRows = 0, lastInsertId = 0, warnings = 0, info = '', status, changes = null } = fields
  const tracked = capabilities & CAN.sessionTrack ? changes : null
  const packet = new PayloadBuilder()
    .byte(head)
    .lengthEncoded(affectedRows)
    .lengthEncoded(lastInsertId)
    .uint16(status | (tracked ? STATUS.sessionChanged : 0))
    .uint16(Math.min(warnings, 0xffff))
  if (info || tracked) packet.lengthEncodedText(info)
  if (tracked) packet.lengthEncodedBytes(tracked)
  return packet.build()
}

/** What differs between two states, as clients read it; null for nothing. */
export function sessionChanges(before: SessionState, after: SessionState): Buffer | null {
  const packet = new PayloadBuilder()
  const add = (kind: number, fields: PayloadBuilder) => packet.byte(kind).lengthEncodedBytes(fields.build())
  for (const [name, value] of Object.entries(after.changed))
    add(TRACKED.variable, new PayloadBuilder().lengthEncodedText(name).lengthEncodedText(value))
  if (before.database !== after.database)
    add(TRACKED.schema, new PayloadBuilder().lengthEncodedText(after.database))
  if (before.inTransaction !== after.inTransaction)
    add(
      TRACKED.transaction,
      new PayloadBuilder().lengthEncodedText(after.inTransaction ? 'T_______' : '________'),
    )
  const changes = packet.build()
  return changes.length === 0 ? null : changes
}

export function errorPacket(error: SqlError, session: SessionState | null): Buffer {
  return new PayloadBuilder()
    .byte(ERROR)
    .uint16(error.code)
    .byte(0x23)
    .bytes(Buffer.from(error.sqlState.padEnd(5, '0').slice(0, 5), 'latin1'))
    .bytes(encodeText(error.message, session?.resultCharset ?? 'utf8mb4'))
    .build()
}
