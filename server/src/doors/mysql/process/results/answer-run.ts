import type { Column } from '../../../../engines/engine/columns.ts'
import type { Client } from '../client.ts'
import { sendLocalFile } from '../commands/local-file.ts'
import type { AnswerOf } from '../inbox.ts'
import { columnPacket } from '../wire/column-definition.ts'
import { CAN, STATUS } from '../wire/flags.ts'
import { PayloadBuilder } from '../wire/payload-builder.ts'
import { eofPacket, resultEndPacket, statusOf } from '../wire/result-packets.ts'
import type { RowEncoder, RowForm } from './text-encoder.ts'

/** Hands on what the statements of a text answer, as it comes: a result is never here as a whole. */
export async function answerRun(client: Client, form: RowForm): Promise<void> {
  const { writer } = client.transport
  let encoder: RowEncoder | null = null
  let hasFailed = false
  for (;;) {
    const answer = await client.nextAnswer()
    if (answer.kind === 'columns') {
      sendColumns(client, answer.columns)
      encoder = form(answer.columns, client.session.resultCharset)
    } else if (answer.kind === 'rows') {
      encoder?.(answer.batch, writer)
      writer.owe(answer.bytes)
    } else if (answer.kind === 'file-wanted') await sendLocalFile(client, answer.name)
    else if (answer.kind === 'refused') return client.sendError(answer.error)
    else if (answer.kind === 'ended') {
      // MySQL ends a text with the first statement that fails.
      if (!hasFailed) sendEnd(client, answer, encoder !== null)
      hasFailed ||= answer.error !== null
      encoder = null
      if (answer.isLast) return
    } else throw new Error(`The server answered a statement with '${answer.kind}'.`)
  }
}

export function sendColumns(
  client: Client,
  columns: readonly Column[],
  status = statusOf(client.session),
): void {
  const { writer } = client.transport
  const { resultCharset: charset } = client.session
  writer.packet(new PayloadBuilder().lengthEncoded(columns.length).build())
  for (const column of columns) writer.packet(columnPacket(column, { charset }))
  if (!(client.capabilities & CAN.deprecateEof)) writer.packet(eofPacket({ status }))
}

function sendEnd(client: Client, ended: AnswerOf<'ended'>, hasResult: boolean): void {
  const { session, isLast, error, warnings } = ended
  const more = isLast ? 0 : STATUS.moreResults
  if (error) {
    client.sendError(error)
    client.moveTo(session)
  } else if (hasResult) {
    const fields = { warnings, ...client.moveTo(session, more) }
    client.transport.writer.packet(resultEndPacket(fields, client.capabilities))
  } else client.sendOk(ended, session, more)
}
