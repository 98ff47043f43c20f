import { parametersOf } from '@boathouse/sql'
import type { Engine, UseEngineOf } from '../../../engines/engine/engine.ts'
import type { Described } from '../../../engines/engine/describing.ts'
import type { Column } from '../../../engines/engine/columns.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Analyses } from '../analysis/analyses.ts'
import { NoStatement } from '../analysis/no-statement.ts'
import { authorizeStatement, type Privileges } from '../gate/authorize-statement.ts'
import { judge } from '../gate/gate.ts'
import type { Connection } from '../sessions/connection.ts'
import { type Ending, withError } from '../running/ending.ts'
import { writtenOn } from '../running/written-on.ts'
import { runInSession, type SessionRunner } from '../sessions/session-run.ts'
import { actorIn, rolesText } from '../sessions/session-roles.ts'
import { answered, sessionFunctions, sessionQuestion } from '../sessions/session-questions.ts'
import { quotesOf, settingsOf, variableOf } from '../sessions/session-variables.ts'
import { NO_COUNTS } from '../sessions/warnings.ts'

export interface DescribingParts extends SessionRunner {
  readonly analyses: Pick<Analyses, 'analyse'>
  readonly privileges: Privileges
  readonly useEngine: UseEngineOf
}

/** What a program knows of a statement before it runs. */
export interface Description {
  /** Null: it is known when it runs, as of a statement that the service answers, or where the engine cannot say. */
  readonly columns: readonly Column[] | null
  readonly parameters: readonly {
    /** Counted from 1 where it has no name. */
    readonly name: string
    /** The engine's spelling; null where any type will do, or the engine cannot say. */
    readonly type: string | null
  }[]
}

export interface DescribeRequest {
  readonly actor: Actor
  readonly connection: Connection
  readonly sql: string
  readonly stop: AbortSignal
}

/** What the kind of an engine's error says, where it says no more. */
const DETAIL_OF_KIND = { syntax: 'unreadable', missing: 'missing-table' } as const

function appErrorOf({ error }: Ending): AppError {
  const { code = 'QueryFailed', message = '', kind = null } = error ?? {}
  const ofKind = kind === 'syntax' || kind === 'missing' ? DETAIL_OF_KIND[kind] : undefined
  const detail = error?.detail ?? ofKind
  return new AppError(code, message, detail ? { detail } : {})
}

function onlyStatement(statements: readonly AnalysedStatement[], count: number): AnalysedStatement {
  const [statement] = statements
  if (count === 0) throw new NoStatement()
  if (!statement || count !== 1)
    throw new AppError('BadInput', `Only one statement can be prepared at once; this text has ${count}.`)
  return statement
}

/** What was before it does not change what it gives. */
const NOTHING_LEFT = { warnings: [], counts: NO_COUNTS, clientIp: null }

/**
 * Asks the engine what it would bind, in the session of the connection, with the same judgement and privileges as when it
 * runs. Nothing runs, so that nothing is written to the history.
 */
export async function describe(parts: DescribingParts, request: DescribeRequest): Promise<Description> {
  const { actor: whole, connection, sql } = request
  const { statements, count } = await parts.analyses.analyse(whole, sql, quotesOf(connection))
  const statement = onlyStatement(statements, count)
  const verdict = judge(statement)
  if (!verdict.allowed) {
    const { code, message, detail } = verdict.refusal
    throw new AppError(code, message, detail ? { detail } : {})
  }
  const names = parametersOf(statement)
  const unknown = { columns: null, parameters: names.map((name) => ({ name, type: null })) }
  const { kind, class: purpose } = verdict
  if (kind === 'explain' || (purpose !== 'reads' && purpose !== 'writes')) return unknown
  const question = sessionQuestion(statement, connection)
  if (question) {
    const { columns } = answered(question, { actor: whole, connection, ...NOTHING_LEFT })
    return { columns, parameters: [] }
  }
  const actor = await actorIn(connection, whole, parts.privileges)
  const { accountId } = actor
  const described = await parts.useEngine({ accountId, engine: connection.engine }, (engine) =>
    describedBy(parts, engine, { ...request, actor, statement, purpose }),
  )
  if (!described) return unknown
  const types = new Map(described.parameters.map(({ name, type }) => [name, type]))
  return {
    columns: described.columns,
    parameters: names.map((name) => ({ name, type: types.get(name) ?? null })),
  }
}

/** Null when the engine cannot say without running it. */
async function describedBy(
  parts: DescribingParts,
  engine: Engine,
  asked: DescribeRequest & {
    readonly statement: AnalysedStatement
    readonly purpose: 'reads' | 'writes'
  },
): Promise<Described | null> {
  const { actor, connection, statement, purpose, stop } = asked
  if (!engine.describing) return null
  const written = writtenOn(
    statement,
    {},
    {
      variable: (name) => variableOf(connection, name),
      functions: sessionFunctions(statement, { actor, connection, ...NOTHING_LEFT }),
    },
  )
  if ('state' in written) throw appErrorOf(written)
  const { accountId } = actor
  const { authorize, hasDenied } = authorizeStatement(actor, parts.privileges, {
    views: await parts.privileges.materialized(accountId),
    writes: purpose === 'writes',
  })
  const ending = await runInSession(parts, engine, {
    accountId,
    user: actor.user,
    connection,
    sql: statement.text,
    kind: statement.kind,
    draws: false,
    part: 'looks',
    options: {
      takenFor: purpose,
      written,
      authorize,
      roles: rolesText(actor),
      settings: settingsOf(connection),
      maxRows: 0,
      queryId: timeOrderedId(),
      keep: null,
      profile: null,
      describe: engine.describing,
    },
    stop,
    onRun: () => undefined,
  })
  if (ending.state === 'finished') return ending.described ?? null
  throw appErrorOf(hasDenied() ? withError(ending, { code: 'NoPermission' }) : ending)
}
