/** The default of a column, as a value that clients show, or as an expression. */
export interface DefaultValue {
  readonly text: string
  readonly isExpression: boolean
}

const STRING = /^'((?:[^']|'')*)'$/
const NUMBER = /^-?\d+(?:\.\d+)?$/
const CAST = /^CAST\('((?:[^']|'')*)' AS (\w+)(?:\([\d,]+\))?\)$/i

const BOOLEANS: Readonly<Record<string, string>> = { t: '1', true: '1', f: '0', false: '0' }

/** Null: there is none. */
export function defaultValue(expression: string | null): DefaultValue | null {
  if (expression === null || expression.toUpperCase() === 'NULL') return null
  if (NUMBER.test(expression)) return { text: expression, isExpression: false }
  const [, plain] = STRING.exec(expression) ?? []
  if (plain !== undefined) return { text: plain.replaceAll("''", "'"), isExpression: false }
  const [, value, type = ''] = CAST.exec(expression) ?? []
  if (value === undefined) return { text: expression, isExpression: true }
  const isBoolean = type.toUpperCase() === 'BOOLEAN'
  return { text: (isBoolean ? BOOLEANS[value.toLowerCase()] : undefined) ?? value, isExpression: false }
}
