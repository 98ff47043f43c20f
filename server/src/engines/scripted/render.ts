import { quoteString, readStatement, rendered, type Rewriting, withValues } from '@boathouse/sql'
import type { Written } from '../engine/written.ts'

/** It has no words of its own for what users write: quotes and the values of variables are all that is put in. */
export function render(text: string, { quotes, systemVariables, variables }: Written): Rewriting | null {
  const values = Object.entries(variables).map(
    ([parameter, name]) => [parameter, `value_of(${quoteString(name)})`] as const,
  )
  const bound = values.length === 0 ? text : withValues(readStatement(text, quotes), new Map(values))
  const rewriting = rendered(bound, { quotes, systemVariables, rules: null })
  return rewriting ?? (bound === text ? null : { text: bound, moves: [] })
}
