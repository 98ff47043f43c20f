import type { Column } from '../../../../engines/engine/columns.ts'
import type { RowBatch } from '../../../../engines/engine/sink.ts'
import type { Client } from '../client.ts'
import { valueTypeOf, wireTypeOf } from '../wire/column-definition.ts'
import { binaryRowWriter } from '../wire/binary-rows.ts'
import { CAN, STATUS } from '../wire/flags.ts'
import { resultEndPacket, statusOf } from '../wire/result-packets.ts'
import { sendColumns } from './answer-run.ts'
import { RowSpool, SpoolFull } from './row-spool.ts'
import { mysqlBatches } from './text-encoder.ts'
import type { SqlError } from '../../link/messages.ts'

/**
 * Keeps the rows of a statement until its client fetches them: meanwhile it may send other commands. Gives them, or null
 * where there are none to fetch.
 */
export async function answerCursor(client: Client): Promise<RowSpool | null> {
  let spool: RowSpool | null = null
  let failure: SqlError | null = null
  try {
    for (;;) {
      const answer = await client.nextAnswer()
      if (answer.kind === 'columns') spool = newSpool(client, answer.columns)
      else if (answer.kind === 'rows') {
        failure ??= await kept(spool, answer)
        client.send({ kind: 'granted', client: client.number, bytes: answer.bytes })
      } else if (answer.kind === 'ended') {
        const error = answer.error ?? failure
        if (!error && !spool) client.sendOk(answer, answer.session)
        else if (error || !spool) {
          if (error) client.sendError(error)
          client.moveTo(answer.session)
        } else {
          const { status, changes } = client.moveTo(answer.session, STATUS.cursorExists)
          sendCursor(client, spool, { status, changes: changes ?? null, warnings: answer.warnings })
          const opened = spool
          spool = null
          return opened
        }
        return null
      } else if (answer.kind === 'refused') {
        client.sendError(answer.error)
        return null
      } else throw new Error(`The server answered a statement with '${answer.kind}'.`)
    }
  } finally {
    spool?.close()
  }
}

function newSpool({ settings, session, cursorSpace: space }: Client, columns: readonly Column[]): RowSpool {
  const convert = mysqlBatches(columns, session.resultCharset)
  return new RowSpool(columns, { folder: settings.temporaryFolder, space, convert })
}

async function kept(
  spool: RowSpool | null,
  { batch, bytes }: { batch: RowBatch; bytes: number },
): Promise<SqlError | null> {
  try {
    await spool?.add(batch, bytes)
    return null
  } catch (error) {
    const isFull = error instanceof SpoolFull || (error as NodeJS.ErrnoException).code === 'ENOSPC'
    const message = isFull
      ? 'The result is too large for a cursor beside those that are open: close some, fetch it without one, or select less.'
      : 'The rows of the cursor cannot be kept.'
    return { code: 1021, sqlState: 'HY000', message }
  }
}

interface CursorEnd {
  readonly status: number
  readonly changes: Buffer | null
  readonly warnings: number
}

/** Columns without rows: what ends them says that there is a cursor, also to clients that expect no such end. */
function sendCursor(client: Client, spool: RowSpool, end: CursorEnd): void {
  sendColumns(client, spool.columns, end.status)
  if (client.capabilities & CAN.deprecateEof)
    client.transport.writer.packet(resultEndPacket(end, client.capabilities))
}

/** Sends so many rows at most. Gives whether they were the last. */
export async function fetchFromCursor(client: Client, spool: RowSpool, count: number): Promise<boolean> {
  const { writer } = client.transport
  const { columns } = spool
  const write = binaryRowWriter(columns.map((column) => wireTypeOf(valueTypeOf(column))))
  for (let left = count; left > 0;) {
    const current = await spool.current()
    if (!current) break
    const to = Math.min(current.batch.rows, current.row + left)
    write(current.batch, writer, { from: current.row, to })
    left -= to - current.row
    current.row = to
    await client.drained()
  }
  const status = statusOf(client.session) | (spool.isAtEnd ? STATUS.lastRowSent : STATUS.cursorExists)
  writer.packet(resultEndPacket({ status }, client.capabilities))
  return spool.isAtEnd
}
