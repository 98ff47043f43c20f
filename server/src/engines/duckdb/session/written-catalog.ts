import { foldedName } from '../../../kernel/same-name.ts'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { AttachedCatalogs } from '../account/attached-catalogs.ts'
import { StatementRefused } from '../errors.ts'
import { CATALOG } from '../guard/sandbox.ts'
import type { ObjectUses } from '../objects/object-uses.ts'

interface Writing {
  readonly connection: DuckDBConnection
  readonly attached: Pick<AttachedCatalogs, 'others' | 'isReadOnly'>
  readonly uses: ObjectUses
}

/**
 * The catalog that a statement writes to, in the open transaction. Where this is wrong, DuckDB refuses to record the
 * statement, and with that the statement: nothing takes effect that is not recorded.
 */
export async function writtenCatalog({ connection, attached, uses }: Writing, sql: string): Promise<string> {
  const { others } = attached
  if (others.length === 0) return CATALOG
  const text = foldedName(sql)
  const here = await currentCatalog(connection)
  const isNamed = [CATALOG, ...others].some((name) => name !== here && text.includes(foldedName(name)))
  const written = isNamed || attached.isReadOnly(here) ? await uses.writtenCatalog(sql) : here
  // What is of the session alone is remembered where the session stands, or else in the first.
  if (written === null || written === 'temp') return attached.isReadOnly(here) ? CATALOG : here
  if (attached.isReadOnly(written)) throw onlyRead(written)
  return written
}

const onlyRead = (catalog: string): StatementRefused =>
  new StatementRefused({
    kind: 'permission',
    message: `The catalog ${catalog} shows external data and is read-only.`,
  })

async function currentCatalog(connection: DuckDBConnection): Promise<string> {
  const place = await connection.run('SELECT system.main.current_catalog()')
  return String(place.getChunk(0).getColumnVector(0).getItem(0))
}
