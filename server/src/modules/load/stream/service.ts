import { objectOf, type Rejection } from '@boathouse/contract'
import {
  analyse,
  type LoadData,
  type Quotes,
  readLoadData,
  readStatement,
  withStandardQuotes,
} from '@boathouse/sql'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { inBatches } from '../../../store/in-batches.ts'
import type { Authority } from '../../access/authority.ts'
import type { TaskRow, TaskStore } from '../task-store.ts'
import type { UploadFiles } from '../upload-files.ts'
import { type ArrivalParts, createArrivals } from './arrived-data.ts'
import { REJECTIONS_KEPT_MS, type StreamAnswer, type StreamSender } from './live-load.ts'
import { type LoadPlace, streamOfLoadData } from './load-data.ts'
import { createLabelOwners } from './labels.ts'
import { createPlaces, createTurns } from './places.ts'
import { createStreamLoads, type StreamLoadParts } from './stream-loads.ts'
import { MOST_REPORTED, type StreamOptions } from './stream-options.ts'
import { createStreamRecovery, type StreamRecoveryParts } from './stream-recovery.ts'
import { createStreamRuns } from './stream-runs.ts'
import { createStreamStore } from './stream-store.ts'
import { createTargets, type StreamTarget, type TargetParts } from './stream-target.ts'
import { buildTransactions, type TransactionLimits } from './transactions/build-transactions.ts'
import type { Kysely } from 'kysely'
import type { Schema } from '../../../store/schema.ts'

export interface StreamParts
  extends
    Omit<TargetParts, 'authority'>,
    Pick<StreamRecoveryParts, 'runFile' | 'findRequest' | 'actorOf'>,
    Pick<StreamLoadParts, 'queries' | 'log'>,
    Omit<ArrivalParts, 'files'>,
    TransactionLimits {
  readonly db: Kysely<Schema>
  readonly authority: Pick<Authority, 'require' | 'visible'>
  readonly files: UploadFiles
  readonly tasks: TaskStore
  /** How long a label is kept. */
  readonly labelsKeptMs: number
}

const noErrors = () =>
  new AppError(
    'NotFound',
    'There are no rejected rows of this load, or they have expired, a day after it ended.',
  )

/** A statement of a MySQL client, and where its connection is. */
export interface LoadDataText {
  readonly text: string
  readonly quotes: Quotes
  readonly place: LoadPlace
  /** Aborted when the client, or somebody else, wants it to end. */
  readonly stop: AbortSignal
}

/** In standard quotes: expressions in it are handed on as they are written. */
function readText(text: string, quotes: Quotes): LoadData {
  const { count, statements } = analyse(text, 1, quotes)
  const [statement] = statements
  if (count > 1) throw new AppError('BadInput', 'Send LOAD DATA alone, without other statements in its text.')
  const data = statement && readLoadData(readStatement(withStandardQuotes(statement)))
  if (data) return data
  throw new AppError('BadInput', 'This LOAD DATA cannot be read. Check its clauses and their order.')
}

/** Data that programs send over HTTP: once per label, in the engine's transaction. */
export function createStreams(parts: StreamParts) {
  const { db, authority, tasks, clock, labelsKeptMs } = parts
  const store = createStreamStore(db)
  const arrivals = createArrivals(parts)
  const isLive = (taskId: string): boolean => loads.isLive(taskId)
  const settleTransaction = (row: TaskRow) => transactions.settle(row)
  const recovery = createStreamRecovery({ ...parts, store, isLive, settleTransaction })
  const shared = {
    ...parts,
    rejections: tasks,
    findTarget: createTargets(parts),
    places: createPlaces(),
    inTurn: createTurns(),
    run: createStreamRuns(parts),
    ownerOf: createLabelOwners({ store, settle: recovery.settle, isLive }),
  }
  const loads = createStreamLoads({ ...shared, store, arrivals })
  const transactions = buildTransactions(shared)

  return {
    begin: loads.begin,
    transactions,
    progressOf: (taskId: string) => loads.progressOf(taskId) ?? transactions.progressOf(taskId),
    receivedOf: loads.receivedOf,
    cancel: async (taskId: string) => (await loads.cancel(taskId)) || transactions.cancel(taskId),
    isArriving: arrivals.isOpen,
    /** The load that has a label, unless it failed. */
    labelled: store.byLabel,

    async settleLeft(): Promise<void> {
      await recovery.settleLeft()
      await transactions.settleLeft()
    },

    /** The same in one go, for those who have the body already. Throws as `begin` does. */
    async load(
      sender: StreamSender,
      target: StreamTarget,
      { options, body }: { readonly options: StreamOptions; readonly body: AsyncIterable<Uint8Array> },
    ): Promise<StreamAnswer> {
      return (await loads.begin(sender, target, options)).take(body)
    },

    /**
     * LOAD DATA LOCAL INFILE of a MySQL client, which sends the file that `bodyOf` is asked for: not before the load was
     * judged. Throws as `begin` does.
     */
    async loadData(
      sender: StreamSender,
      { text, quotes, place, stop }: LoadDataText,
      bodyOf: (file: string) => AsyncIterable<Uint8Array>,
    ): Promise<StreamAnswer> {
      const data = readText(text, quotes)
      const { target, options } = streamOfLoadData(data, place)
      const begun = await loads.begin(sender, target, options)
      const cancel = () => begun.cancel()
      stop.addEventListener('abort', cancel)
      if (stop.aborted) cancel()
      return begun.take(bodyOf(data.file)).finally(() => stop.removeEventListener('abort', cancel))
    },

    /** The rejected rows of a load, for those who may read its table. */
    async errors(actor: Actor, taskId: string): Promise<readonly Rejection[]> {
      const row = await tasks.find(actor.accountId, taskId)
      if (!row || row.label === null) throw noErrors()
      for (const name of row.tables ?? [row.table_name]) {
        const table = { catalog: row.catalog, database: row.database_name, name }
        await authority.require(actor, { privilege: 'SELECT', object: objectOf('table', table) })
      }
      const isOver = !row.ended_at || row.ended_at.getTime() + REJECTIONS_KEPT_MS < clock.now().getTime()
      if (isOver) throw noErrors()
      const rows = await tasks.rejections(taskId, { offset: 0, limit: MOST_REPORTED })
      return rows.map(({ column_name, ...rest }) => ({ ...rest, column: column_name }))
    },

    forgetLabels: () =>
      inBatches((most) => store.forget(new Date(clock.now().getTime() - labelsKeptMs), most)),
  }
}

export type Streams = ReturnType<typeof createStreams>
