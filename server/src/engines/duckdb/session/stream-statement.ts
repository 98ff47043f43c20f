import type { DuckDBConnection } from '@duckdb/node-api'
import { quotedString } from '@duckdb/node-api'
import { STANDARD_QUOTES } from '@boathouse/sql'
import type { StreamCounts, StreamOrder, StreamPart } from '../../engine/files.ts'
import type { ObjectUse } from '../../engine/objects.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import { isFatal, isInterrupt, readReport, StatementInterrupted, StatementRefused } from '../errors.ts'
import { fileFailure } from '../files/file-errors.ts'
import { STREAM_WORDS } from '../files/stream/stream-words.ts'
import { withLinked } from '../files/linked-file.ts'
import { type MappedColumn, mappingOf } from '../files/stream/column-mapping.ts'
import { isVolatile, probesOf, unboundExpression } from '../files/stream/guard-expressions.ts'
import {
  loadFitting,
  loadWhole,
  type ReadyPart,
  RowsDoNotFit,
  TooManyFiltered,
} from '../files/stream/load-part.ts'
import { isReadAtOnce, layoutOf } from '../files/stream/stream-source.ts'
import { targetColumns } from '../files/target-table.ts'
import { render } from '../rendering/render.ts'
import { describeStatement } from './describe.ts'
import { refuseInternalNames } from './effects.ts'
import { FailedWithFile, type FileRan, type FileStatementParts } from './file-statement.ts'
import type { SessionObjects } from './session-objects.ts'
import type { Acting, SessionTransaction } from './transaction.ts'

export interface StreamStatementParts extends Omit<FileStatementParts, 'objects' | 'transaction'> {
  readonly objects: Pick<SessionObjects, 'allowed' | 'described'>
  readonly transaction: Pick<SessionTransaction, 'write' | 'enter' | 'leave'>
  /** The time zone of the session; null when a statement may have changed it. */
  readonly zone: string | null
}

/** Reads all as what it is to be, or finds out row by row what fits. */
type Way = 'whole' | 'fitting'

const NOT_WHOLE = 'Not all rows of these loads fit together. Each of them is loaded on its own.'

const usesOf = ({ parts }: StreamOrder): readonly ObjectUse[] => {
  const tables = new Map(parts.map(({ table }) => [JSON.stringify(table), table]))
  return [...tables.values()].map((table) => {
    refuseInternalNames([table.catalog, table.database, table.name].join('.'))
    return { action: 'insert', object: { type: 'table', ...table }, through: null }
  })
}

/** What programs have sent, loaded in one transaction with the note that it was. */
export async function runStreamStatement(
  parts: StreamStatementParts,
  order: StreamOrder,
  options: ExecuteOptions,
): Promise<FileRan & { readonly kept: null; readonly profile: null }> {
  const { transaction, runState } = parts
  const isFast = order.parts.every((part) => part.where === null && isReadAtOnce(part))
  if (isFast) {
    try {
      return await attempt(parts, { order, options, way: 'whole' })
    } catch (error) {
      if (!mayFitOtherwise(error, parts)) throw error
      if (order.parts.some(({ wholeRows }) => wholeRows !== null))
        throw new StatementRefused({ kind: 'data', message: NOT_WHOLE })
    }
    // Nothing of the first attempt is left.
    await transaction.leave()
    runState.isSettling = false
    await transaction.enter()
  }
  return attempt(parts, { order, options, way: 'fitting' })
}

/** Everything that is about the rows; not that the statement was stopped or refused, or the engine fails. */
const mayFitOtherwise = (error: unknown, { runState }: StreamStatementParts): boolean =>
  !runState.isCancelled &&
  !isInterrupt(error) &&
  !isFatal(error) &&
  (error instanceof RowsDoNotFit ||
    (!(error instanceof StatementRefused) && !/out of memory|no space left/i.test(readReport(error).message)))

interface Attempt {
  readonly order: StreamOrder
  readonly options: ExecuteOptions
  readonly way: Way
}

async function attempt(parts: StreamStatementParts, { order, options, way }: Attempt) {
  const { objects, transaction, runState } = parts
  await objects.allowed(usesOf(order), { options, stop: runState.stopping.signal })
  const acting: Acting<FileRan> = {
    queryId: options.queryId,
    catalog: order.parts[0]?.table.catalog ?? '',
    act: () => loadAll(parts, { order, options, way }),
    isCancelled: () => runState.isCancelled,
    settle: () => (runState.isSettling = true),
  }
  const ran = await (order.isTrial ? tried(parts, acting) : transaction.write(acting))
  return { ...ran, kept: null, profile: null }
}

