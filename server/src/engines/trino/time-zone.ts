import { unquoteText } from './guard/tokens.ts'
import type { ReadStatement } from './guard/statement-kind.ts'
import { refused } from './refused.ts'

/** Gives it back where there is such a zone. */
export function requireZone(zone: string): string {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
    return zone
  } catch {
    throw refused('missing', `There is no time zone ${zone}.`)
  }
}

/** The zone that a session is to be moved to; null of every other statement. */
export function zoneIn({ tokens }: ReadStatement): string | null {
  const [set, time, zone, name, end] = tokens
  if (set?.text !== 'SET' || time?.text !== 'TIME' || zone?.text !== 'ZONE' || end) return null
  return name?.kind === 'text' ? unquoteText(name) : null
}
