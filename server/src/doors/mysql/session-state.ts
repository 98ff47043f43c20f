import { DEFAULT_CATALOG } from '@boathouse/contract'
import type { ConnectionSettings } from '../../modules/query/connections/client-connection.ts'
import { charsetOfCollation, charsetOfVariable } from './charsets.ts'
import type { SessionState } from './link/messages.ts'

/**
 * As MySQL begins, and not as the console does: drivers put values into texts with backslashes, so that one which means
 * itself would let a value end its literal.
 */
const SQL_MODE = 'ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,PIPES_AS_CONCAT,STRICT_TRANS_TABLES'
const NO_ESCAPES = 'NO_BACKSLASH_ESCAPES'

/** What a connection begins with, and has again after a reset. */
export function firstVariables(collation: number): Readonly<Record<string, string>> {
  const charset = charsetOfCollation(collation)
  if (charset === 'utf8mb4') return { sql_mode: SQL_MODE }
  return {
    sql_mode: SQL_MODE,
    character_set_client: charset,
    character_set_connection: charset,
    character_set_results: charset === 'binary' ? '' : charset,
  }
}

const nameOf = ({ catalog, database }: ConnectionSettings): string => {
  if (database === null) return ''
  return catalog === DEFAULT_CATALOG ? database : `${catalog}.${database}`
}

/** What differs, where a variable that is gone has its default again. */
const changedFrom = (
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => before[name] !== value))

/** Follows what a connection has set. Most statements change nothing of it, and cost nothing here. */
export class SessionWatch {
  #settings: ConnectionSettings
  #state: SessionState

  constructor(settings: ConnectionSettings) {
    this.#settings = settings
    this.#state = stateOf(settings, {})
  }

  /** As it was told last, without what had changed then. */
  get state(): SessionState {
    return this.#state
  }

  moved(settings: ConnectionSettings): SessionState {
    if (settings === this.#settings) return this.#state
    const changed = changedFrom(this.#settings.variables, settings.variables)
    this.#settings = settings
    this.#state = stateOf(settings, {})
    return { ...this.#state, changed }
  }
}

function stateOf(settings: ConnectionSettings, changed: Readonly<Record<string, string>>): SessionState {
  const { variables, inTransaction } = settings
  return {
    database: nameOf(settings),
    isAutocommit: variables['autocommit'] !== '0',
    inTransaction,
    clientCharset: charsetOfVariable(variables['character_set_client']),
    resultCharset: charsetOfVariable(variables['character_set_results']),
    isWithoutBackslash: variables['sql_mode']?.split(',').includes(NO_ESCAPES) ?? true,
    changed,
  }
}
