import type { ClientConfig } from 'pg'
import type { EmbeddedConnection } from './embedded/embedded-postgres.ts'
import { valueParsers } from './value-parsers.ts'

export const schemaName = 'boathouse'

/** A query of the control plane that takes longer than this is a fault. */
const statementTimeoutMs = 30_000

export function embeddedSettings(connection: EmbeddedConnection): ClientConfig {
  return { ...shared, ...connection, options: searchPath }
}

export function externalSettings(databaseUrl: string): ClientConfig {
  const url = parseUrl(databaseUrl)
  // Options in the address override others, so the search path goes into the address.
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${searchPath}`.trim())
  return { ...shared, connectionString: url.href }
}

/** The address without user and password, for messages. */
export function publicAddress(databaseUrl: string): string {
  const url = parseUrl(databaseUrl)
  return `${url.searchParams.get('host') ?? url.host}${url.pathname}`
}

/** For work that may take long: migrations. */
export function withoutTimeout(settings: ClientConfig): ClientConfig {
  return { ...settings, statement_timeout: false }
}

const searchPath = `-c search_path=${schemaName}`
const shared: ClientConfig = {
  application_name: 'boathouse',
  statement_timeout: statementTimeoutMs,
  types: valueParsers,
  connectionTimeoutMillis: 10_000,
}

function parseUrl(databaseUrl: string): URL {
  try {
    const url = new URL(databaseUrl)
    if (/^postgres(ql)?:$/.test(url.protocol)) return url
  } catch {
    // The message of the URL parser repeats the address, and with it the password.
  }
  throw new Error('DATABASE_URL is not an address of the form postgresql://user:password@host:5432/database.')
}
