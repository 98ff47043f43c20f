/** A nested value as a tree; leaves are the text of the value, to the character. */
export type ValueNode =
  | { readonly kind: 'leaf'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ValueNode[] }
  | { readonly kind: 'members'; readonly items: readonly (readonly [name: string, value: ValueNode])[] }

const DEEPEST = 200
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' }

/** Thrown inside, answered as null outside: it is not of this form. */
class NotNested extends Error {}

/**
 * Reads JSON as well as how engines write lists, structs and maps: `{'a': 1}`, `{k=v}`, `[1, 2]`. Null when the text
 * is neither, or is no more than a single value.
 */
export function readValueTree(text: string): ValueNode | null {
  let at = 0

  const skipSpace = () => {
    while (/\s/.test(text[at] ?? '')) at++
  }
  function quoted(): string {
    const start = at
    const quote = text[at++]
    while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
    if (at >= text.length) throw new NotNested()
    return text.slice(start, ++at)
  }
  function bare(ends: RegExp): string {
    const start = at
    while (at < text.length && !ends.test(text[at] ?? '')) at++
    return text.slice(start, at).trim()
  }
  const scalar = (ends: RegExp): string => (/["']/.test(text[at] ?? '') ? quoted() : bare(ends))

  function behind(close: string): boolean {
    skipSpace()
    const sign = text[at]
    if (sign === ',' || sign === close) at++
    else throw new NotNested()
    return sign === ','
  }
  function list(close: string, depth: number): ValueNode {
    const items: ValueNode[] = []
    do items.push(value(depth + 1))
    while (behind(close))
    return { kind: 'list', items }
  }
  function members(close: string, depth: number): ValueNode {
    const items: [string, ValueNode][] = []
    do {
      skipSpace()
      const name = scalar(/[:=,}]/)
      skipSpace()
      if (text[at] !== ':' && text[at] !== '=') throw new NotNested()
      at++
      items.push([name, value(depth + 1)])
    } while (behind(close))
    return { kind: 'members', items }
  }
  function value(depth: number): ValueNode {
    if (depth > DEEPEST) throw new NotNested()
    skipSpace()
    const open = text[at] ?? ''
    const close = CLOSING[open]
    if (!close) return { kind: 'leaf', text: scalar(/[,\]})]/) }
    at++
    skipSpace()
    if (text[at] === close) {
      at++
      return { kind: open === '{' ? 'members' : 'list', items: [] }
    }
    return open === '{' ? members(close, depth) : list(close, depth)
  }

  try {
    const root = value(0)
    skipSpace()
    return at === text.length && root.kind !== 'leaf' ? root : null
  } catch (error) {
    if (error instanceof NotNested) return null
    throw error
  }
}
