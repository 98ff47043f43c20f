import { quoteString, readStatement, rendered, type Rewriting, withValues } from '@boathouse/sql'
import type { Written } from '../engine/written.ts'

const valueOf = (name: string): string => `value_of(${quoteString(name)})`

/** It has no words of its own for what users write: quotes and the values of variables are all that is put in. */
export function render(
  text: string,
  { quotes, systemVariables, variables, userVariables = [] }: Written,
): Rewriting | null {
  const values = Object.entries(variables).map(([parameter, name]) => [parameter, valueOf(name)] as const)
  const bound = values.length === 0 ? text : withValues(readStatement(text, quotes), new Map(values))
  const used = Object.fromEntries(userVariables.map((name) => [name, valueOf(name)]))
  const rewriting = rendered(bound, { quotes, systemVariables, userVariables: used, rules: null })
  return rewriting ?? (bound === text ? null : { text: bound, moves: [] })
}
