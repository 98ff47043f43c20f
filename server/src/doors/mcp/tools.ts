import { LIMITS, schema } from '@boathouse/contract'
import { backquoteIdentifier } from '@boathouse/sql'
import { z } from 'zod'
import { AppError } from '../../kernel/app-error.ts'
import type { Move } from '../../modules/query/connections/client-connection.ts'
import { type Agent, type AgentParts, asking } from './agent.ts'
import { dollars, earlierCosts, statementIn, usdPerHour } from './costs.ts'
import { type AgentLimits, runForAgent } from './running.ts'
import { shownRows } from './shown-rows.ts'

const Name = z.string().min(1).max(LIMITS.identifierLength)
const Sql = z.string().min(1).describe('One statement, without a second one behind it.')
const catalog = Name.optional().describe('The catalog; without one, default_catalog.')
const warehouse = Name.optional().describe(
  'The warehouse to run in; without one, the default of the account.',
)
const Place = {
  catalog,
  database: Name.optional().describe('The database that names without one are looked up in.'),
  warehouse,
}
const Table = { catalog, database: Name, table: Name, warehouse }

const MOST_ROWS = 1_000
/** For tools whose statements the service writes itself. */
const OWN: AgentLimits = { rows: MOST_ROWS, seconds: 30, usd: null }

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  run(parts: AgentParts, agent: Agent, input: unknown): Promise<Record<string, unknown>>
}

type Work<S extends z.ZodObject> = (
  parts: AgentParts,
  agent: Agent,
  input: z.output<S>,
) => Promise<Record<string, unknown>>

const tool = <S extends z.ZodObject>(
  about: Pick<Tool, 'name' | 'title' | 'description'> & { readonly input: S },
  work: Work<S>,
): Tool => ({ ...about, run: (parts, agent, input) => work(parts, agent, about.input.parse(input)) })

const written = (...names: readonly (string | undefined)[]): string =>
  names.flatMap((name) => (name === undefined ? [] : [backquoteIdentifier(name)])).join('.')

/** Without names that are missing: these stay as they are. */
const placeOf = ({ catalog, database, warehouse }: { [K in keyof Move]: Move[K] | undefined }): Move => ({
  ...(catalog !== undefined && { catalog }),
  ...(database !== undefined && { database }),
  ...(warehouse !== undefined && { warehouse }),
})

interface Wanted {
  readonly sql: string
  readonly place: Move
  readonly limits: AgentLimits
}

async function rowsOf(parts: AgentParts, agent: Agent, wanted: Wanted): Promise<Record<string, unknown>> {
  const { answer, warehouse } = await runForAgent(parts, agent, wanted)
  return {
    ...shownRows(answer, wanted.limits.rows),
    queryId: answer.queryId,
    warehouse,
    seconds: answer.timeUsedMs / 1_000,
    ...(answer.notice && { notice: answer.notice }),
  }
}

function listing({
  catalog,
  database,
}: {
  catalog?: string | undefined
  database?: string | undefined
}): string {
  if (database !== undefined) return `SHOW FULL TABLES FROM ${written(catalog, database)}`
  return catalog === undefined ? 'SHOW CATALOGS' : `SHOW DATABASES FROM ${written(catalog)}`
}

const listCatalogs = tool(
  {
    name: 'list_catalogs',
    title: 'List catalogs, databases and tables',
    description:
      'Lists the catalogs; with a catalog its databases; with a database its tables, views and materialized views. Shows only what your key can see.',
    input: z.strictObject({ catalog: Name.optional(), database: Name.optional() }),
  },
  (parts, agent, input) => rowsOf(parts, agent, { sql: listing(input), place: {}, limits: OWN }),
)

const search = tool(
  {
    name: 'search',
    title: 'Search names',
    description: 'Searches catalogs, databases, tables, views and columns by a part of their name.',
    input: z.strictObject({
      text: Name.describe('A part of the name; words before the last are parts of where it is.'),
      limit: z.int().min(1).max(LIMITS.foundNames).default(20),
    }),
  },
  async (parts, agent, { text, limit }) => {
    const { list, more } = await asking(parts, agent)(schema.search, { search: text, limit })
    return { found: list, more }
  },
)

