import type { Pipe, PipeFile, PipeFileState } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../../kernel/actor.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Schema } from '../../../store/schema.ts'
import type { Streams } from '../stream/service.ts'
import { createFileLoading } from './file-loading.ts'
import { createPipeCreation, type NewPipe, type PipeCreationParts, type Who } from './pipe-creation.ts'
import { createPipeActions, missing } from './pipe-actions.ts'
import type { PipeFileRow } from './pipe-file-list-store.ts'
import { createPipeFileStore } from './pipe-file-store.ts'
import { presentFile, presentPipe } from './pipe-presenting.ts'
import { createPipeRuns } from './pipe-runs.ts'
import type { PipeRow } from './pipe-row.ts'
import { createPipeStore, type PipePlace } from './pipe-store.ts'
import { createSources, type SourceParts } from './sources.ts'

export interface PipeParts
  extends SourceParts, Pick<PipeCreationParts, 'authority' | 'resolve' | 'warehouses' | 'clock'> {
  readonly db: Kysely<Schema>
  readonly streams: Pick<Streams, 'begin' | 'labelled'>
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  /** To open consoles of an account: something of its pipes is another by now. */
  readonly tell: (accountId: string) => void
  readonly log: Log
}

interface Page {
  readonly offset: number
  readonly limit: number
}

/** A pipe with its row, for lists of the service. */
export interface WholePipe {
  readonly row: PipeRow
  readonly pipe: Pipe
}

const seesAll = (actor: Actor): boolean => actor.activeRoles.includes('account_admin')

/** Everyone has their own, an account administrator those of all. */
const isSeen = (actor: Actor, row: PipeRow): boolean => row.user_id === actor.userId || seesAll(actor)

/** Continuous loads: folders and parts of buckets that are watched, each file loaded once, as the user who made the pipe. */
export function createPipes(parts: PipeParts) {
  const { db, clock, tell } = parts
  const transaction: PipeCreationParts['transaction'] = (work) => db.transaction().execute(work)
  const store = createPipeStore(db)
  const files = createPipeFileStore(db)
  const sources = createSources(parts)
  const touched = new Set<string>()
  const touch = (accountId: string): void => void touched.add(accountId)
  const loadFile = createFileLoading({ ...parts, files, sources })
  const runs = createPipeRuns({ ...parts, store, files, sources, loadFile, transaction, touch })
  const creation = createPipeCreation({ ...parts, store, sources, transaction })

  async function find(actor: Actor, pipeId: string): Promise<PipeRow> {
    const row = await store.find(actor.accountId, pipeId)
    if (!row || !isSeen(actor, row)) throw missing()
    return row
  }

  async function named(actor: Actor, place: PipePlace, name: string): Promise<PipeRow> {
    const row = await store.named(actor.accountId, place, name)
    if (!row || !isSeen(actor, row)) throw missing(name)
    return row
  }

  async function present(rows: readonly PipeRow[]): Promise<Pipe[]> {
    const figures = await files.figures(rows.map(({ pipe_id }) => pipe_id))
    return rows.map((row) => presentPipe(row, figures, clock.now()))
  }

  async function presented(row: PipeRow): Promise<Pipe> {
    const [pipe] = await present([row])
    if (!pipe) throw missing()
    return pipe
  }

  return {
    ...createPipeActions({ db, store, files, touch, requireWarehouse: creation.requireWarehouse, clock }),
    find,
    named,
    presented,
    sources: (actor: Actor) => sources.open(actor),

    async create(who: Who, asked: NewPipe): Promise<PipeRow> {
      const taken = await store.named(who.actor.accountId, asked.place, asked.name)
      const isReplaced = taken !== undefined && asked.replaces && isSeen(who.actor, taken)
      const row = await creation.create(who, asked, isReplaced ? taken : undefined)
      touch(row.account_id)
      return row
    },

    async list(actor: Actor, { place, ...page }: Page & { readonly place?: PipePlace | undefined }) {
      const userId = seesAll(actor) ? null : actor.userId
      const asked = { accountId: actor.accountId, userId, place, ...page }
      const [rows, total] = await Promise.all([store.list(asked), store.count(asked)])
      const list = await present(rows)
      const whole = rows.flatMap((row, at): WholePipe[] => {
        const pipe = list[at]
        return pipe ? [{ row, pipe }] : []
      })
      return { whole, total }
    },

    async files(
      row: PipeRow,
      page: Page & { readonly state?: PipeFileState | undefined },
    ): Promise<{ list: PipeFile[]; total: number; rows: readonly PipeFileRow[] }> {
      const [rows, total] = await Promise.all([
        files.list(row.pipe_id, page),
        files.count(row.pipe_id, page.state),
      ])
      return { list: rows.map(presentFile), total, rows }
    },

    runDue: runs.runDue,
    idle: runs.idle,
    closing: runs.closing,

    /** What has changed since the last time, to open consoles. */
    async tellTouched(): Promise<void> {
      for (const accountId of touched) tell(accountId)
      touched.clear()
    },
  }
}

export type Pipes = ReturnType<typeof createPipes>
