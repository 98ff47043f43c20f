import { choicesOf, resolved, type Schema, type Schemas } from './schema.ts'

export interface FieldRow {
  /** As in `list[].name`. */
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly isRequired: boolean
  /** Its rules: length, range, default. */
  readonly rules: readonly string[]
  readonly description: string
}

/** Deeper than any call is; a schema that refers to itself ends here. */
const DEEPEST = 6
const MOST_CHOICES = 12

const literal = (value: unknown): string => JSON.stringify(value)

function typeText(schema: Schema, schemas: Schemas): string {
  const own = resolved(schema, schemas)
  const { choices, mayBeNull } = choicesOf(own)
  const orNull = mayBeNull ? ' | null' : ''
  if (own.const !== undefined) return literal(own.const)
  if (own.enum) {
    const shown = own.enum.slice(0, MOST_CHOICES).map(literal).join(' | ')
    return own.enum.length > MOST_CHOICES ? `${shown} | …` : shown
  }
  if (own.anyOf ?? own.oneOf) {
    const types = [...new Set(choices.map((choice) => typeText(choice, schemas)))]
    return types.join(' | ') + orNull
  }
  const [only] = choices
  if (only?.type === 'array') {
    const item = typeText(only.items ?? {}, schemas)
    return `${item.includes(' ') ? `(${item})` : item}[]${orNull}`
  }
  return `${typeof only?.type === 'string' ? only.type : 'any'}${orNull}`
}

/** A rule of least and most, where there is one. */
function range(what: string, from?: number, to?: number): string[] {
  // JavaScript's own bounds of an integer say nothing.
  const [low, high] = [from, to].map((one) =>
    one !== undefined && Math.abs(one) < Number.MAX_SAFE_INTEGER ? one : undefined,
  )
  if (low === undefined && high === undefined) return []
  if (low === undefined) return [`${what} ≤ ${high}`]
  return [high === undefined ? `${what} ≥ ${low}` : `${what} ${low}–${high}`]
}

function rulesOf(schema: Schema, schemas: Schemas): string[] {
  const own = resolved(schema, schemas)
  const [only = own] = choicesOf(own).choices
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, format, pattern } = { ...only, ...own }
  return [
    ...range('length', minLength, maxLength),
    ...range('value', minimum, maximum),
    ...range('items', minItems, maxItems),
    ...(format ? [format] : []),
    ...(pattern && !format ? [`/${pattern}/`] : []),
    ...(own.default === undefined ? [] : [`default ${literal(own.default)}`]),
  ]
}

/** The objects within a schema, through lists and choices. */
function objectsIn(
  schema: Schema,
  schemas: Schemas,
  suffix = '',
): { readonly object: Schema; readonly suffix: string }[] {
  const own = resolved(schema, schemas)
  return choicesOf(own).choices.flatMap((choice) => {
    const part = resolved(choice, schemas)
    if (part !== own && (part.anyOf ?? part.oneOf)) return objectsIn(part, schemas, suffix)
    if (part.type === 'array' && part.items) return objectsIn(part.items, schemas, `${suffix}[]`)
    return part.properties ? [{ object: part, suffix }] : []
  })
}

/** Every field of a schema, each below the one that holds it. */
export function fieldRows(schema: Schema, schemas: Schemas, above = { name: '', depth: 0 }): FieldRow[] {
  const { name: before, depth } = above
  if (depth > DEEPEST) return []
  const seen = new Set<string>()
  return objectsIn(schema, schemas).flatMap(({ object, suffix }) =>
    Object.entries(object.properties ?? {}).flatMap(([name, field]) => {
      const full = `${before}${suffix ? `${suffix}.` : before && '.'}${name}`
      if (seen.has(full)) return []
      seen.add(full)
      const row: FieldRow = {
        name: full,
        depth,
        type: typeText(field, schemas),
        isRequired: object.required?.includes(name) ?? false,
        rules: rulesOf(field, schemas),
        description: field.description ?? resolved(field, schemas).description ?? '',
      }
      return [row, ...fieldRows(field, schemas, { name: full, depth: depth + 1 })]
    }),
  )
}
