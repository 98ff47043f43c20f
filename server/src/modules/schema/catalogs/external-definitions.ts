import {
  accessesOf,
  fieldsOf,
  hasOneWay,
  type Metastore,
  type NewCatalog,
  SECRET_FIELDS,
} from '@boathouse/contract'
import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { ExternalCatalog, FolderCatalog } from '../../../engines/engine/attachments.ts'
import type { ExternalCatalogRow } from './external-store.ts'
import { folderCatalogOf, type OpenFolder, type Sort } from './folder-catalogs.ts'

const MASK = '******'

/** As in SHOW CREATE CATALOG: what is secret is masked. */
export function createStatementOf({ name, description, metastore, settings }: ExternalCatalogRow): string {
  const access = accessesOf(metastore as Metastore).find((one) => one === settings['access']) ?? 'key'
  const shown = fieldsOf(metastore as Metastore, access).map((field): [string, string] => [
    field,
    SECRET_FIELDS.has(field) ? MASK : (settings[field] ?? ''),
  ])
  const isUsual = hasOneWay(metastore as Metastore) || (metastore === 'bucket' && access === 'key')
  const ofFiles = isUsual ? [] : [['access', access] as const]
  const properties = [['type', metastore] as const, ...ofFiles, ...shown]
    .map(([key, value]) => `  ${quoteString(key)} = ${quoteString(value)}`)
    .join(',\n')
  const comment = description === '' ? '' : `\nCOMMENT ${quoteString(description)}`
  return `CREATE EXTERNAL CATALOG ${quoteIdentifier(name)}${comment}\nPROPERTIES (\n${properties}\n)`
}

export const sortOf = ({
  metastore,
  settings,
}: Pick<ExternalCatalogRow, 'metastore' | 'settings'>): Sort => ({
  metastore,
  access: settings['access'],
})

export const sortOfDraft = ({ metastoreType: metastore, access }: NewCatalog): Sort => ({ metastore, access })

/** One that an engine reads by way of the service; null for others. */
export function outsideOf(metastore: string, id: string, name: string): ExternalCatalog | null {
  if (metastore === 'bucket') return { kind: 'bucket', id, name }
  if (metastore === 'tabular' || metastore === 'databricks') return { kind: 'iceberg', id, name }
  return metastore === 'glue' || metastore === 'hive' ? { kind: 'hive', id, name } : null
}

export const folderOf = (
  { catalog_id: id, name, settings }: ExternalCatalogRow,
  open: readonly OpenFolder[],
): FolderCatalog => folderCatalogOf({ id, name, folder: settings['folder'] ?? '' }, open)

/** Of one that an engine can have. */
export const definitionOf = (row: ExternalCatalogRow, open: readonly OpenFolder[]): ExternalCatalog =>
  outsideOf(row.metastore, row.catalog_id, row.name) ?? folderOf(row, open)

/** The same before it is kept. */
export const draftOf = (
  id: string,
  { name, folder, metastoreType }: NewCatalog,
  open: readonly OpenFolder[],
): ExternalCatalog => outsideOf(metastoreType, id, name) ?? folderCatalogOf({ id, name, folder }, open)
