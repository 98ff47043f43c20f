import { dependsOnQuotes, STANDARD_QUOTES, type Quotes } from '@boathouse/sql'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { AnalysedStatement, AnalysedText } from '../analysis/analysed-text.ts'
import type { Connection } from '../sessions/connection.ts'
import type { Connections } from '../sessions/connections.ts'
import { quotesOf } from '../sessions/session-variables.ts'
import type { Submission } from './accepted-rows.ts'

const READ_OTHERWISE =
  'sql_mode or sql_dialect changed after this text was read, and with it the meaning of quotes, backslashes and comments. Send the statement again, on its own.'

/** What the quotes of a text mean. Most texts have none, and the connection need not be read. */
export async function quotesFor(
  connections: Pick<Connections, 'before'>,
  actor: Actor,
  submission: Submission,
): Promise<Quotes> {
  if (!dependsOnQuotes(submission.sql)) return STANDARD_QUOTES
  const connection = await connections.before(actor, submission)
  if (!connection) return STANDARD_QUOTES
  // Which of them it had when the statement ran the first time is not known.
  const isSentAgain = submission.inFull || submission.notesUses
  if (isSentAgain && 'sql_mode' in connection.variables)
    throw new AppError(
      'Conflict',
      `sql_mode was set on the connection of this statement, so that it could mean something else now. ${submission.inFull ? 'Set sql_select_limit to none and run it again.' : 'Run it again where sql_mode is not set.'}`,
    )
  return quotesOf(connection)
}

/** What is run once more for a file, or explained to be shared, is one statement that reads, however it is read now. */
export function requireSameForFile(
  { inFull, notesUses }: Submission,
  { count, statements }: AnalysedText,
): void {
  if ((inFull || notesUses) && (count !== 1 || statements[0]?.class !== 'reads'))
    throw new AppError('BadInput', 'queryId: Only a statement that selects can be run for a file or shared.')
}

/** Why a statement cannot run on a connection as it is now; null when it can. */
export function whyReadOtherwise(
  { text, tokens: { quotes } }: AnalysedStatement,
  connection: Connection,
): string | null {
  if (!dependsOnQuotes(text)) return null
  const now = quotesOf(connection)
  const isSame =
    now.escapes === quotes.escapes &&
    now.doubleIsText === quotes.doubleIsText &&
    now.comments === quotes.comments
  return isSame ? null : READ_OTHERWISE
}
