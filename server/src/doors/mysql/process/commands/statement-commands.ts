import type { SentParameter } from '../../link/messages.ts'
import type { Client } from '../client.ts'
import { answerRun } from '../results/answer-run.ts'
import { answerCursor, fetchFromCursor } from '../results/answer-cursor.ts'
import { binaryRows } from '../results/binary-encoder.ts'
import { columnPacket, parameterPacket } from '../wire/column-definition.ts'
import { CAN } from '../wire/flags.ts'
import { MOST_PARAMETERS, readTypes, readValues } from '../wire/parameters.ts'
import { PayloadBuilder } from '../wire/payload-builder.ts'
import { PayloadReader } from '../wire/payload-reader.ts'
import { ProtocolError, malformed } from '../wire/protocol-error.ts'
import { eofPacket, statusOf } from '../wire/result-packets.ts'
import type { PreparedStatement } from './prepared-statements.ts'
import { readText } from './sent-text.ts'

const MOST_COLUMNS = 0xffff
const READ_ONLY_CURSOR = 0x01
const COUNT_FOLLOWS = 0x08

/** COM_STMT_PREPARE. */
export async function prepareStatement(client: Client, packet: Buffer): Promise<void> {
  const { session, statements, number } = client
  statements.checkRoom(packet.length)
  const sql = readText(client, packet.subarray(1))
  client.send({ kind: 'describe', client: number, sql })
  const answer = await client.answer('described', 'refused')
  if (answer.kind === 'refused') return client.sendError(answer.error)
  const { parameters } = answer
  const columns = answer.columns ?? []
  if (parameters > MOST_PARAMETERS || columns.length > MOST_COLUMNS)
    throw new ProtocolError(1390, 'HY000', 'Prepared statement contains too many placeholders')
  const statement = statements.add(sql, parameters)
  const { writer } = client.transport
  writer.packet(
    new PayloadBuilder()
      .byte(0)
      .uint32(statement.id)
      .uint16(columns.length)
      .uint16(parameters)
      .byte(0)
      .uint16(0)
      .build(),
  )
  const charset = session.resultCharset
  const parameter = parameterPacket(charset)
  for (let at = 0; at < parameters; at++) writer.packet(parameter)
  if (parameters > 0) endDefinitions(client)
  for (const column of columns) writer.packet(columnPacket(column, { charset }))
  if (columns.length > 0) endDefinitions(client)
}

function endDefinitions(client: Client): void {
  if (client.capabilities & CAN.deprecateEof) return
  client.transport.writer.packet(eofPacket({ status: statusOf(client.session) }))
}

/** COM_STMT_EXECUTE. */
export async function executeStatement(client: Client, packet: Buffer): Promise<void> {
  const reader = new PayloadReader(packet, 1)
  const statement = client.statements.get(reader.uint32(), 'mysqld_stmt_execute')
  const flags = reader.byte()
  statement.cursor?.close()
  statement.cursor = null
  // How often, which is always once.
  reader.uint32()
  const parameters = readParameters(client, reader, { statement, flags })
  client.send({ kind: 'run', client: client.number, sql: statement.sql, parameters, allowsSeveral: false })
  if (flags & READ_ONLY_CURSOR) statement.cursor = await answerCursor(client)
  else await answerRun(client, binaryRows)
}

interface Execution {
  readonly statement: PreparedStatement
  readonly flags: number
}

function readParameters(
  client: Client,
  reader: PayloadReader,
  { statement, flags }: Execution,
): SentParameter[] {
  const { statements, session, capabilities } = client
  try {
    if (statement.isOverfull) throw longDataTooLarge()
    const hasNames = (capabilities & CAN.queryAttributes) !== 0
    // Behind those of the statement are attributes of the query. Where it has parameters, the flag is no condition.
    const isCounted = hasNames && (statement.parameters > 0 || (flags & COUNT_FOLLOWS) !== 0)
    const count = isCounted ? reader.lengthEncoded() : statement.parameters
    if (count < statement.parameters) throw malformed()
    if (count === 0) return []
    const nulls = reader.bytes((count + 7) >>> 3)
    if (reader.byte() === 1) statement.types = readTypes(reader, count, hasNames)
    if (statement.types.length < count) throw malformed()
    const types = statement.types.slice(0, count)
    const { clientCharset: charset } = session
    const values = readValues(reader, { types, nulls, charset, longData: statement.longData })
    return values.slice(0, statement.parameters)
  } finally {
    statements.dropLongData(statement)
  }
}

const longDataTooLarge = (): ProtocolError =>
  new ProtocolError(1153, '08S01', `Got a packet bigger than 'max_allowed_packet' bytes`)

/** COM_STMT_FETCH. */
export async function fetchRows(client: Client, packet: Buffer): Promise<void> {
  const reader = new PayloadReader(packet, 1)
  const statement = client.statements.get(reader.uint32(), 'mysqld_stmt_fetch')
  if (!statement.cursor)
    throw new ProtocolError(1421, 'HY000', `The statement (${statement.id}) has no open cursor.`)
  const isOver = await fetchFromCursor(client, statement.cursor, reader.uint32())
  if (!isOver) return
  statement.cursor.close()
  statement.cursor = null
}

/** COM_STMT_SEND_LONG_DATA, which is never answered. */
export function keepLongData(client: Client, packet: Buffer): void {
  if (packet.length < 7) return
  const reader = new PayloadReader(packet, 1)
  const statement = client.statements.find(reader.uint32())
  const parameter = reader.uint16()
  if (statement) client.statements.keepLongData(statement, parameter, reader.rest())
}

/** COM_STMT_CLOSE, which is never answered. */
export function closeStatement(client: Client, packet: Buffer): void {
  if (packet.length < 5) return
  const statement = client.statements.find(new PayloadReader(packet, 1).uint32())
  if (statement) client.statements.close(statement)
}

/** COM_STMT_RESET. */
export function resetStatement(client: Client, packet: Buffer): void {
  const statement = client.statements.get(new PayloadReader(packet, 1).uint32(), 'mysqld_stmt_reset')
  client.statements.dropLongData(statement)
  statement.cursor?.close()
  statement.cursor = null
  client.sendOk({}, { ...client.session, changed: {} })
}
