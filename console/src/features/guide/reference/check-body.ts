import { t } from '../../../i18n/texts.ts'
import { choicesOf, resolved, type Schema, type Schemas } from './schema.ts'

export interface BodyProblem {
  /** As in `filters[0].column`; empty: the whole. */
  readonly path: string
  readonly message: string
  /** Where it is in the text, from 1. */
  readonly line: number
}

interface Found {
  readonly path: readonly (string | number)[]
  readonly message: string
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

const hasType = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isSafeInteger(value) : kindOf(value) === type

function textProblem(text: string, { minLength = 0, maxLength = Infinity, pattern }: Schema): string | null {
  if (text.length < minLength) return t('reference.check.shortest', { count: minLength })
  if (text.length > maxLength) return t('reference.check.longest', { count: maxLength })
  return pattern && !new RegExp(pattern, 'u').test(text) ? t('reference.check.pattern', { pattern }) : null
}

function numberProblem(value: number, { minimum = -Infinity, maximum = Infinity }: Schema): string | null {
  if (value < minimum) return t('reference.check.least', { value: minimum })
  return value > maximum ? t('reference.check.most', { value: maximum }) : null
}

/** What is wrong with a value. Only what the schema says: the server decides. */
function problemsOf(value: unknown, schema: Schema, schemas: Schemas): Found[] {
  const own = resolved(schema, schemas)
  const { choices, mayBeNull } = choicesOf(own)
  if (value === null && (mayBeNull || own.type === 'null')) return []
  if (own.const !== undefined || own.enum) {
    const allowed = own.enum ?? [own.const]
    return allowed.includes(value)
      ? []
      : [
          {
            path: [],
            message: t('reference.check.choices', {
              choices: allowed.map((one) => JSON.stringify(one)).join(', '),
            }),
          },
        ]
  }
  const tried = choices.map((choice) =>
    choice === own ? checkedAlone(value, own, schemas) : problemsOf(value, choice, schemas),
  )
  // Of several forms, the one that fits best says what is missing.
  return tried.toSorted((one, other) => one.length - other.length)[0] ?? []
}

function checkedAlone(value: unknown, schema: Schema, schemas: Schemas): Found[] {
  const { type } = schema
  if (typeof type !== 'string') return []
  if (!hasType(value, type))
    return [{ path: [], message: t('reference.check.type', { type, found: kindOf(value) }) }]
  const message =
    typeof value === 'string'
      ? textProblem(value, schema)
      : typeof value === 'number'
        ? numberProblem(value, schema)
        : null
  if (message) return [{ path: [], message }]
  if (Array.isArray(value)) return listProblems(value, schema, schemas)
  return type === 'object' ? objectProblems(value as Record<string, unknown>, schema, schemas) : []
}

const below = (place: string | number, found: Found[]): Found[] =>
  found.map(({ path, message }) => ({ path: [place, ...path], message }))

function listProblems(list: readonly unknown[], schema: Schema, schemas: Schemas): Found[] {
  const { minItems = 0, maxItems = Infinity, items = {} } = schema
  if (list.length < minItems) return [{ path: [], message: t('reference.check.fewest', { count: minItems }) }]
  if (list.length > maxItems)
    return [{ path: [], message: t('reference.check.mostItems', { count: maxItems }) }]
  return list.flatMap((item, at) => below(at, problemsOf(item, items, schemas)))
}

function objectProblems(value: Record<string, unknown>, schema: Schema, schemas: Schemas): Found[] {
  const { properties = {}, required = [], additionalProperties: others = {} } = schema
  const missing = required
    .filter((name) => value[name] === undefined)
    .map((name) => ({ path: [name], message: t('reference.check.required') }))
  const wrong = Object.entries(value).flatMap(([name, field]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : others
    if (known === undefined || known === true) return []
    if (
      known === false ||
      (known === others && Object.keys(properties).length > 0 && Object.keys(others).length === 0)
    )
      return [{ path: [name], message: t('reference.check.unknown') }]
    return below(name, problemsOf(field, known, schemas))
  })
  return [...missing, ...wrong]
}

const written = (path: readonly (string | number)[]): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('')

/** The line of the field, or of what should hold it. The text is JSON, so that names are found by walking it. */
function lineOf(text: string, path: readonly (string | number)[]): number {
  let at = 0
  for (const part of path) {
    if (typeof part === 'number') continue
    const found = text.indexOf(JSON.stringify(part), at)
    if (found === -1) break
    at = found
  }
  return text.slice(0, at).split('\n').length
}

/** Where JSON.parse says that a text breaks off, in words of each browser. */
function brokenLine(text: string, message: string): number {
  const [, line] = /line (\d+)/.exec(message) ?? []
  if (line) return Number(line)
  const [, position] = /position (\d+)/.exec(message) ?? []
  return text.slice(0, position ? Number(position) : text.length).split('\n').length
}

export type CheckedBody =
  | { readonly value: unknown; readonly problems: readonly BodyProblem[] }
  | { readonly value: undefined; readonly problems: readonly [BodyProblem] }

/** A body as it was written, and what does not fit the call. */
export function checkBody(text: string, schema: Schema, schemas: Schemas): CheckedBody {
  try {
    const value: unknown = JSON.parse(text)
    const problems = problemsOf(value, schema, schemas).map(({ path, message }) => ({
      path: written(path),
      message,
      line: lineOf(text, path),
    }))
    return { value, problems }
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    return {
      value: undefined,
      problems: [
        { path: '', message: t('reference.check.notJson', { problem: said }), line: brokenLine(text, said) },
      ],
    }
  }
}

/** The field that the server names in a refusal, as in `name: Enter a name`. */
export function refusedField(message: string, text: string): BodyProblem | null {
  const [, path = '', rest = ''] = /^([A-Za-z_][\w.]*): (.+)$/s.exec(message) ?? []
  if (path === '') return null
  const parts = path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  return { path: written(parts), message: rest, line: lineOf(text, parts) }
}
