import { createHash } from 'node:crypto'
import type { DuckDBConnection } from '@duckdb/node-api'
import { INTERNAL_SCHEMA, OF_FILES } from '../guard/internal-schema.ts'
import type { FullName } from './names.ts'

export interface DefinedView extends FullName {
  /** As DuckDB writes its definition. */
  readonly sql: string
}

export interface DefinedMacro extends FullName {
  /** What it stands for: an expression, or a query where it makes a table. */
  readonly body: string
  readonly makesTable: boolean
  readonly parameters: string
}

/** The same for macros that stand for the same. */
export const printOf = ({ body, makesTable, parameters }: DefinedMacro): string =>
  createHash('sha256')
    .update(JSON.stringify([makesTable, parameters, body]))
    .digest('base64url')

/** Views and macros of the account, as one transaction sees them. */
export interface Definitions {
  views(): Promise<readonly DefinedView[]>
  macros(): Promise<readonly DefinedMacro[]>
  /** Tables of catalogs over folders. */
  files(): Promise<readonly FullName[]>
  /** Without what is temporary, where these are with it. */
  readonly lasting?: Definitions
}

export const lastingOf = (definitions: Definitions): Definitions => definitions.lasting ?? definitions

// With their place before them: a session may have functions of its own by these names.
const OURS = `NOT system.main.starts_with(database_name, '${INTERNAL_SCHEMA}')`

/** What is temporary is of its session alone, and in no list that others read. */
const LASTS = `database_name <> 'temp'`
const IS_TEMPORARY = `database_name = 'temp'`

const viewsWhere = (
  condition: string,
) => `SELECT database_name, schema_name, view_name, sql FROM system.main.duckdb_views()
  WHERE NOT internal AND NOT system.main.contains(sql, '${OF_FILES}') AND ${OURS} AND ${condition}`

const FILES = `SELECT database_name, schema_name, view_name FROM system.main.duckdb_views() WHERE system.main.contains(sql, '${OF_FILES}')`

const macrosWhere = (
  condition: string,
) => `SELECT database_name, schema_name, function_name, macro_definition, function_type = 'table_macro', parameters::VARCHAR
  FROM system.main.duckdb_functions() WHERE function_type IN ('macro', 'table_macro') AND NOT internal
    AND ${OURS} AND ${condition}`

const nameIn = ([catalog, schema, name]: readonly unknown[]): FullName => ({
  catalog: String(catalog),
  schema: String(schema),
  name: String(name),
})

async function readViews(connection: DuckDBConnection, which = LASTS): Promise<readonly DefinedView[]> {
  const views = await connection.runAndReadAll(viewsWhere(which))
  return views.getRows().map((row) => ({ ...nameIn(row), sql: String(row[3]) }))
}

async function readMacros(connection: DuckDBConnection, which = LASTS): Promise<readonly DefinedMacro[]> {
  const macros = await connection.runAndReadAll(macrosWhere(which))
  return macros.getRows().map((row) => ({
    ...nameIn(row),
    body: String(row[3]),
    makesTable: row[4] === true,
    parameters: String(row[5]),
  }))
}

async function readFiles(connection: DuckDBConnection): Promise<readonly FullName[]> {
  return (await connection.runAndReadAll(FILES)).getRows().map(nameIn)
}

type Lists = Omit<Definitions, 'lasting'>

/** The same, each list read once: for a transaction that defines nothing meanwhile. */
export function readOnce({ views, macros, files }: Definitions): Definitions {
  const known: { -readonly [K in keyof Lists]?: ReturnType<Lists[K]> } = {}
  return {
    views: () => (known.views ??= views()),
    macros: () => (known.macros ??= macros()),
    files: () => (known.files ??= files()),
  }
}

/** What a session has for itself. */
export interface Temporary {
  readonly views: readonly DefinedView[]
  readonly macros: readonly DefinedMacro[]
}

const TYPES = `SELECT type_name FROM system.main.duckdb_types() WHERE NOT internal AND ${IS_TEMPORARY}`

/** Types that a session has for itself. */
export async function temporaryTypes(connection: DuckDBConnection): Promise<readonly string[]> {
  return (await connection.runAndReadAll(TYPES)).getRows().map(([name]) => String(name))
}

export const readTemporary = async (connection: DuckDBConnection): Promise<Temporary> => ({
  views: await readViews(connection, IS_TEMPORARY),
  macros: await readMacros(connection, IS_TEMPORARY),
})

