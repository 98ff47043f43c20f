/**
 * The catalog of an account's Iceberg tables, which clusters read and write. Its names are in the database of the service, so
 * that they are listed and its databases created while no cluster runs.
 */
export interface Lake {
  /** As statements name it. */
  readonly catalog: string
  /** Whether the account has one: since its first cluster. */
  has(accountId: string): boolean
  of(accountId: string): AccountLake
}

export interface LakeTable {
  readonly database: string
  readonly name: string
  readonly type: 'table' | 'view'
  /** The file that describes it. */
  readonly metadata: string
}

export interface AccountLake {
  /** By name; names are in small letters. */
  databases(): Promise<readonly string[]>
  /** How many tables and views these databases have; one without any is left out. */
  tableCounts(databases: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** By database and name. */
  tables(where: LakeTables): Promise<readonly LakeTable[]>
  /** False: it is there already. The statement is remembered together with what it does. */
  createDatabase(name: string, queryId: string): Promise<boolean>
  /** One that has no tables; `missing`: there is none. */
  dropDatabase(name: string, queryId: string): Promise<'dropped' | 'missing' | 'not empty'>
  /** Which of these statements created or dropped something. */
  tookEffect(queryIds: readonly string[]): Promise<ReadonlySet<string>>
  forget(before: Date): Promise<void>
  /** Resolves when it is kept, with the table as it is before; nothing of the statement has run then. */
  noteWrite(write: LakeWrite): Promise<void>
  notedWrites(queryIds: readonly string[]): Promise<readonly NotedWrite[]>
  /** Once it resolves, the statement can change nothing any more. Rejects with an `EngineUnavailable` where that is not certain. */
  requireOver(write: NotedWrite): Promise<void>
  /** What the file of a table or view says; null when it cannot be read. */
  metadata(table: LakeTable): Promise<unknown>
}

/** A statement of a cluster that is about to change a table, a view or a database. */
interface LakeWrite {
  readonly queryId: string
  readonly warehouseId: string
  /** As the cluster itself calls it, which is what Iceberg keeps with the rows that it writes. */
  readonly remoteId: string
  readonly database: string
  /** Null: the database itself. */
  readonly name: string | null
  /** It leaves a snapshot of the table, which has the name that the cluster gave it. */
  readonly leavesSnapshot: boolean
}

export interface NotedWrite extends LakeWrite {
  /** The file that described the table before; null: there was none. */
  readonly metadataBefore: string | null
}

interface LakeTables {
  readonly database?: string
  readonly name?: string
  readonly most: number
}
