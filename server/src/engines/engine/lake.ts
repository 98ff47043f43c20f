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
  /** What the file of a table or view says; null when it cannot be read. */
  metadata(table: LakeTable): Promise<unknown>
}

interface LakeTables {
  readonly database?: string
  readonly name?: string
  readonly most: number
}
