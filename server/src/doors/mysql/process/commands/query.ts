import type { Client } from '../client.ts'
import { textRows } from '../results/text-encoder.ts'
import { answerRun } from '../results/answer-run.ts'
import { withHexLiterals } from '../wire/binary-literals.ts'
import { CAN } from '../wire/flags.ts'
import { PayloadReader } from '../wire/payload-reader.ts'
import { skipQueryAttributes } from '../wire/parameters.ts'
import { readText } from './sent-text.ts'

/** COM_QUERY. */
export async function runQuery(client: Client, packet: Buffer): Promise<void> {
  const reader = new PayloadReader(packet, 1)
  if (client.capabilities & CAN.queryAttributes) skipQueryAttributes(reader)
  const sql = readText(client, withHexLiterals(reader.rest(), !client.session.isWithoutBackslash))
  client.send({ kind: 'run', client: client.number, sql, allowsSeveral: client.allowsSeveral })
  await answerRun(client, textRows)
}

/** Of a command that has no rows. */
export async function answerPlainly(client: Client): Promise<void> {
  const answer = await client.answer('ended', 'refused')
  const error = answer.kind === 'refused' ? answer.error : answer.error
  if (error) client.sendError(error)
  if (answer.kind === 'refused') return
  if (error) client.moveTo(answer.session)
  else client.sendOk(answer, answer.session)
}
