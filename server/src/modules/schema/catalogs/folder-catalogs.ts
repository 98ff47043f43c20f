import { type Metastore, METASTORE_NAMES, METASTORES, type NewCatalog } from '@boathouse/contract'
import type { Attachments, ExternalCatalog, FolderCatalog } from '../../../engines/engine/attachments.ts'
import type { Engine } from '../../../engines/engine/engine.ts'
import { AppError } from '../../../kernel/app-error.ts'

/** A folder of the machine by the name under which it is open to an account. */
export interface OpenFolder {
  readonly name: string
  readonly path: string
}

/** What an engine must be able to have for a catalog of this kind. */
const READ_AS: Partial<Record<Metastore, ExternalCatalog['kind']>> = {
  folder: 'folder',
  bucket: 'bucket',
  tabular: 'iceberg',
  databricks: 'iceberg',
  glue: 'hive',
  hive: 'hive',
}

/** What a catalog is over, and how its files are reached. */
export interface Sort {
  readonly metastore: string
  readonly access?: string | undefined
}

/** Whether some engine here can have such a catalog, whether it does right now or not. */
export const isAttached = (sort: Sort): boolean => READ_AS[sort.metastore as Metastore] !== undefined

const reads = ({ attachments }: Pick<Engine, 'attachments'>, metastore: Metastore): boolean => {
  const kind = READ_AS[metastore]
  return kind !== undefined && attachments !== null && attachments.kinds.has(kind)
}

export const readableBy = (engine: Pick<Engine, 'attachments'>): Metastore[] =>
  METASTORES.filter((metastore) => reads(engine, metastore))

const nobodyReads = (metastore: string): string =>
  `No engine of this account reads external catalogs of the type ${METASTORE_NAMES[metastore as Metastore]}. The definition is kept until one does.`

/** What is missing for this engine to read it. */
export function cannotRead({ attachments }: Pick<Engine, 'attachments'>, sort: Sort): string {
  const kind = READ_AS[sort.metastore as Metastore]
  return (kind && attachments?.whyNot(kind)) ?? nobodyReads(sort.metastore)
}

/** Whether this engine reads it. */
export const isRead = (engine: Pick<Engine, 'attachments'>, sort: Sort): boolean =>
  reads(engine, sort.metastore as Metastore)

/** Those of an engine that reads such catalogs. */
export function attachmentsFor(engine: Engine, sort: Sort): Attachments {
  if (engine.attachments && isRead(engine, sort)) return engine.attachments
  throw new AppError('QueryFailed', cannotRead(engine, sort))
}

interface Defined {
  readonly id: string
  readonly name: string
  /** As it is written: the name of an open folder, and folders in it. */
  readonly folder: string
}

export function folderCatalogOf({ id, name, folder }: Defined, open: readonly OpenFolder[]): FolderCatalog {
  const [first = '', ...below] = folder.split('/')
  const root = open.find((one) => one.name === first)?.path ?? null
  return { kind: 'folder', id, name, root, below }
}

const pathOf = ({ root, below }: FolderCatalog): string => `${[root, ...below].join('/')}/`

/** Whether one of them lies in the other, or is it. */
export const overlap = (one: FolderCatalog, other: FolderCatalog): boolean =>
  pathOf(one).startsWith(pathOf(other)) || pathOf(other).startsWith(pathOf(one))

/** What could not be read was this one. */
export function notRead(draft: NewCatalog, why: string): AppError {
  const { metastoreType, folder, s3Bucket, s3Region, tabularUrl, databricksHost, hiveHost } = draft
  const places: Partial<Record<Metastore, string>> = {
    folder: `folder ${folder}`,
    bucket: `bucket ${s3Bucket}`,
    tabular: `catalog at ${tabularUrl}`,
    databricks: `Unity Catalog at ${databricksHost}`,
    glue: `AWS Glue catalog in ${s3Region}`,
    hive: `Hive metastore at ${hiveHost}`,
  }
  return new AppError('QueryFailed', `The ${places[metastoreType] ?? 'catalog'} cannot be read: ${why}.`)
}
