import { type Metastore, METASTORE_NAMES, METASTORES, type NewCatalog } from '@boathouse/contract'
import type { Attachments, Engine, ExternalCatalog, FolderCatalog } from '../../engines/engine.ts'
import { AppError } from '../../kernel/app-error.ts'

/** A folder of the machine by the name under which it is open to an account. */
export interface OpenFolder {
  readonly name: string
  readonly path: string
}

/** What an engine must be able to have for a catalog of this kind. */
const READ_AS: Partial<Record<Metastore, ExternalCatalog['kind']>> = { folder: 'folder', bucket: 'bucket' }

/** Whether some engine here can have a catalog of this kind, whether it does right now or not. */
export const isAttached = (metastore: string): boolean => READ_AS[metastore as Metastore] !== undefined

const reads = ({ attachments }: Pick<Engine, 'attachments'>, metastore: Metastore): boolean => {
  const kind = READ_AS[metastore]
  return kind !== undefined && attachments !== null && attachments.kinds.has(kind)
}

export const readableBy = (engine: Pick<Engine, 'attachments'>): Metastore[] =>
  METASTORES.filter((metastore) => reads(engine, metastore))

/** Which engine reads what this one does not. */
const otherReads = (metastore: string): string =>
  `The engine of this account does not read external catalogs of the type ${METASTORE_NAMES[metastore as Metastore]}; an engine such as Trino does. The definition is kept for it.`

/** What is missing for this engine to read it, or which engine does. */
export function cannotRead({ attachments }: Pick<Engine, 'attachments'>, metastore: string): string {
  const kind = READ_AS[metastore as Metastore]
  return (kind && attachments?.whyNot(kind)) ?? otherReads(metastore)
}

/** Those of an engine that reads such catalogs. */
export function attachmentsFor(engine: Engine, metastore: string): Attachments {
  if (engine.attachments && reads(engine, metastore as Metastore)) return engine.attachments
  throw new AppError('QueryFailed', cannotRead(engine, metastore))
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
export function notRead({ metastoreType, folder, s3Bucket }: NewCatalog, why: string): AppError {
  const what = metastoreType === 'bucket' ? `bucket ${s3Bucket}` : `folder ${folder}`
  return new AppError('QueryFailed', `The ${what} cannot be read: ${why}.`)
}
