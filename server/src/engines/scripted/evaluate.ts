import type { ValueType } from '../engine/columns.ts'
import { refused } from './refused.ts'
import type { Expression, Type, Value } from './statements.ts'
import type { Row } from './world.ts'

/** The columns that expressions of a statement may name, and who runs it. */
export interface Scope {
  readonly columns: readonly { readonly name: string; readonly type: Type }[]
  readonly user: string
  readonly roles: string
  readonly variables: Readonly<Record<string, string>>
}

type Compute = (row: Row) => Value

export interface Compiled {
  readonly type: Type
  readonly compute: Compute
}

export const VALUE_TYPES: Readonly<Record<Type, ValueType>> = {
  INT: { kind: 'integer', bits: 64, isSigned: true },
  BIGINT: { kind: 'integer', bits: 128, isSigned: true },
  TEXT: { kind: 'text', length: null },
  BOOL: { kind: 'boolean' },
}

const isNumber = (type: Type): boolean => VALUE_TYPES[type].kind === 'integer'

export const AGGREGATES = new Set(['count', 'sum', 'max'])

/** Longer texts are refused: they would take the memory of all. */
const LONGEST_TEXT = 16 * 1024 * 1024
const LARGEST_INT = 2_147_483_647n

function typeOfLiteral(value: Value): Type {
  if (typeof value === 'string') return 'TEXT'
  if (typeof value === 'boolean') return 'BOOL'
  return value === null || value <= LARGEST_INT ? 'INT' : 'BIGINT'
}

export function compile(expression: Expression, scope: Scope): Compiled {
  switch (expression.kind) {
    case 'literal':
      return { type: typeOfLiteral(expression.value), compute: () => expression.value }
    case 'column':
      return compileColumn(expression, scope)
    case 'call':
      return compileCall(expression, scope)
    case 'binary':
      return compileBinary(expression, scope)
  }
}

function compileColumn(
  { name, offset }: Expression & { kind: 'column' },
  { columns, user, roles }: Scope,
): Compiled {
  const at = columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase())
  const column = columns[at]
  if (column) return { type: column.type, compute: (row) => row[at] ?? null }
  if (name.toLowerCase() === 'current_user') return { type: 'TEXT', compute: () => user }
  if (name.toLowerCase() === 'current_role') return { type: 'TEXT', compute: () => roles }
  throw refused('missing', `There is no column ${name}.`, offset)
}

function compileCall({ name, args, offset }: Expression & { kind: 'call' }, scope: Scope): Compiled {
  const [first, second] = args.map((arg) => compile(arg, scope).compute)
  const textOf = (row: Row): string => String(first?.(row) ?? '')
  switch (name) {
    case 'repeat':
      return { type: 'TEXT', compute: (row) => repeated(textOf(row), Number(second?.(row) ?? 0)) }
    case 'value_of':
      return { type: 'TEXT', compute: (row) => scope.variables[textOf(row)] ?? null }
    case 'error':
      return {
        type: 'INT',
        compute(row) {
          throw refused('data', textOf(row))
        },
      }
    default:
      throw refused('missing', `There is no function ${name} here.`, offset)
  }
}

function repeated(text: string, times: number): string {
  if (text.length * times <= LONGEST_TEXT) return text.repeat(times)
  throw refused('resource', `repeat() makes at most ${LONGEST_TEXT} characters.`)
}

function nonZero(divisor: bigint): bigint {
  if (divisor === 0n) throw refused('data', 'A number was divided by zero.')
  return divisor
}

const ARITHMETIC: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / nonZero(b),
  '%': (a, b) => a % nonZero(b),
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

/** NULL comes first. */
export function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null) || 0
  return a < b ? -1 : a > b ? 1 : 0
}

function compileBinary(expression: Expression & { kind: 'binary' }, scope: Scope): Compiled {
  const { sign, offset } = expression
  const [left, right] = [compile(expression.left, scope), compile(expression.right, scope)]
  const ofBoth = (
    type: Type,
    work: (a: bigint | string | boolean, b: bigint | string | boolean) => Value,
  ) => ({
    type,
    compute: (row: Row): Value => {
      const [a, b] = [left.compute(row), right.compute(row)]
      return a === null || b === null ? null : work(a, b)
    },
  })
  const compares = COMPARISONS[sign]
  if (compares) return ofBoth('BOOL', (a, b) => compares(compareValues(a, b)))
  if (sign === 'AND') return ofBoth('BOOL', (a, b) => a === true && b === true)
  if (sign === '||') return ofBoth('TEXT', (a, b) => `${a}${b}`)
  const isOfNumbers = isNumber(left.type) && isNumber(right.type)
  const calculate = ARITHMETIC[sign]
  if (!isOfNumbers || !calculate) throw refused('syntax', `${sign} takes two numbers.`, offset)
  const type = left.type === 'INT' && right.type === 'INT' ? 'INT' : 'BIGINT'
  return ofBoth(type, (a, b) => (typeof a === 'bigint' && typeof b === 'bigint' ? calculate(a, b) : null))
}
