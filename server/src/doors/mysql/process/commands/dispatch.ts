import type { Client } from '../client.ts'
import { decodeText } from '../wire/charsets.ts'
import { COMMAND } from '../wire/flags.ts'
import { readChangeUser } from '../wire/login-packet.ts'
import { PayloadReader } from '../wire/payload-reader.ts'
import { ProtocolError } from '../wire/protocol-error.ts'
import { eofPacket, statusOf } from '../wire/result-packets.ts'
import { listFields } from './list-fields.ts'
import { answerPlainly, runQuery } from './query.ts'
import {
  closeStatement,
  executeStatement,
  fetchRows,
  keepLongData,
  prepareStatement,
  resetStatement,
} from './statement-commands.ts'

type Handler = (client: Client, packet: Buffer) => void | Promise<void>

const HANDLERS: Readonly<Record<number, Handler>> = {
  [COMMAND.query]: runQuery,
  [COMMAND.prepare]: prepareStatement,
  [COMMAND.execute]: executeStatement,
  [COMMAND.fetch]: fetchRows,
  [COMMAND.longData]: keepLongData,
  [COMMAND.closeStatement]: closeStatement,
  [COMMAND.resetStatement]: resetStatement,
  [COMMAND.listFields]: listFields,
  [COMMAND.ping]: (client) => client.sendOk({}, { ...client.session, changed: {} }),
  [COMMAND.enterDatabase]: enterDatabase,
  [COMMAND.changeUser]: (client, packet) => client.changeUser(readChangeUser(packet, client.login)),
  [COMMAND.resetConnection]: resetConnection,
  [COMMAND.setOption]: setOption,
  [COMMAND.statistics]: statistics,
  [COMMAND.kill]: kill,
}

/** Serves one command. Only this is where a client's wishes become something that the server does. */
export async function dispatch(client: Client, packet: Buffer): Promise<void> {
  const handler = HANDLERS[packet[0] ?? 0]
  if (!handler) throw new ProtocolError(1047, '08S01', 'Unknown command')
  await handler(client, packet)
}

async function enterDatabase(client: Client, packet: Buffer): Promise<void> {
  const database = decodeText(packet.subarray(1), client.session.clientCharset)
  client.send({ kind: 'enter', client: client.number, database })
  await answerPlainly(client)
}

async function resetConnection(client: Client): Promise<void> {
  client.statements.clear()
  client.send({ kind: 'reset', client: client.number })
  await answerPlainly(client)
}

function setOption(client: Client, packet: Buffer): void {
  const option = new PayloadReader(packet, 1).uint16()
  if (option > 1) throw new ProtocolError(1047, '08S01', 'Unknown command')
  client.allowsSeveral = option === 0
  client.transport.writer.packet(eofPacket({ status: statusOf(client.session) }))
}

async function statistics(client: Client): Promise<void> {
  client.send({ kind: 'statistics', client: client.number })
  const { text } = await client.answer('statistics')
  client.transport.writer.packet(Buffer.from(text))
}

async function kill(client: Client, packet: Buffer): Promise<void> {
  const connection = new PayloadReader(packet, 1).uint32()
  client.send({ kind: 'kill', client: client.number, connection })
  await answerPlainly(client)
}
