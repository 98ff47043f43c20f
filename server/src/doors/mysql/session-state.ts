import { DEFAULT_CATALOG } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { ConnectionSettings } from '../../modules/query/connections/client-connection.ts'
import { isAutocommit, valueOf, variablesAt } from '../../modules/query/sessions/session-variables.ts'
import { charsetOfCollation, charsetOfVariable, isOtherCharset } from './charsets.ts'
import type { SessionState } from './link/messages.ts'

const NO_ESCAPES = 'NO_BACKSLASH_ESCAPES'

const NOT_SPOKEN =
  'Your client asks for a character set that is not available. Set its character set to utf8mb4.'

/** What a connection begins with beside what all of this door do, and has again after a reset. */
export function firstVariables(collation: number): Readonly<Record<string, string>> {
  if (isOtherCharset(collation)) throw new AppError('QueryFailed', NOT_SPOKEN, { detail: 'wrong-value' })
  const charset = charsetOfCollation(collation)
  if (charset === 'utf8mb4') return {}
  return {
    character_set_client: charset,
    character_set_connection: charset,
    character_set_results: charset === 'binary' ? '' : charset,
  }
}

const nameOf = ({ catalog, database }: ConnectionSettings): string => {
  if (database === null) return ''
  return catalog === DEFAULT_CATALOG ? database : `${catalog}.${database}`
}

/** Of the variables that a client tracks, those that have another value now. */
function changedFrom(before: ConnectionSettings, now: ConnectionSettings): Record<string, string> {
  const tracked = valueOf(now, 'session_track_system_variables')
    .split(',')
    .map((name) => name.trim().toLowerCase())
  const names = tracked.includes('*') ? Object.keys(variablesAt(now)) : tracked
  const changed = names.filter((name) => name !== '' && valueOf(before, name) !== valueOf(now, name))
  return Object.fromEntries(changed.map((name) => [name, valueOf(now, name)]))
}

/** Follows what a connection has set. Most statements change nothing of it, and cost nothing here. */
export class SessionWatch {
  #settings: ConnectionSettings
  #state: SessionState

  constructor(settings: ConnectionSettings) {
    this.#settings = settings
    this.#state = stateOf(settings, {})
  }

  /** As it was sent last, without what had changed then. */
  get state(): SessionState {
    return this.#state
  }

  moved(settings: ConnectionSettings): SessionState {
    if (settings === this.#settings) return this.#state
    const changed = changedFrom(this.#settings, settings)
    this.#settings = settings
    this.#state = stateOf(settings, {})
    return { ...this.#state, changed }
  }
}

function stateOf(settings: ConnectionSettings, changed: Readonly<Record<string, string>>): SessionState {
  return {
    database: nameOf(settings),
    isAutocommit: isAutocommit(settings),
    inTransaction: settings.inTransaction,
    clientCharset: charsetOfVariable(valueOf(settings, 'character_set_client')),
    resultCharset: charsetOfVariable(valueOf(settings, 'character_set_results')),
    isWithoutBackslash: valueOf(settings, 'sql_mode').split(',').includes(NO_ESCAPES),
    changed,
  }
}
