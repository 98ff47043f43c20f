import { type DuckDBConnection, StatementType } from '@duckdb/node-api'
import type { FileReport, InspectOrder, LoadOrder, LoadWrites } from '../../engine/files.ts'
import type { ObjectAction, ObjectUse } from '../../engine/objects.ts'
import type { Effect } from '../../engine/capabilities.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import type { ResultRows } from '../../engine/rows.ts'
import { StatementRefused } from '../errors.ts'
import { CATALOG } from '../guard/sandbox.ts'
import { fileFailure } from '../files/file-errors.ts'
import { extractingOf, withExtracted } from '../files/extracted-file.ts'
import { inspectFile } from '../files/inspect-file.ts'
import { type FilePlaces, type LinkedFile, withLinked } from '../files/linked-file.ts'
import { loadFile } from '../files/load-file.ts'
import { createTableText, TooManyRejected } from '../files/load-target.ts'
import type { SheetTools } from '../files/sheet-source.ts'
import { refuseInternalNames } from './effects.ts'
import type { SessionObjects } from './session-objects.ts'
import type { Acting, SessionTransaction } from './transaction.ts'
import type { RunState } from './run-state.ts'

/** What came of the work on a file. */
export interface FileRan extends Effect {
  readonly result: ResultRows
  readonly bytes: number
  readonly file: FileReport
}

export interface FileWorld extends FilePlaces, Pick<SheetTools, 'sheetReader'> {
  /** Takes the paths of the machine out of a message. */
  readonly mask: (message: string) => string
}

/** Work on one file that people have uploaded. */
type TableOrder = InspectOrder | LoadOrder

/** It failed, and this much is known of the file nevertheless. */
export class FailedWithFile extends StatementRefused {
  constructor(
    { error }: StatementRefused,
    readonly file: FileReport,
  ) {
    super(error)
  }
}

/** The objects that an order uses, for the decision whether it may. */
function usesOf(order: TableOrder): readonly ObjectUse[] {
  if (order.does === 'inspect') return []
  const { table, makesTable } = order
  refuseInternalNames([table.catalog, table.database, table.name].join('.'))
  const actions = makesTable ? (['create'] as const) : ACTIONS[order.writes?.mode ?? 'append']
  return actions.map((action) => ({ action, object: { type: 'table', ...table }, through: null }))
}

/** A row is found by the values of its key, which is reading them. */
const ACTIONS: Readonly<Record<LoadWrites['mode'], readonly ObjectAction[]>> = {
  append: ['insert'],
  replace: ['insert', 'delete'],
  upsert: ['insert', 'update', 'read'],
}

/** What it defines, as a statement that says so; null when that is nothing. */
const definitionIn = (order: TableOrder): string | null =>
  order.does === 'load' && order.makesTable ? createTableText(order) : null

const DEFINITION = { type: StatementType.CREATE, writes: true } as const

export interface FileStatementParts {
  readonly world: FileWorld
  readonly connection: DuckDBConnection
  readonly objects: Pick<SessionObjects, 'allowed' | 'running'>
  readonly transaction: Pick<SessionTransaction, 'read' | 'write'>
  readonly runState: RunState
}

/** The service's own work on a file that was handed to it, in the place of a statement. */
export async function runFileStatement(
  { world, connection, objects, transaction, runState }: FileStatementParts,
  order: TableOrder,
  options: ExecuteOptions,
): Promise<FileRan & { readonly kept: null; readonly profile: null }> {
  await objects.allowed(usesOf(order), { options, stop: runState.stopping.signal })
  runState.at.compiled = performance.now()
  const definition = definitionIn(order)
  if (definition !== null) await objects.running(definition, DEFINITION, options)
  const acting: Acting<FileRan> = {
    queryId: options.queryId,
    catalog: order.does === 'load' ? order.table.catalog : CATALOG,
    act: () => runFileOrder(world, { connection, stop: runState.stopping.signal }, order),
    isCancelled: () => runState.isCancelled,
    settle: () => (runState.isSettling = true),
  }
  const ran = await (order.does === 'load' ? transaction.write(acting) : transaction.read(acting))
  return { ...ran, kept: null, profile: null }
}

/** Does what the order says, in the transaction that is open. */
const runFileOrder = (
  world: FileWorld,
  { connection, stop }: { readonly connection: DuckDBConnection; readonly stop: AbortSignal },
  order: TableOrder,
): Promise<FileRan> =>
  withLinked(world, order.file, async (uploaded) => {
    const tools = { sheetReader: world.sheetReader, stop }
    try {
      return await withExtracted(uploaded, extractingOf(order, stop), (file) =>
        order.does === 'inspect'
          ? inspected(connection, { ...file, tools }, order)
          : loaded(connection, { ...file, tools }, order),
      )
    } catch (error) {
      throw fileFailure(error, uploaded, world)
    }
  })

async function inspected(
  connection: DuckDBConnection,
  file: LinkedFile,
  order: InspectOrder,
): Promise<FileRan> {
  const { result, bytes, ...found } = await inspectFile(connection, file, order)
  return { result, bytes, rowsChanged: null, file: { ...found, rejected: [] } }
}

async function loaded(connection: DuckDBConnection, file: LinkedFile, order: LoadOrder): Promise<FileRan> {
  const { reading } = order
  try {
    const { rowsChanged, ...done } = await loadFile(connection, file, order)
    const result = { columns: [], rows: [], truncated: false, rowsChanged }
    return { result, bytes: 0, rowsChanged, file: { reading, ...done } }
  } catch (error) {
    if (!(error instanceof TooManyRejected)) throw error
    throw new FailedWithFile(error, { reading, rejected: error.rejected })
  }
}
