import {
  type Classification,
  meantStatement,
  type Piece,
  type StatementClass,
  type StatementKind,
  type Unclosed,
  wordsForComplexity,
} from '@boathouse/sql'
import type { FileOrder } from '../../../engines/engine/files.ts'
import type { ErrorDetail } from '../../../kernel/error-detail.ts'
import type { AnalysedStatement } from '../analysis/analysed-text.ts'

/**
 * Decides on one statement before an engine sees it, closed by default: a kind that is not named here, a text that
 * cannot be analysed, and a function that reaches outside the account's tables are refused.
 */

/** Statements that write and that there are. Which objects they may write to is asked of the engine: `authorize-statement.ts`. */
const WRITING: ReadonlySet<StatementKind> = new Set([
  'insert',
  'update',
  'delete',
  'merge',
  'truncate',
  'create-table',
  'create-view',
  'create-index',
  'create-sequence',
  'create-macro',
  'alter-table',
  'alter-view',
  'alter-sequence',
  'comment-on',
  'drop-table',
  'drop-view',
  'drop-index',
  'drop-sequence',
  // Where a type can be is the engine's to say.
  'create-type',
  'drop-type',
  'drop-macro',
])

/** What the service reads itself: none of it needs more, and all of it is read on the thread that serves everyone. */
const LONGEST_OF_SERVICE = 16 * 1024

/** What the service does with files that were handed to it, and nobody by writing it. */
const OF_FILES: ReadonlyMap<StatementKind, FileOrder['does']> = new Map([
  ['inspect-file', 'inspect'],
  ['load-file', 'load'],
  ['stream-load', 'stream'],
])

type OpenClass = Exclude<StatementClass, 'forbidden'>

export type Verdict =
  | { readonly allowed: true; readonly kind: StatementKind; readonly class: OpenClass }
  | {
      readonly allowed: false
      readonly kind: StatementKind
      readonly class: StatementClass
      readonly refusal: Refusal
    }

interface Refusal {
  readonly code: 'QueryFailed'
  readonly message: string
  /** In the statement's own text, where there is a place to point at. */
  readonly offset: number | null
  readonly detail?: ErrorDetail | undefined
}

const isAvailable = ({ kind, class: kindClass, explained }: Classification): boolean =>
  kindClass !== 'writes' || WRITING.has(explained?.kind ?? kind)

const refuse = (message: string, offset = 0, detail: ErrorDetail = 'not-supported'): Refusal => ({
  code: 'QueryFailed',
  message,
  offset,
  detail,
})

const words = (kind: StatementKind): string => kind.replaceAll('-', ' ').toUpperCase()

const OUTSIDE = `it would reach outside this account's data`
const FOR_OTHERS = 'it would change how the engine works for everyone in the account'

/** The reasons, where they are not that it reaches outside. */
const WHY_NOT: Partial<Record<StatementKind, string>> = {
  attach: 'catalogs are created by the service, with CREATE CATALOG',
  detach: 'catalogs are removed by the service, with DROP CATALOG',
  call: 'write SELECT * FROM and the function, if it is one that is open here',
  checkpoint: `${FOR_OTHERS}, and the service writes everything down by itself`,
  'create-secret': 'secrets are kept by the service, with the catalog that needs them',
  'drop-secret': 'secrets are kept by the service, with the catalog that needs them',
  install: 'the operator of the service chooses the extensions',
  load: 'the operator of the service chooses the extensions',
  'load-data':
    'a file is sent by a client of the MySQL endpoint, with this statement alone in its text, or by stream load over HTTP',
  'update-extensions': 'the operator of the service chooses the extensions',
  pragma: `${FOR_OTHERS}, or show the machine it runs on; SET changes what is of the session, DESCRIBE and SHOW tell the rest`,
}

function forbidden(statement: Judged): Refusal {
  const { kind, explained } = statement
  if (explained) return withoutPlan(explained)
  return kind === 'unknown'
    ? unknown(statement)
    : refuse(`${words(kind)} is not available: ${WHY_NOT[kind] ?? OUTSIDE}.`)
}

function unknown(statement: Judged): Refusal {
  const message = 'This statement is unknown. It cannot be checked, so it did not run.'
  const meant = meantStatement(statement)
  return meant
    ? refuse(`${message} Did you mean ${meant.word}?`, meant.offset, 'unreadable')
    : refuse(message, 0, 'unreadable')
}

const neverClosed = ({ what, closing, offset }: Unclosed): Refusal =>
  refuse(
    `The ${what} that starts here is never closed. Write ${closing} where it ends.`,
    offset,
    'unreadable',
  )

function withoutPlan({ kind, start }: NonNullable<Classification['explained']>): Refusal {
  const what = kind === 'unknown' ? 'what follows here is not one that is known' : `${words(kind)} has none`
  return refuse(`EXPLAIN shows the plan of a statement that reads or writes; ${what}.`, start)
}

function refusalOf(statement: Judged): Refusal | null {
  const { kind, class: kindClass, text, refusedName, tooComplex } = statement
  if (OF_FILES.has(kind))
    return refuse(
      `${words(kind)} can be run by the service only. Choose Load data on the page of a database.`,
    )
  if (refusedName)
    return refuse(`${refusedName.name} is not allowed: ${refusedName.why}.`, refusedName.offset)
  if (tooComplex) return refuse(wordsForComplexity(tooComplex), tooComplex.offset)
  if ((kindClass === 'service' || kindClass === 'session') && text.length > LONGEST_OF_SERVICE)
    return refuse(`${words(kind)} has at most ${LONGEST_OF_SERVICE} characters; this one has ${text.length}.`)
  return isAvailable(statement) ? null : refuse(notAvailable(kind))
}

const NOT_BUILT: Partial<Record<StatementKind, string>> = {
  vacuum: `${FOR_OTHERS}. The service reclaims free space`,
  analyze: 'the engine maintains its statistics automatically',
}

const notAvailable = (kind: StatementKind): string => {
  const why = NOT_BUILT[kind]
  return why ? `${words(kind)} is not available: ${why}.` : `${words(kind)} is not available in this version.`
}

type Judged = Pick<
  AnalysedStatement,
  keyof Piece | 'kind' | 'class' | 'explained' | 'refusedName' | 'tooComplex' | 'unclosed'
>

export function judge(statement: Judged): Verdict {
  const { kind, class: kindClass, unclosed } = statement
  if (unclosed) return { allowed: false, kind, class: kindClass, refusal: neverClosed(unclosed) }
  if (kindClass === 'forbidden')
    return { allowed: false, kind, class: kindClass, refusal: forbidden(statement) }
  const refusal = refusalOf(statement)
  return refusal
    ? { allowed: false, kind, class: kindClass, refusal }
    : { allowed: true, kind, class: kindClass }
}

/** Of a statement that the service sends with a file to go with it. */
export function judgeOfFile(statement: Judged, { does }: FileOrder): Verdict {
  const { kind, class: kindClass } = statement
  const isRight = OF_FILES.get(kind) === does && kindClass !== 'forbidden' && !statement.unclosed
  return isRight ? { allowed: true, kind, class: kindClass } : judge(statement)
}
