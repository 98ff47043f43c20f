import { codeName, CODES } from '@boathouse/contract/codes'
import { NO_SELECT_LIMIT } from '@boathouse/contract/limits'
import { QUERY_STATES, type QueryRsp } from '@boathouse/contract/realtime'
import { newNonce } from '@boathouse/contract/signature'
import type { RealtimeClient } from '../realtime-client.ts'
import { createSession, DroppedError } from '../session.ts'
import type { Api } from './api.ts'
import { ChannelError, StatementError } from './errors.ts'
import { createResult } from './read-result.ts'
import type { Result } from './result.ts'
import type { Place, Progress, RunOptions, Session, SessionOptions } from './session.ts'
import { createStopping } from './stopping.ts'
import { boundValues } from './bind-values.ts'

interface SessionParts {
  readonly channel: RealtimeClient
  readonly api: Api
  readonly options: SessionOptions
  readonly closed: () => void
}

const ENDED = {
  codeName: 'LoginRequired',
  code: CODES.LoginRequired.code,
  message: 'The sign-in has ended, or the client was closed. Connect again.',
} as const

const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

function preparation({ warehouse, catalog, database, rowLimit }: SessionOptions): string {
  const limit = rowLimit === undefined ? NO_SELECT_LIMIT : String(Math.max(1, Math.trunc(rowLimit)))
  return [
    `SET sql_select_limit = ${limit}`,
    ...(warehouse === undefined ? [] : [`SET WAREHOUSE ${quotedName(warehouse)}`]),
    ...(catalog === undefined ? [] : [`SET CATALOG ${quotedName(catalog)}`]),
    ...(database === undefined ? [] : [`USE ${quotedName(database)}`]),
  ].join('; ')
}

const failure = (answer: QueryRsp): StatementError =>
  new StatementError({
    codeName: codeName(answer.errCode) ?? 'UnknownCode',
    code: answer.errCode,
    message: answer.errMsg,
    queryId: answer.queryId,
    statementIndex: answer.statementIndex,
    position: answer.errPosition,
    kind: answer.errKind,
  })

/** One that was refused did not run; of another nobody knows. */
function dropped(error: DroppedError): ChannelError | StatementError {
  const { message, reason } = error
  if (reason !== 'refused') return new ChannelError({ codeName: 'Dropped', code: 0, message, cause: error })
  const { code } = CODES.BadInput
  const nowhere = { queryId: '', statementIndex: 0, position: null, kind: '' }
  return new StatementError({ codeName: 'BadInput', code, message, cause: error, ...nowhere })
}

const progressOf = (answer: QueryRsp): Progress => ({
  percent: answer.progress,
  rows: answer.progressRows,
  totalRows: answer.progressTotalRows,
  queuePlace: answer.queuePlace,
})

/** A session whose connection is kept alive by its number. */
export interface NamedSession extends Session {
  readonly connId: () => number
}

/** A session that is ready: it has its place before the first statement runs. */
export async function beginSession({ channel, api, options, closed }: SessionParts): Promise<NamedSession> {
  const session = createSession(channel, newNonce())
  let place: Place = { catalog: '', database: '', warehouse: '' }

  async function answersOf(sql: string, { signal, onProgress, values }: RunOptions): Promise<QueryRsp[]> {
    signal?.throwIfAborted()
    if (channel.status() === 'closed') throw new ChannelError(ENDED)
    const requestId = newNonce()
    const stopping = createStopping(() => api.editor.kill({ requestId }), signal)
    try {
      return await session.ask(sql, {
        requestId,
        values: values && boundValues(values),
        signal: stopping.gaveUp,
        onRunning: (answer) => onProgress?.(progressOf(answer)),
      })
    } catch (error) {
      if (!(error instanceof DroppedError)) throw error
      throw dropped(error)
    } finally {
      stopping.end()
    }
  }

  async function runAll(sql: string, run: RunOptions = {}): Promise<Result[]> {
    const answers = await answersOf(sql, run)
    const last = answers.at(-1)
    if (last && last.catalog !== '')
      place = { catalog: last.catalog, database: last.db, warehouse: last.warehouse }
    const failed = answers.find(({ queryState }) => queryState === QUERY_STATES.Failed)
    if (failed?.errCode === CODES.Cancelled.code) run.signal?.throwIfAborted()
    if (failed) throw failure(failed)
    const isLimited = options.rowLimit !== undefined
    const reading = { signal: run.signal }
    return Promise.all(answers.map((answer) => createResult({ answer, api, isLimited, options: reading })))
  }

  function close(): void {
    session.end()
    closed()
  }

  try {
    await runAll(preparation(options))
  } catch (error) {
    session.end()
    throw error
  }
  return {
    async run(sql, run) {
      const result = (await runAll(sql, run)).at(-1)
      if (!result) throw new ChannelError({ codeName: 'BadAnswer', code: 0, message: 'There was no answer.' })
      return result
    },
    runAll,
    place: () => place,
    close,
    connId: session.connId,
  }
}
