import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Submission } from '../accepting/accepted-rows.ts'
import type { Verdict } from './gate.ts'

/** Statements of the service that change nothing. */
const LOOKS = /^(?:show|describe)\b/

const onlyLooks = ({ kind, class: purpose }: Verdict, { draws }: Pick<AnalysedStatement, 'draws'>): boolean =>
  (purpose === 'reads' && !draws) || (purpose === 'service' && LOOKS.test(kind))

/**
 * Why an agent cannot run it; null when it can, or when nobody is one. What the service does for the connection of an agent
 * is not listed, and is no statement of theirs.
 */
export function refusedToAgent(
  verdict: Verdict & { readonly allowed: true },
  statement: Pick<AnalysedStatement, 'draws'>,
  { door, isUnlisted = false }: Pick<Submission, 'door' | 'isUnlisted'>,
): { code: 'QueryFailed'; message: string; offset: null; detail: 'read-only' } | null {
  if (door !== 'mcp' || isUnlisted || onlyLooks(verdict, statement)) return null
  const what = statement.draws
    ? 'one that takes numbers of a sequence'
    : verdict.kind.replaceAll('-', ' ').toUpperCase()
  const message = `Agents only read: SELECT, WITH, SHOW, DESCRIBE, SUMMARIZE and EXPLAIN. This statement is ${what}, so it did not run.`
  return { code: 'QueryFailed', message, offset: null, detail: 'read-only' }
}