/** Done and taken back: it changes nothing, and is not noted. */
async function tried(
  { transaction }: StreamStatementParts,
  { act, settle, isCancelled }: Acting<FileRan>,
): Promise<FileRan> {
  const ran = await act(() => undefined)
  settle()
  if (isCancelled()) throw new StatementInterrupted()
  await transaction.leave()
  return { ...ran, result: { ...ran.result, rowsChanged: 0 }, rowsChanged: 0 }
}

async function loadAll(parts: StreamStatementParts, { order, options, way }: Attempt): Promise<FileRan> {
  const done: StreamCounts[] = []
  const { reading } = order
  try {
    for (const part of order.parts) done.push(await loadOne(parts, { part, options, way }))
  } catch (error) {
    if (!(error instanceof TooManyFiltered)) throw error
    throw new FailedWithFile(error, { reading, rejected: [], parts: [...done, error.counts] })
  }
  const rowsChanged = done.reduce((sum, { loaded }) => sum + loaded, 0)
  const result = { columns: [], rows: [], truncated: false, rowsChanged }
  return { result, bytes: 0, rowsChanged, file: { reading, rejected: [], parts: done } }
}

interface OnePart {
  readonly part: StreamPart
  readonly options: ExecuteOptions
  readonly way: Way
}

const loadOne = (parts: StreamStatementParts, { part, options, way }: OnePart): Promise<StreamCounts> =>
  withLinked(parts.world, part.file, async (path) => {
    const { connection, world, zone } = parts
    try {
      const ready = await readyPart(parts, { part, options, path, way })
      parts.runState.at.compiled ??= performance.now()
      return await inZone(connection, { wanted: part.timeZone, usual: zone }, () =>
        way === 'whole' ? loadWhole(connection, ready) : loadFitting(connection, ready),
      )
    } catch (error) {
      const isTried = way === 'whole' && !(error instanceof StatementRefused)
      throw isTried ? error : fileFailure(error, path, { mask: world.mask, words: STREAM_WORDS })
    }
  })

const WRITTEN = { quotes: STANDARD_QUOTES, systemVariables: {}, variables: {} }

/** With its columns found in the table, and every expression bound as if its sender had sent it as a statement. */
async function readyPart(
  { connection, objects, runState }: StreamStatementParts,
  { part, options, path, way }: OnePart & { readonly path: string },
): Promise<ReadyPart> {
  const rendered = (text: string) => render(text, options.written ?? WRITTEN)?.text ?? text
  const table = await targetColumns(connection, part)
  const mapping = mappingOf(part, table, rendered)
  const where = part.where === null ? null : rendered(part.where)
  const probes = await probesOf(connection, {
    sources: mapping.sources,
    computed: mapping.targets.flatMap(({ source, value }) => (source === null ? [value] : [])),
    where,
    targets: mapping.targets,
  })
  for (const sql of probes) {
    const asked = { sql, options: { ...options, takenFor: 'reads' as const }, stop: runState.stopping.signal }
    const described = objects.described(asked, () => describeStatement(connection, sql, 'reads'))
    await described.catch((error: unknown) => {
      throw unboundExpression(error)
    })
  }
  const layout = await layoutOf(path, part)
  const ready = { path, part, layout, mapping, where, isWhereVolatile: false }
  return way === 'whole' ? ready : withVolatile(connection, ready)
}

/** Only what is tried row by row need be known to differ each time. */
async function withVolatile(connection: DuckDBConnection, ready: ReadyPart): Promise<ReadyPart> {
  const { mapping, where } = ready
  const targets: MappedColumn[] = []
  for (const one of mapping.targets) {
    const differs = one.source === null && (await isVolatile(connection, one.value, mapping.sources))
    targets.push({ ...one, isVolatile: differs })
  }
  return {
    ...ready,
    mapping: { ...mapping, targets },
    isWhereVolatile: where !== null && (await isVolatile(connection, `(${where}\n)`, targets)),
  }
}

/** Times without a zone are of the one that the sender has named. */
async function inZone<T>(
  connection: DuckDBConnection,
  { wanted, usual }: { readonly wanted: string | null; readonly usual: string | null },
  work: () => Promise<T>,
): Promise<T> {
  if (wanted === null) return work()
  await connection.run(`SET TimeZone = ${quotedString(wanted)}`)
  const done = await work()
  await connection.run(usual === null ? 'RESET TimeZone' : `SET TimeZone = ${quotedString(usual)}`)
  return done
}
