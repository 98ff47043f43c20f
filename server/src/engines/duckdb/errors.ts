import type { EngineError } from '../engine/outcome.ts'
import { wordsForLimit } from './guard/guarded-functions.ts'
import { wordsForRefused } from './guard/guarded-listings.ts'
import { withMysqlName } from './guard/information-views.ts'
import { saysDiskFull } from '../../kernel/disk-full.ts'
import { readRaised } from './guard/raised-error.ts'
import { detailOf } from './error-details.ts'
import { offsetOf } from './positions.ts'

/** What the engine was given, to say in the user's terms where it failed. */
export interface FailedText {
  /** The user's statement. */
  readonly sql: string
  /** Characters, all of them ASCII, that were put in front of it. */
  readonly shift: number
}

/** Thrown inside this folder where we refuse a statement ourselves. */
export class StatementRefused extends Error {
  override readonly name = 'StatementRefused'

  constructor(readonly error: EngineError) {
    super(error.message)
  }
}

/** Puts what the driver threw into our words; `mask` takes the machine's paths out of the message. */
export function engineError(
  cause: unknown,
  text: FailedText,
  mask: (message: string) => string,
): EngineError {
  if (cause instanceof StatementRefused)
    return saysDiskFull(cause.message) ? { ...cause.error, code: 'disk-full' } : cause.error
  const report = readReport(cause)
  if (report.message.includes(UNNAMED)) return UNNAMED_ERROR
  const offset = offsetOf(report, text)
  return { ...explained(report, mask), ...(offset !== null && { offset }) }
}

function explained(report: ErrorReport, mask: (message: string) => string): EngineError {
  const refused = readRaised(report.message) ?? readRefused(report.message)
  if (refused) return refused
  const message = wordsForWantOfRoom(report) ?? mask(inOurWords(report.message))
  const code = detailOf(report)
  return { kind: kindOf({ ...report, message }), message, ...(code && { code }) }
}

function readRefused(message: string): EngineError | null {
  const words = wordsForRefused(message)
  return words === null ? null : { kind: 'permission', message: words }
}

/** All that DuckDB's parser says of `LIMIT a, b`, of which only numbers are rewritten. */
const UNNAMED = 'errhint NOT IMPLEMENTED'
const UNNAMED_ERROR: EngineError = {
  kind: 'syntax',
  message: 'This form of the statement is not supported. LIMIT takes one number, and OFFSET another.',
}

const NOT_FOR_USERS = [
  // The name that is most alike, also of what is its own or ours.
  /\nDid you mean "(boathouse|duckdb|pg|pragma|sqlite|information_schema)[_.][^"]*"\?/,
  // Settings that nobody can change here.
  /\s*Use "SET [^"]*"[^.]*\./,
  // Documentation that is not ours.
  /\s*If this is an unexpected constraint violation, please refer to .*$/,
]

/** A file keeps the version of the DuckDB that it was made for. */
function wordsForOldFile(message: string): string | null {
  const [, what] = /^(\S+ columns) are not supported in storage versions prior to/.exec(message) ?? []
  if (!what) return null
  return `The data of this account is in a file of an earlier version, which cannot store ${what}. Use JSON or VARCHAR instead.`
}

/** DuckDB's parser has a stack of a fixed size. */
function wordsForDepth(message: string): string | null {
  const [, most] = /^Max expression depth limit of (\d+) exceeded/.exec(message) ?? []
  if (most)
    return `The maximum nesting of expressions is ${most} levels, and this statement exceeds it. Move parts into WITH or into views.`
  const [, at] = /^memory exhausted at or near "(.*)"/.exec(message) ?? []
  if (at === undefined) return null
  return `This statement is nested too deeply at "${at}". Move parts into WITH or into views.`
}

/** An ENUM is a number to DuckDB, in as few bytes as its labels need. */
function wordsForLabel(message: string): string | null {
  const [, value, bits] = /^Could not convert string '([^]*)' to UINT(8|16)\b/.exec(message) ?? []
  if (value === undefined) return null
  const label = `'${value}' is not one of the labels of its column's ENUM type`
  const most = 2 ** Number(bits) - 1
  const isNumber = /^\d+$/.test(value) && Number(value) <= most
  return isNumber ? `${label}.` : `${label}, or not a number from 0 to ${most} where the column has numbers.`
}

