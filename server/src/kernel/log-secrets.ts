/** Tokens, passwords, signatures and statement texts never reach the log, wherever the line is written. */
const SECRETS: ReadonlySet<string> = new Set([
  'token',
  'password',
  'signature',
  'sql',
  'authorization',
  'cookie',
])
const HIDDEN = '***'
/** Levels of what is logged: fields, those of what they hold, and once more. */
const DEPTH = 3

/**
 * The same without secrets. What has none, as nearly every line, is not copied: of the libraries that do this by paths,
 * one copies a line for each of them.
 */
export function withoutSecrets(logged: Record<string, unknown>): Record<string, unknown> {
  return cleaned(logged, DEPTH) as Record<string, unknown>
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value
  let copy: object | null = null
  for (const [name, held] of Object.entries(value)) {
    const clean = SECRETS.has(name) ? HIDDEN : cleaned(held, depth - 1)
    if (clean === held) continue
    copy ??= copyOf(value)
    Object.defineProperty(copy, name, { value: clean, enumerable: true })
  }
  return copy ?? value
}

/** An error is still one. */
const copyOf = (value: object): object =>
  Array.isArray(value)
    ? [...value]
    : Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value))