const describeTable = tool(
  {
    name: 'describe_table',
    title: 'Describe a table',
    description: 'Lists the columns of a table or view: names, types, keys, defaults and comments.',
    input: z.strictObject(Table),
  },
  (parts, agent, { catalog, database, table, warehouse }) => {
    const sql = `SHOW FULL COLUMNS FROM ${written(catalog, database, table)}`
    return rowsOf(parts, agent, { sql, place: placeOf({ warehouse }), limits: OWN })
  },
)

const sampleTable = tool(
  {
    name: 'sample_table',
    title: 'Show rows of a table',
    description: 'Shows the first rows of a table or view.',
    input: z.strictObject({ ...Table, rows: z.int().min(1).max(100).default(10) }),
  },
  (parts, agent, { catalog, database, table, warehouse, rows }) => {
    const sql = `SELECT * FROM ${written(catalog, database, table)} LIMIT ${rows}`
    return rowsOf(parts, agent, { sql, place: placeOf({ warehouse }), limits: { ...OWN, rows } })
  },
)

const runQuery = tool(
  {
    name: 'run_query',
    title: 'Run a statement that reads',
    description:
      'Runs one statement that only reads: SELECT, WITH, SHOW, DESCRIBE, SUMMARIZE or EXPLAIN. It is stopped at its limits of time and cost. Values are exact texts; NULL is null.',
    input: z.strictObject({
      sql: Sql,
      ...Place,
      max_rows: z.int().min(1).max(MOST_ROWS).default(100),
      timeout_seconds: z.int().min(1).max(120).default(30),
      max_cost_usd: z
        .number()
        .positive()
        .max(1_000)
        .default(0.25)
        .describe('Stops the statement before it costs more, and refuses one whose earlier runs cost more.'),
    }),
  },
  (parts, agent, { sql, max_rows: rows, timeout_seconds: seconds, max_cost_usd: usd, ...place }) =>
    rowsOf(parts, agent, { sql, place: placeOf(place), limits: { rows, seconds, usd } }),
)

const explainQuery = tool(
  {
    name: 'explain_query',
    title: 'Explain a statement',
    description: 'Shows the plan of a statement without running it.',
    input: z.strictObject({ sql: Sql, ...Place }),
  },
  (parts, agent, { sql, ...place }) => {
    const statement = statementIn(sql)
    return rowsOf(parts, agent, { sql: `EXPLAIN ${statement}`, place: placeOf(place), limits: OWN })
  },
)

const NOTHING_KNOWN =
  'This statement has not finished before under this text, or what it cost is not final yet. What it will cost is not known; max_cost_usd of run_query bounds it.'

const estimateCost = tool(
  {
    name: 'estimate_cost',
    title: 'Estimate what a statement costs',
    description:
      'Says what earlier runs of exactly this text cost and took, and what a warehouse costs per hour. Runs nothing.',
    input: z.strictObject({ sql: Sql, warehouse: Name.optional() }),
  },
  async (parts, agent, { sql, warehouse: name }) => {
    const ask = asking(parts, agent)
    const { runs, usd, seconds } = await earlierCosts(ask, statementIn(sql))
    const perHour = name === undefined ? null : await usdPerHour(ask, name)
    if (name !== undefined && perHour === null)
      throw new AppError('NotFound', `There is no warehouse ${name}, or you may not use it.`)
    const known =
      usd !== null ? `Earlier runs cost ${dollars(usd)}, the one in the middle of them.` : NOTHING_KNOWN
    return {
      isKnown: usd !== null,
      summary: known,
      usd,
      seconds,
      warehouseUsdPerHour: perHour,
      earlierRuns: runs,
    }
  },
)

/** What agents can ask for. None of it changes anything. */
export const TOOLS: readonly Tool[] = [
  listCatalogs,
  search,
  describeTable,
  sampleTable,
  runQuery,
  explainQuery,
  estimateCost,
]
