import { LIMITS } from '@boathouse/contract'
import {
  likeMatcher,
  type PipeChange,
  readAlterPipe,
  readCreatePipe,
  readDescribePipe,
  readDropPipe,
  readShow,
  type Statement,
  type StatementKind,
} from '@boathouse/sql'
import { AppError } from '../../../kernel/app-error.ts'
import { placeNamed } from '../../query/sessions/named-place.ts'
import { NO_ROWS, ownRows } from '../../query/sessions/own-rows.ts'
import type { Answer, SessionEffect, SessionTools } from '../../query/sessions/session-tools.ts'
import { readableIn } from '../../query/sessions/unreadable.ts'
import type { Who } from './pipe-creation.ts'
import { listedPipe } from './pipe-listing.ts'
import type { PipeRow } from './pipe-row.ts'
import type { PipePlace } from './pipe-store.ts'
import type { Pipes } from './service.ts'

const FORMS = {
  create:
    'CREATE [OR REPLACE] PIPE [IF NOT EXISTS] [[catalog.]database.]name [PROPERTIES ("name" = "value", …)] AS INSERT INTO table [(columns)] SELECT * FROM FILES("path" = "…", "format" = "csv|json|parquet", …) [WHERE condition]',
  alter:
    'ALTER PIPE [IF EXISTS] name SUSPEND | RESUME | SET PROPERTY ("name" = "value", …) | RETRY ALL | RETRY FILE \'path\' | SKIP FILE \'path\'',
  drop: 'DROP PIPE [IF EXISTS] name',
  describe: 'DESC PIPE name',
  show: "SHOW PIPES [FROM [catalog.]database] [LIKE 'pattern' | WHERE NAME = 'name']",
} as const

const readable = readableIn(FORMS)
const DONE: SessionEffect = { result: NO_ROWS }

const SHOWN = [
  'DATABASE_NAME',
  'PIPE_ID',
  'PIPE_NAME',
  'STATE',
  'TABLE_NAME',
  'LOAD_STATUS',
  'LAST_ERROR',
  'CREATED_TIME',
]
const DESCRIBED = ['DATABASE_NAME', 'ID', 'NAME', 'TYPE', 'TABLE_NAME', 'SOURCE', 'SQL', 'PROPERTIES']

const whoOf = ({ actor, clientIp }: SessionTools): Who => ({ actor, clientIp: clientIp ?? '' })

/** Of a statement, what is not there or wrong in it is a fault of its text. */
const asStatement = (error: unknown): unknown =>
  error instanceof AppError && ['NotFound', 'NameTaken', 'BadInput', 'Conflict'].includes(error.code)
    ? new AppError('QueryFailed', error.message)
    : error

const isMissing = (error: unknown): boolean => error instanceof AppError && error.code === 'NotFound'

/** An unqualified name is in the database of the connection. */
async function placeOf(
  path: readonly string[],
  tools: SessionTools,
): Promise<PipePlace & { readonly name: string }> {
  const name = path.at(-1) ?? ''
  if (path.length > 3)
    throw new AppError('QueryFailed', 'A name has at most three parts: catalog, database and name.')
  return { ...(await placeNamed(path.slice(0, -1), tools)), name }
}

interface Alteration {
  readonly row: PipeRow
  readonly change: PipeChange
  readonly who: Who
}

async function apply(pipes: Pipes, { row, change, who }: Alteration): Promise<unknown> {
  switch (change.does) {
    case 'suspend':
      return pipes.suspend(who, row)
    case 'resume':
      return pipes.resume(who, row)
    case 'retry-all':
      return pipes.retryAll(who, row)
    case 'set':
      return pipes.set(who, row, change.properties)
    case 'retry':
      return pipes.retry(who, row, { path: change.file })
    case 'skip':
      return pipes.skip(who, row, { path: change.file })
  }
}

/** Statements about pipes: the same functions as behind the calls. */
export function pipeStatements(pipes: () => Pipes): Partial<Record<StatementKind, Answer>> {
  const found = async (path: readonly string[], tools: SessionTools): Promise<PipeRow> => {
    const { name, ...place } = await placeOf(path, tools)
    return pipes().named(tools.actor, place, name)
  }

  async function create(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
    const {
      name: path,
      lenient,
      replaces,
      properties,
      insert,
      text,
    } = readable(readCreatePipe(statement), 'create')
    const { name, ...place } = await placeOf(path, tools)
    const isThere =
      lenient &&
      (await pipes()
        .named(tools.actor, place, name)
        .then(() => true)
        .catch((error: unknown) => {
          if (isMissing(error)) return false
          throw error
        }))
    if (isThere) return DONE
    const table = await placeOf(insert.table, tools)
    await pipes().create(whoOf(tools), { place, name, table, insert, properties, text, replaces })
    return DONE
  }

  async function unlessMissing(lenient: boolean, path: readonly string[], tools: SessionTools) {
    return found(path, tools).catch((error: unknown) => {
      if (lenient && isMissing(error)) return null
      throw error
    })
  }

  const answers: Partial<Record<StatementKind, Answer>> = {
    'create-pipe': create,
    'alter-pipe': async (statement, tools) => {
      const { name, lenient, change } = readable(readAlterPipe(statement), 'alter')
      const row = await unlessMissing(lenient, name, tools)
      if (row) await apply(pipes(), { row, change, who: whoOf(tools) })
      return DONE
    },
    'drop-pipe': async (statement, tools) => {
      const { name, lenient } = readable(readDropPipe(statement), 'drop')
      const row = await unlessMissing(lenient, name, tools)
      if (row) await pipes().drop(whoOf(tools), row)
      return DONE
    },
    'describe-pipe': async (statement, tools) => {
      const { name } = readable(readDescribePipe(statement), 'describe')
      const row = await found(name, tools)
      const cells = [
        row.database_name,
        row.pipe_id,
        row.name,
        'FILE',
        row.table_name,
        JSON.stringify({ path: row.source.path, format: row.source.format, ...row.source.options }),
        row.statement,
        JSON.stringify(row.properties),
      ]
      return { result: ownRows(DESCRIBED, [cells]) }
    },
    'show-pipes': async (statement, tools) => {
      const { from, like } = readable(readShow(statement), 'show')
      const isLike = likeMatcher(like)
      const place =
        from || tools.connection.database !== null ? await placeNamed(from ?? [], tools) : undefined
      const { whole } = await pipes().list(tools.actor, { place, offset: 0, limit: LIMITS.pipesPerAccount })
      const rows = whole
        .filter(({ row }) => isLike(row.name))
        .map((one) => {
          const listed = listedPipe(one)
          return SHOWN.map((column) => cellOf(listed[column.toLowerCase() as keyof typeof listed]))
        })
      return { result: ownRows(SHOWN, rows) }
    },
  }
  return Object.fromEntries(
    Object.entries(answers).map(([kind, answer]) => [
      kind,
      (statement: Statement, tools: SessionTools) =>
        answer(statement, tools).catch((error: unknown) => {
          throw asStatement(error)
        }),
    ]),
  )
}

const cellOf = (value: string | null): string | null =>
  value !== null && /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? value.slice(0, 19).replace('T', ' ') : value
