import { type DatabaseLine, openDatabaseLine } from './providers/trino/database-line.ts'
import type { Store } from './store/store.ts'

const POSTGRES_PORT = 5432

interface DatabaseParts {
  readonly store: Pick<Store, 'pool' | 'socket'>
  readonly databaseUrl: string | undefined
}

/** How the nodes of clusters reach the database of the service. */
export async function openClusterDatabase(
  { store, databaseUrl }: DatabaseParts,
  portFile: string,
): Promise<{ urlOf(schema: string): string; close(): Promise<void> }> {
  const url = databaseUrl === undefined ? null : new URL(databaseUrl)
  const host = url?.searchParams.get('host') ?? url?.hostname ?? ''
  const port = Number(url?.searchParams.get('port') ?? url?.port) || POSTGRES_PORT
  const socket = store.socket ?? (host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : null)
  const name = await currentDatabase(store.pool)
  const line: DatabaseLine | null = socket === null ? null : await openDatabaseLine(socket, portFile)
  const address = line ? `127.0.0.1:${line.port}` : `${host}:${port}`
  const tls = url?.searchParams.get('sslmode')
  return {
    urlOf: (schema) =>
      `jdbc:postgresql://${address}/${encodeURIComponent(name)}?currentSchema=${encodeURIComponent(schema)}${tls ? `&sslmode=${encodeURIComponent(tls)}` : ''}`,
    close: async () => line?.close(),
  }
}

async function currentDatabase(pool: Store['pool']): Promise<string> {
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  return rows[0]?.name ?? ''
}
