import { type Input, LIMITS, MESSAGES, type Output, PREVIEW_PROGRAM, type query } from '@boathouse/contract'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { StatementAnswer } from './answers/answer.ts'
import { shortened } from './answers/shortened.ts'
import type { Analyses } from './analysis/analyses.ts'
import type { ClientConnection } from './connections/client-connection.ts'
import type { Queries } from './service.ts'

type Order = Input<typeof query.preview>
type Preview = Output<typeof query.preview>

export interface PreviewParts {
  readonly connections: Pick<Queries['connections'], 'open'>
  readonly analyses: Pick<Analyses, 'analyse'>
  readonly isRunning: (warehouseId: string) => boolean
}

const PREVIEW_MS = LIMITS.queryPreviewSeconds * 1_000
/** So long it also waits for a warehouse that it resumes. */
const RESUME_MS = 60_000

/** The engine is asked for no more than is shown, and the gate refuses what changes something. */
const VARIABLES = {
  sql_select_limit: String(LIMITS.queryPreviewRows),
  max_statement_time: String(LIMITS.queryPreviewSeconds),
  transaction_read_only: '1',
}

const superseded = () => new AppError('Cancelled', 'The text changed before its preview was there.')
const tooSlow = () =>
  new AppError(
    'StatementTimedOut',
    `There are no rows after ${LIMITS.queryPreviewSeconds} s. Run the statement to wait for them.`,
  )

/** The first rows of what somebody is writing: a bounded run, of which each user has one at a time. */
export function createPreviews({ connections, analyses, isRunning }: PreviewParts) {
  const current = new Map<string, AbortController>()

  async function requireOnlyReads(actor: Actor, sql: string): Promise<void> {
    const { count, statements } = await analyses.analyse(actor, sql)
    const [statement] = statements
    if (count !== 1 || !statement)
      throw new AppError('BadInput', `sql: A preview is of one statement; this text has ${count}.`)
    if (statement.class !== 'reads' || statement.draws)
      throw new AppError('BadInput', 'sql: Only a statement that reads has a preview.')
  }

  /** Between its steps nothing is there that could be cancelled. */
  async function run(
    connection: ClientConnection,
    order: Order,
    stop: AbortSignal,
  ): Promise<StatementAnswer> {
    const { sql, catalog, database, warehouse, values, resumes } = order
    await connection.moveTo({
      ...(catalog !== '' && { catalog }),
      ...(database !== '' && { database }),
      ...(warehouse !== '' && { warehouse }),
    })
    stop.throwIfAborted()
    const { warehouseId } = await connection.settings()
    if (!resumes && (warehouseId === null || !isRunning(warehouseId)))
      throw new AppError('NoRunningWarehouse', MESSAGES.noRunningWarehouse)
    // A statement that is not complete yet is no failure that the history is to list. With values it is bound when it runs.
    if (values === undefined) await connection.describe(sql)
    stop.throwIfAborted()
    const [answer] = await connection.run(sql, { isSingle: true, values })
    if (!answer) throw new AppError('BadInput', 'sql: There is no statement in it.')
    return answer
  }

  return {
    async preview(
      { actor, clientIp, gone }: Caller & { readonly actor: Actor },
      order: Order,
    ): Promise<Preview> {
      current.get(actor.userId)?.abort(superseded())
      const stop = new AbortController()
      current.set(actor.userId, stop)
      const leave = () => stop.abort(superseded())
      gone?.addEventListener('abort', leave)
      if (gone?.aborted) leave()
      const late = setTimeout(
        () => stop.abort(tooSlow()),
        PREVIEW_MS + (order.resumes ? RESUME_MS : PREVIEW_MS),
      )
      try {
        const connection = await connections.open(
          { known: actor, now: async () => actor },
          { door: 'channel', program: PREVIEW_PROGRAM, variables: VARIABLES },
          clientIp,
        )
        const cancel = () => void connection.cancel()
        stop.signal.addEventListener('abort', cancel)
        try {
          stop.signal.throwIfAborted()
          await requireOnlyReads(actor, order.sql)
          const answer = await run(connection, order, stop.signal)
          stop.signal.throwIfAborted()
          return present(answer)
        } catch (error) {
          return withoutRows(stop.signal.aborted ? stop.signal.reason : error)
        } finally {
          await connection.close()
        }
      } finally {
        clearTimeout(late)
        gone?.removeEventListener('abort', leave)
        if (current.get(actor.userId) === stop) current.delete(actor.userId)
      }
    },
  }
}

function present(answer: StatementAnswer): Preview {
  const { queryId, state, code, message, result, firstRows, timeUsedMs } = answer
  if (code === 'StatementTimedOut') throw tooSlow()
  if (state !== 'finished' || !result) throw new AppError(code === 'Ok' ? 'QueryFailed' : code, message)
  const { rows, longCells } = shortened(result.rows)
  return {
    queryId,
    fields: [...result.columns],
    rows,
    longCells: [...(result.longCells ?? []), ...longCells],
    hasMore: firstRows !== null,
    durationMs: timeUsedMs,
    problem: null,
  }
}

function withoutRows(error: unknown): Preview {
  if (!(error instanceof AppError)) throw error
  const { code, message } = error
  const problem = { code, message }
  return { queryId: '', fields: [], rows: [], longCells: [], hasMore: false, durationMs: 0, problem }
}

export type Previews = ReturnType<typeof createPreviews>
