import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Submission } from '../accepting/accepted-rows.ts'
import { refusedAsReadOnly } from '../sessions/client-variables.ts'
import type { Connection } from '../sessions/connection.ts'
import type { Verdict } from './gate.ts'

/** Statements of the service that change nothing. */
const LOOKS = /^(?:show|describe)\b/

/** As MySQL does: of a sequence, the next one takes another number. */
const DRAWS =
  'This connection only reads. A statement that takes numbers of a sequence changes it, so this one did not run.'

const onlyLooks = ({ kind, class: purpose }: Verdict, { draws }: Pick<AnalysedStatement, 'draws'>): boolean =>
  (purpose === 'reads' && !draws) || (purpose === 'service' && LOOKS.test(kind))

interface Reader extends Pick<Submission, 'door' | 'isUnlisted'> {
  readonly connection: Pick<Connection, 'variables'>
}

/** What the service does for the connection of an agent is not listed, and is no statement of theirs. */
const isAgent = ({ door, isUnlisted = false }: Reader): boolean => door === 'mcp' && !isUnlisted

/** Why somebody who only reads cannot run it, an agent or a connection that is set so; null when they can. */
export function refusedAsReader(
  verdict: Verdict & { readonly allowed: true },
  statement: Pick<AnalysedStatement, 'draws'>,
  reader: Reader,
): ReturnType<typeof refusedAsReadOnly> {
  if (!isAgent(reader) || onlyLooks(verdict, statement)) {
    const draws = statement.draws && reader.connection.variables['transaction_read_only'] === '1'
    if (draws) return { code: 'QueryFailed', message: DRAWS, offset: null, detail: 'read-only' }
    return refusedAsReadOnly(verdict, reader.connection)
  }
  const kind = verdict.kind.replaceAll('-', ' ').toUpperCase()
  const what = statement.draws ? 'one that takes numbers of a sequence' : kind
  const message = `Agents only read: SELECT, WITH, SHOW, DESCRIBE, SUMMARIZE and EXPLAIN. This statement is ${what}, so it did not run.`
  return { code: 'QueryFailed', message, offset: null, detail: 'read-only' }
}
