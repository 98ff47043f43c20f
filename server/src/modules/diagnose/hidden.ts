import type { HistoryEntry, ProfileNode } from '@boathouse/contract'
import { withoutValues } from '@boathouse/sql'

/** Of a text, at the most: to read more would hold up the others. */
const MOST_CHARACTERS = 20_000

const hiddenText = (text: string): string =>
  text.length > MOST_CHARACTERS
    ? `${withoutValues(text.slice(0, MOST_CHARACTERS))} [cut after ${MOST_CHARACTERS} of ${text.length} characters]`
    : withoutValues(text)

/** From the first quote or digit on, a line of a message can quote data. */
const QUOTED = /['"`“”‘’\d].*$/gm

/** A message of an engine, without what it quotes. */
const hiddenMessage = (message: string): string => message.replace(QUOTED, '…')

/** The plan that ran, without the values in its conditions. */
export const hiddenProfile = ({ detail, children, ...node }: ProfileNode): ProfileNode => ({
  ...node,
  detail: hiddenText(detail),
  children: children.map(hiddenProfile),
})

/** What is known of a statement, without data: who it was for and from which address stays with the account. */
export function hiddenStatement(entry: HistoryEntry) {
  const {
    user: _user,
    key: _key,
    clientIp: _clientIp,
    privateEndpoint: _endpoint,
    sql,
    error,
    ...facts
  } = entry
  return { ...facts, sql: hiddenText(sql), error: hiddenMessage(error) }
}
