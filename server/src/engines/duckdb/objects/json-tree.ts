/** What DuckDB writes of its plans and parse trees. */
export type JsonNode = Readonly<Record<string, unknown>>

// In JSON there are no such numbers. In a text of a user the quotes around `value` are escaped.
const NO_NUMBER = /"value":-?(?:Infinity|NaN)/g

/** What DuckDB has written; null where it is no JSON. */
export function parsed(serialized: string): JsonNode | null {
  try {
    const value: unknown = JSON.parse(serialized.replace(NO_NUMBER, '"value":null'))
    return isNode(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

export const isNode = (value: unknown): value is JsonNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textOf = (node: JsonNode, key: string): string => {
  const value = node[key]
  return typeof value === 'string' ? value : ''
}

export const nodeOf = (node: JsonNode, key: string): JsonNode => {
  const value = node[key]
  return isNode(value) ? value : {}
}

export const nodesOf = (node: JsonNode, key: string): readonly JsonNode[] => {
  const value = node[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/**
 * Every node below a value, the value itself included; with what `inside` makes of the node that holds it. Statements may
 * be nested deeper than a stack would be.
 */
export function* nodesBelow<T>(
  root: unknown,
  outermost: T,
  inside: (node: JsonNode, held: T) => { readonly held: T; readonly skips?: ReadonlySet<string> },
): Generator<{ readonly node: JsonNode; readonly held: T }> {
  const waiting: { value: unknown; held: T }[] = [{ value: root, held: outermost }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, held } = next
    if (Array.isArray(value)) for (const one of value) waiting.push({ value: one, held })
    if (!isNode(value)) continue
    yield { node: value, held }
    const below = inside(value, held)
    for (const key of Object.keys(value)) {
      const one = value[key]
      if (typeof one === 'object' && one !== null && !below.skips?.has(key))
        waiting.push({ value: one, held: below.held })
    }
  }
}