/** Without what DuckDB proposes and nobody can follow. */
function inOurWords(message: string): string {
  const ours =
    wordsForLimit(message) ?? wordsForOldFile(message) ?? wordsForDepth(message) ?? wordsForLabel(message)
  if (ours) return ours
  return withMysqlName(NOT_FOR_USERS.reduce((words, part) => words.replace(part, ''), message))
}

/** DuckDB advises to change settings that nobody can change here. */
function wordsForWantOfRoom({ type, message }: ErrorReport): string | null {
  const [, used, most] = /\((\S+ \w+)\/(\S+ \w+) used\)/.exec(message) ?? []
  const figures = used && most ? ` (${used} of ${most} are in use)` : ''
  if (figures && message.includes('max_temp_directory_size'))
    return `This statement needs more memory than the engine has, and its temporary disk space is used up${figures}: ${ADVICE}`
  if (type !== 'Out of Memory') return null
  return `The engine is out of memory for this statement${figures}: ${ADVICE}`
}

const ADVICE =
  'ask for fewer or shorter values at a time, run less at the same time, or use a larger warehouse.'

/** DuckDB's own account of an error, as given with `errors_as_json`. */
export interface ErrorReport {
  readonly type: string
  readonly message: string
  readonly position: number | null
}

export function readReport(cause: unknown): ErrorReport {
  const text = cause instanceof Error ? cause.message : String(cause)
  const json = parseObject(text.slice(Math.max(0, text.indexOf('{'))))
  if (!json) return { type: '', message: withoutTrace(text), position: null }
  const position = Number(json.position ?? Number.NaN)
  return {
    type: json.exception_type ?? '',
    message: withoutTrace(json.exception_message ?? text),
    position: Number.isInteger(position) ? position : null,
  }
}

interface ErrorJson {
  readonly exception_type?: string
  readonly exception_message?: string
  readonly position?: string
}

function parseObject(text: string): ErrorJson | null {
  if (!text.startsWith('{')) return null
  try {
    return JSON.parse(text) as ErrorJson
  } catch (error) {
    // A message that merely contains a brace is shown as it is.
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function withoutTrace(message: string): string {
  return message.split('\n\nStack Trace')[0] ?? message
}

type Kind = EngineError['kind']

const KINDS: Readonly<Record<string, Kind>> = {
  Parser: 'syntax',
  Syntax: 'syntax',
  Binder: 'syntax',
  Expression: 'syntax',
  'Not implemented': 'syntax',
  'Parameter Not Resolved': 'syntax',
  'Parameter Not Allowed': 'syntax',
  Catalog: 'missing',
  Permission: 'permission',
  'Missing Extension': 'permission',
  'Extension Autoloading': 'permission',
  HTTP: 'permission',
  Conversion: 'data',
  'Mismatch Type': 'data',
  'Invalid type': 'data',
  'Out of Range': 'data',
  'Divide by Zero': 'data',
  Decimal: 'data',
  Constraint: 'data',
  Dependency: 'data',
  'Invalid Input': 'data',
  TransactionContext: 'data',
  Sequence: 'data',
  'Out of Memory': 'resource',
}

/** Where DuckDB's own class of error is too wide, its words decide. */
const BY_WORDS: readonly (readonly [types: readonly string[], words: RegExp, kind: Kind])[] = [
  [['Catalog'], /already exists/, 'data'],
  [['Binder'], /does not exist|not found/, 'missing'],
  [['Invalid Input', 'Binder'], /configuration has been locked|disabled by configuration/, 'permission'],
  [['Invalid Input'], /^Expected \d+ parameters/, 'syntax'],
  [['Invalid Input', 'IO', 'Out of Memory'], /max_temp_directory_size|No space left/i, 'resource'],
  [['IO'], /No files found/, 'missing'],
]

function kindOf(report: ErrorReport): Kind {
  const byWords = BY_WORDS.find(([types, words]) => types.includes(report.type) && words.test(report.message))
  return byWords?.[2] ?? KINDS[report.type] ?? 'internal'
}

/** Thrown where we notice between two steps that a statement is to stop. */
export class StatementInterrupted extends Error {
  override readonly name = 'StatementInterrupted'
}

/** The engine stopped because it was asked to, in the middle of a statement. */
export function isInterrupt(cause: unknown): boolean {
  return cause instanceof StatementInterrupted || readReport(cause).type === 'INTERRUPT'
}

/** After this DuckDB refuses everything until its process is started again. */
export function isFatal(cause: unknown): boolean {
  const { type, message } = readReport(cause)
  return type === 'FATAL' || message.includes('database has been invalidated')
}
