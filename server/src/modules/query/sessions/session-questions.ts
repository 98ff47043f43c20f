import { type AskedValue, readSessionQuestion, type SessionQuestion, type Statement } from '@boathouse/sql'
import type { Column } from '../../../engines/engine/columns.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { ipOf } from '../../../kernel/client-address.ts'
import { DidNotFinish, failed, withError } from '../running/ending.ts'
import type { Connection } from './connection.ts'
import { nameForMysql } from './named-place.ts'
import { numbers, ownRows } from './own-rows.ts'
import type { Answer, SessionTools } from './session-tools.ts'
import { noSuchVariable, speaksMysql, variableOf } from './session-variables.ts'
import { countOf } from './warnings.ts'

/**
 * What a SELECT asks about its own session: the service answers it, so that a client that connects resumes no warehouse.
 * Functions have the meaning of MySQL for its clients alone; others ask the engine for them. Null for all other statements.
 */
export function sessionQuestion(
  statement: Statement,
  connection: Pick<Connection, 'variables'>,
): SessionQuestion | null {
  if (statement.kind !== 'select') return null
  const question = readSessionQuestion(statement)
  if (!question) return null
  const isOfMysql = speaksMysql(connection)
  return question.values.every(({ asks }) => isOfMysql || asks === 'variable') ? question : null
}

/** Who asks, and on which connection. */
type Session = Pick<SessionTools, 'connection' | 'warnings' | 'counts' | 'clientIp'> & {
  readonly actor: Pick<Actor, 'user'>
}

function databaseOf({ connection: { catalog, database } }: Session): string | null {
  return database === null ? null : nameForMysql({ catalog, database })
}

const nameAt = (user: string, clientIp: string | null): string =>
  `${user}@${clientIp === null ? '%' : ipOf(clientIp)}`

const NOT_FOUND_OUT =
  'How many rows there are behind a LIMIT is not counted: SQL_CALC_FOUND_ROWS has no effect here. Send SELECT COUNT(*) without the LIMIT.'

const FUNCTIONS: Readonly<Record<string, (session: Session) => string | null>> = {
  CONNECTION_ID: ({ connection }) => String(connection.id),
  CURRENT_USER: ({ actor }) => `${actor.user}@%`,
  // The dialect of StarRocks for SQLAlchemy asks for it by this name.
  CURRENT_VERSION: ({ connection }) => variableOf(connection, 'version'),
  DATABASE: databaseOf,
  FOUND_ROWS: ({ counts }) => {
    if (counts.found === null) throw new AppError('QueryFailed', NOT_FOUND_OUT, { detail: 'not-supported' })
    return String(counts.found)
  },
  LAST_INSERT_ID: () => '0',
  ROW_COUNT: ({ counts }) => String(counts.changed),
  SCHEMA: databaseOf,
  SESSION_USER: ({ actor, clientIp }) => nameAt(actor.user, clientIp),
  SYSTEM_USER: ({ actor, clientIp }) => nameAt(actor.user, clientIp),
  USER: ({ actor, clientIp }) => nameAt(actor.user, clientIp),
  VERSION: ({ connection }) => variableOf(connection, 'version'),
}

function missing({ name, offset }: AskedValue & { asks: 'variable' }): DidNotFinish {
  const ending = failed('QueryFailed', noSuchVariable(name), offset)
  return new DidNotFinish(withError(ending, { detail: 'missing-variable' }))
}

function valueOf(asked: AskedValue, session: Session): string | null {
  if (asked.asks === 'function') return FUNCTIONS[asked.name]?.(session) ?? null
  const { connection, warnings } = session
  const value = countOf(asked.name, warnings) ?? variableOf(connection, asked.name)
  if (value === null) throw missing(asked)
  return value
}

/** Those that engines answer in MySQL's words: the names are theirs. */
const OF_ENGINES = new Set(['DATABASE', 'SCHEMA', 'VERSION', 'CURRENT_VERSION'])
const ASKED = Object.keys(FUNCTIONS).filter((name) => !OF_ENGINES.has(name))
const MAY_ASK = new RegExp(String.raw`\b(?:${ASKED.join('|')})\b`, 'i')

/** What functions about the session give inside of a statement that an engine runs; missing where it asks for none. */
export function sessionFunctions(
  { text }: Pick<Statement, 'text'>,
  session: Session,
): Readonly<Record<string, string | null>> | undefined {
  if (!speaksMysql(session.connection) || !MAY_ASK.test(text)) return undefined
  const asked = ASKED.filter((name) => new RegExp(String.raw`\b${name}\b`, 'i').test(text))
  return Object.fromEntries(asked.map((name) => [name, FUNCTIONS[name]?.(session) ?? null]))
}

/** As the engine would read it. */
const WHOLE = /^(?:0|-?[1-9]\d{0,17})$/

const columnFor = ({ heading }: AskedValue, value: string | null): string | Column =>
  value !== null && WHOLE.test(value) ? numbers(heading) : heading

/** Its one row. */
export function answered({ values, limit }: SessionQuestion, session: Session) {
  const row = values.map((asked) => valueOf(asked, session))
  const columns = values.map((asked, at) => columnFor(asked, row[at] ?? null))
  return ownRows(columns, limit === 0 ? [] : [row])
}

export const questionAnswer =
  (question: SessionQuestion): Answer =>
  async (_, tools) => ({ result: answered(question, tools) })
