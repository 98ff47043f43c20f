import type { Client } from '../client.ts'
import { decodeText } from '../wire/charsets.ts'
import { columnPacket } from '../wire/column-definition.ts'
import { PayloadReader } from '../wire/payload-reader.ts'
import { resultEndPacket, statusOf } from '../wire/result-packets.ts'

/** COM_FIELD_LIST: the columns of a table, by which command lines complete names. */
export async function listFields(client: Client, packet: Buffer): Promise<void> {
  const { clientCharset, resultCharset: charset } = client.session
  const reader = new PayloadReader(packet, 1)
  const table = decodeText(reader.zeroEnded(), clientCharset)
  const like = decodeText(reader.rest(), clientCharset)
  client.send({ kind: 'list-fields', client: client.number, table, like })
  const answer = await client.answer('described', 'refused')
  if (answer.kind === 'refused') return client.sendError(answer.error)
  const { writer } = client.transport
  for (const column of answer.columns ?? [])
    writer.packet(columnPacket(column, { charset, hasDefault: true }))
  writer.packet(resultEndPacket({ status: statusOf(client.session) }, client.capabilities))
}
