import { StatementRefused } from '../errors.ts'
import type { JsonNode } from './json-tree.ts'

const REFUSED =
  'JSON cannot be cast to VARIANT: the engine parses it recursively, and a deeply nested value would crash it for everyone. Keep it as JSON, or extract the values that you need with json_extract_string().'

/** Looked for before a plan is looked through: hardly any has one. */
export const MAKES_VARIANT = /"id":"VARIANT"/

/**
 * A cast is no function that a macro of ours could take the place of, and is worked out when a statement is bound where
 * it is of a constant. So it is found in the plan, implicit ones included, before anything of it is worked out.
 */
export function refuseDeepCasts(plan: JsonNode): void {
  if (isFound(plan)) throw new StatementRefused({ kind: 'permission', message: REFUSED })
}

function isFound(node: unknown): boolean {
  const open: unknown[] = [node]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue
    if (isDeepCast(one as Readonly<Record<string, unknown>>)) return true
    open.push(...Object.values(one).filter((value) => typeof value === 'object'))
  }
  return false
}

function isDeepCast(node: Readonly<Record<string, unknown>>): boolean {
  if (node['expression_class'] !== 'BOUND_CAST' || !has(node['return_type'], 'VARIANT')) return false
  const child = node['child'] as Readonly<Record<string, unknown>> | undefined
  const value = child?.['value'] as Readonly<Record<string, unknown>> | undefined
  return has(child?.['return_type'] ?? value?.['type'] ?? child, 'JSON')
}

/** A type, or one that it is made of. */
const has = (type: unknown, name: 'VARIANT' | 'JSON'): boolean => {
  const written = JSON.stringify(type) ?? ''
  return written.includes(name === 'JSON' ? '"alias":"JSON"' : '"id":"VARIANT"')
}
