import { refused } from '../refused.ts'
import { nameOf, type SqlToken } from './tokens.ts'

/** Properties that say how data is written. Others say where it lies, and would reach beyond the account's own. */
const KNOWN = new Set([
  'format',
  'format_version',
  'partitioning',
  'sorted_by',
  'compression_codec',
  'max_commit_retry',
  'orc_bloom_filter_columns',
  'parquet_bloom_filter_columns',
])

/** Refuses all but these, in `WITH (…)`; with a depth of 0, in what stands in no brackets. */
export function requireKnownProperties(tokens: readonly SqlToken[], within = 1): void {
  let depth = within === 0 ? 0 : -1
  tokens.forEach(({ text, kind }, at) => {
    if (within === 1 && depth === -1) {
      if (kind === 'word' && text === 'WITH') depth = 0
      return
    }
    if (text === '(' || text === '[') depth++
    else if (text === ')' || text === ']') depth--
    else if (text === '=' && depth === within) requireKnown(nameOf(tokens[at - 1]))
    // Behind its closing bracket nothing is a property.
    if (within === 1 && depth === 0) depth = -1
  })
}

function requireKnown(property: string | null): void {
  if (property === null || !KNOWN.has(property))
    throw refused('permission', `The property ${property ?? ''} cannot be set here.`)
}
