import type { Pipe, PipeFile, PipeFileState } from '@boathouse/contract'
import type { PipeProperties } from '@boathouse/sql'
import type { Kysely } from 'kysely'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Schema } from '../../../store/schema.ts'
import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Streams } from '../stream/service.ts'
import { createFileLoading } from './file-loading.ts'
import { createPipeCreation, type NewPipe, type PipeCreationParts, type Who } from './pipe-creation.ts'
import { createPipeFileStore, type PipeFileRow } from './pipe-file-store.ts'
import { presentFile, presentPipe } from './pipe-presenting.ts'
import { settingsWith } from './pipe-properties.ts'
import { createPipeRuns } from './pipe-runs.ts'
import { createPipeStore, type PipePlace, type PipeRow } from './pipe-store.ts'
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

/** Everyone has their own, an account administrator those of all. */
const seesAll = (actor: Actor): boolean => actor.activeRoles.includes('account_admin')

const missing = (name?: string) =>
  new AppError(
    'NotFound',
    `There is no pipe ${name === undefined ? 'of this id' : name} that you may see, or it was dropped. SHOW PIPES lists them.`,
  )

const noFile = (path: string) => new AppError('NotFound', `The pipe has seen no file ${path}.`)

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

  const isSeen = (actor: Actor, row: PipeRow): boolean => row.user_id === actor.userId || seesAll(actor)

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

  /** In one transaction with its entry in the audit log. */
  async function change(
    who: Who,
    row: PipeRow,
    {
      verb,
      ...changed
    }: { verb: string } & Partial<
      Pick<PipeRow, 'state' | 'reason' | 'last_error' | 'next_poll_at' | 'properties'>
    >,
  ): Promise<void> {
    const { state, properties } = changed
    await transaction(async (trx) => {
      await store.change(trx, row.pipe_id, changed)
      await recordAudit(trx, {
        accountId: row.account_id,
        at: clock.now(),
        by: userAuthor(who),
        action: `pipe.${verb}`,
        object: { type: 'pipe', id: row.pipe_id, name: row.name },
        before: { ...(state && { state: row.state }), ...(properties && { ...row.properties }) },
        after: { ...(state && { state }), ...properties },
      })
    })
    touch(row.account_id)
  }

  /** What somebody did with files, in the audit log. */
  async function note(
    who: Who,
    row: PipeRow,
    { verb, ...after }: { verb: string; file?: string; files?: number },
  ): Promise<void> {
    await transaction((trx) =>
      recordAudit(trx, {
        accountId: row.account_id,
        at: clock.now(),
        by: userAuthor(who),
        action: `pipe.${verb}`,
        object: { type: 'pipe', id: row.pipe_id, name: row.name },
        before: null,
        after,
      }),
    )
    touch(row.account_id)
  }

  /** Looked at as soon as possible. */
  const soon = async ({ pipe_id, account_id }: PipeRow): Promise<void> => {
    await store.change(db, pipe_id, { next_poll_at: clock.now() })
    touch(account_id)
  }

  async function fileOf(row: PipeRow, by: { fileId: string } | { path: string }): Promise<PipeFileRow> {
    const file = await files.find(row.pipe_id, by)
    if (!file) throw noFile('path' in by ? by.path : 'of this id')
    return file
  }

  return {
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

    async suspend(who: Who, row: PipeRow): Promise<void> {
      if (row.state === 'suspended') return
      if (row.state !== 'running')
        throw new AppError('Conflict', `The pipe ${row.name} is ${row.state}. You can suspend one that runs.`)
      await change(who, row, { verb: 'suspend', state: 'suspended', reason: '' })
    },

    async resume(who: Who, row: PipeRow): Promise<void> {
      if (row.state === 'running') return
      if (row.state === 'error')
        throw new AppError('Conflict', `The pipe ${row.name} cannot be read. Create it again.`)
      await change(who, row, {
        verb: 'resume',
        state: 'running',
        reason: '',
        last_error: '',
        next_poll_at: clock.now(),
      })
    },

    async set(who: Who, row: PipeRow, properties: PipeProperties): Promise<void> {
      const settings = settingsWith(row.properties, properties)
      await creation.requireWarehouse(who.actor, settings.warehouse)
      await change(who, row, { verb: 'change', properties: settings, next_poll_at: clock.now() })
    },

    async drop(who: Who, row: PipeRow): Promise<void> {
      await transaction(async (trx) => {
        if (!(await store.remove(trx, row.pipe_id))) throw missing(row.name)
        await recordAudit(trx, {
          accountId: row.account_id,
          at: clock.now(),
          by: userAuthor(who),
          action: 'pipe.drop',
          object: { type: 'pipe', id: row.pipe_id, name: row.name },
          before: { name: row.name, path: row.source.path },
          after: null,
        })
      })
      touch(row.account_id)
    },

    async skip(who: Who, row: PipeRow, by: { fileId: string } | { path: string }): Promise<void> {
      const file = await fileOf(row, by)
      if (!(await files.skip(file.file_id, clock.now())))
        throw new AppError(
          'Conflict',
          `The file is ${file.state}. You can skip a file only while it waits or after it has failed.`,
        )
      await note(who, row, { verb: 'skip', file: file.path })
    },

    async retry(who: Who, row: PipeRow, by: { fileId: string } | { path: string }): Promise<void> {
      const file = await fileOf(row, by)
      if ((await files.retry(row.pipe_id, file.file_id, clock.now())) === 0)
        throw new AppError(
          'Conflict',
          `The file is ${file.state}. You can retry a file only after it has failed or was skipped.`,
        )
      await note(who, row, { verb: 'retry', file: file.path })
      await soon(row)
    },

    async retryAll(who: Who, row: PipeRow): Promise<number> {
      const retried = await files.retry(row.pipe_id, null, clock.now())
      if (retried === 0) return 0
      await note(who, row, { verb: 'retry', files: retried })
      await soon(row)
      return retried
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
