import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'
import { severalStatements } from '../session/compound.ts'
import { Unresolved } from './bound-plan.ts'
import { MAKES_VARIANT } from './deep-casts.ts'
import { mayHaveEnums } from './enum-types.ts'
import { NAMES_FILES, type TableOfFile, withTablesOfFiles } from './file-scans.ts'
import { type JsonNode, nodesOf, parsed, textOf } from './json-tree.ts'
import type { Place } from './names.ts'
import { treeOf } from './parse-tree.ts'

interface SerializeError {
  readonly message: string
  /** It is made several statements of. */
  readonly isCompound: boolean
  /** It is bound, and reads files of which DuckDB writes no plan. */
  readonly readsText: boolean
}

/** There is a plan, and DuckDB does not write it: not that of CSV and JSON files. */
export class ReadsText extends Unresolved {}

/** What DuckDB's binder says of a text, in the transaction that is open. */
export interface Bound {
  /** Null when it cannot bind the text. */
  readonly plan: JsonNode | null
  /** In DuckDB's words, when there is no plan. */
  readonly error: SerializeError | null
  /** It may have to do with an ENUM. */
  readonly hasEnums: boolean
  /** Where the session stands. */
  readonly place: Place
  /** Of the plan as DuckDB writes it, in UTF-16 units. */
  readonly length: number
  /** It may make a VARIANT of something. */
  readonly makesVariant: boolean
}

const SHORT = 'skip_null := true, skip_empty := true, skip_default := true'
// With their place before them: the guard has them refused to users, who may have others by these names.
// Empty parts are kept in plans: of a list of numbers they are the zeros.
const PLAN = 'system.main.json_serialize_plan($1::VARCHAR, skip_null := true, skip_default := true)'
const TREE = `system.main.json_serialize_sql($1::VARCHAR, ${SHORT})`
const QUESTIONS = {
  plan: `SELECT ${PLAN}, system.main.current_catalog(), system.main.current_schema()`,
  tree: `SELECT ${TREE}`,
} as const

/** DuckDB makes some 100 times as much of a text in which there are many constants. */
const MOST_TEXT = 100 * 1024

/** Has DuckDB bind and parse texts without running them. */
export class Serializer {
  private readonly prepared = new Map<keyof typeof QUESTIONS, DuckDBPreparedStatement>()
  /** Of the statement that is looked at: until it runs, the same text is bound to the same. */
  private readonly known = new Map<string, Promise<Bound>>()

  constructor(
    private readonly connection: DuckDBConnection,
    private readonly tableOf: TableOfFile,
  ) {}

  /** Before each statement, and behind it: plans are large. */
  forget(): void {
    this.known.clear()
  }

  bound(sql: string): Promise<Bound> {
    const bound = this.known.get(sql) ?? this.bind(sql)
    this.known.set(sql, bound)
    return bound
  }

  /** As it is bound now, whatever was asked before. */
  async boundNow(sql: string): Promise<Bound> {
    return this.bind(sql)
  }

  private async bind(sql: string): Promise<Bound> {
    const [serialized = '', catalog = '', schema = ''] = await this.ask('plan', sql)
    const { plan, error } = planOf(serialized)
    const resolved = plan && NAMES_FILES.test(serialized) ? withTablesOfFiles(plan, this.tableOf) : plan
    const makesVariant = MAKES_VARIANT.test(serialized)
    const hasEnums = mayHaveEnums(serialized)
    const place = { catalog, schema }
    return { plan: resolved, error, hasEnums, place, length: serialized.length, makesVariant }
  }

  /** Null when it cannot be bound. Throws a `ReadsText`. */
  async plan(sql: string): Promise<JsonNode | null> {
    const { plan, error } = await this.bound(sql)
    if (error?.readsText) throw new ReadsText('it reads files that are no Parquet')
    return plan
  }

  /** Null when it does not select. */
  async tree(sql: string): Promise<JsonNode | null> {
    const [tree] = await this.ask('tree', sql)
    return treeOf(tree ?? '')
  }

  private async ask(what: keyof typeof QUESTIONS, sql: string): Promise<string[]> {
    if (sql.length > MOST_TEXT) {
      const message = `its objects can be determined only for statements of at most ${MOST_TEXT / 1024} KB`
      throw new Unresolved(message)
    }
    const prepared = this.prepared.get(what) ?? (await this.connection.prepare(QUESTIONS[what]))
    this.prepared.set(what, prepared)
    prepared.bindVarchar(1, sql)
    // Its one chunk is there: to be asked for chunks, DuckDB would go to another thread and back.
    const row = (await prepared.run()).getChunk(0).getRowValues(0)
    return row.map(String)
  }
}

// Word for word: other messages may hold what a user wrote.
const COMPOUND = 'Cannot plan statement of type MULTI!'
const TEXT = new Set(['CSVReaderSerialize not implemented', 'JSONScan Serialize not implemented'])

function planOf(serialized: string): Pick<Bound, 'plan' | 'error'> {
  const answer = parsed(serialized)
  if (!answer) throw new Unresolved('the engine gives no plan of it')
  if (answer['error'] !== false) {
    const message = textOf(answer, 'error_message')
    return { plan: null, error: { message, isCompound: message === COMPOUND, readsText: TEXT.has(message) } }
  }
  const [plan, ...others] = nodesOf(answer, 'plans')
  if (others.length > 0) throw severalStatements()
  return plan
    ? { plan, error: null }
    : { plan: null, error: { message: 'it is empty', isCompound: false, readsText: false } }
}