/** As a session sees them that has something temporary. */
export const withTemporary = (lasting: Definitions, own: () => Promise<Temporary>): Definitions => ({
  views: async () => [...(await lasting.views()), ...(await own()).views],
  macros: async () => [...(await lasting.macros()), ...(await own()).macros],
  files: () => lasting.files(),
  lasting,
})

/** The state of what is defined, as far as it is known without asking. */
interface State {
  readonly version: number
  readonly isQuiet: boolean
}

/** Of all that is defined, of views alone and of macros alone. */
export interface Stamp {
  readonly all: State
  readonly views: State
  readonly macros: State
}

/** What a statement that defines something may change: tables alone, views too, or anything. */
export type Changing = 'tables' | 'views' | 'all'

/** What one transaction changes that runs both. */
export const bothChanging = (one: Changing | null, other: Changing): Changing =>
  [one, other].includes('all') ? 'all' : [one, other].includes('views') ? 'views' : 'tables'

/** What is as it was at a stamp for a transaction that has changed this itself. */
export function untouchedOf(stamp: Stamp | null, changing: Changing): Partial<Stamp> | null {
  if (stamp === null || changing === 'all') return null
  const { views, macros } = stamp
  return changing === 'views' ? { macros } : { views, macros }
}

/** How often something was defined, and whether something is now. */
class Versions {
  private version = 0
  private changing = 0

  state(): State {
    return { version: this.version, isQuiet: this.changing === 0 }
  }

  begin(): void {
    this.changing++
  }

  end(): void {
    this.changing--
    this.version++
  }

  /** Gives the version of what the transaction with this state sees; null when that is not known. */
  stillAs(state: State | undefined): () => number | null {
    return () =>
      state?.isQuiet && this.changing === 0 && state.version === this.version ? this.version : null
  }
}

/**
 * To list all functions takes DuckDB some 60 ms. All statements that define something pass through this process, so that
 * a list holds until the next that may change it: it is kept when none was under way from before the transaction that read
 * it until it was read.
 */
export class KnownDefinitions {
  private readonly all = new Versions()
  /** Tables come and go more often than views, and views more often than macros. */
  private readonly ofViews = new Versions()
  private readonly ofMacros = new Versions()
  private readonly views = new KeptList<DefinedView>()
  private readonly macros = new KeptList<DefinedMacro>()
  private readonly files = new KeptList<FullName>()

  /** To be taken before the transaction begins. */
  stamp(): Stamp {
    return { all: this.all.state(), views: this.ofViews.state(), macros: this.ofMacros.state() }
  }

  /** A statement begins that defines something, or may commit what was defined. It ends with `changed`, of the same. */
  changes(what: Changing = 'all'): void {
    for (const versions of this.changedWith(what)) versions.begin()
  }

  changed(what: Changing = 'all'): void {
    for (const versions of this.changedWith(what)) versions.end()
  }

  private changedWith(what: Changing): readonly Versions[] {
    if (what === 'tables') return [this.all]
    return what === 'views' ? [this.all, this.ofViews] : [this.all, this.ofViews, this.ofMacros]
  }

  /** Of what the transaction with this stamp sees; null when that is not known. */
  versionSeen(stamp: Stamp | null): number | null {
    return this.all.stillAs(stamp?.all)()
  }

  /** As the open transaction of this connection sees them; without a stamp it may have changed them itself. */
  in(connection: DuckDBConnection, stamp: Partial<Stamp> | null): Definitions {
    return {
      views: () => this.views.as(this.ofViews.stillAs(stamp?.views), () => readViews(connection)),
      macros: () => this.macros.as(this.ofMacros.stillAs(stamp?.macros), () => readMacros(connection)),
      files: () => this.files.as(this.all.stillAs(stamp?.all), () => readFiles(connection)),
    }
  }
}

/** A list that is read again when it may be another one. */
class KeptList<T> {
  private kept: { readonly version: number; readonly list: readonly T[] } | null = null

  async as(version: () => number | null, read: () => Promise<readonly T[]>): Promise<readonly T[]> {
    if (this.kept && this.kept.version === version()) return this.kept.list
    const list = await read()
    const readAt = version()
    if (readAt !== null) this.kept = { version: readAt, list }
    return list
  }
}
