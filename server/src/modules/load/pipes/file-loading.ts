import { createHash } from 'node:crypto'
import type { CodeName } from '@boathouse/contract'
import { type Actor, requireOpenAccount } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Log } from '../../../kernel/log.ts'
import { LabelTaken, messageOf, type StreamSender } from '../stream/live-load.ts'
import type { Streams } from '../stream/service.ts'
import { streamOptionsOf } from './pipe-definition.ts'
import type { PipeFileRow } from './pipe-file-list-store.ts'
import type { FileEnd, PipeFileStore } from './pipe-file-store.ts'
import type { PipeRow } from './pipe-row.ts'
import { type SourceFile, SourceTrouble } from './source-file.ts'
import type { Source, Sources } from './sources.ts'

export interface FileLoadingParts {
  readonly files: Pick<PipeFileStore, 'claimContent'>
  readonly sources: Pick<Sources, 'find'>
  readonly streams: Pick<Streams, 'begin' | 'labelled'>
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly log: Log
}

/** What became of one attempt to load a file. */
export type FileOutcome =
  | { readonly kind: 'ended'; readonly end: FileEnd }
  /** Nothing is wrong with the file: it is tried again. */
  | { readonly kind: 'later'; readonly error: string }
  /** The engine will say later whether the rows are in the table. */
  | { readonly kind: 'unknown' }
  /** It is another file by now. */
  | { readonly kind: 'changed' }
  /** Nothing of this pipe can be loaded before somebody does something about it. */
  | { readonly kind: 'stuck'; readonly reason: string }

/** What passes without anybody's doing. */
const PASSES: ReadonlySet<CodeName> = new Set([
  'Unavailable',
  'LimitReached',
  'ConnectionLimit',
  'WarehouseFull',
  'DiskFull',
  'NoRunningWarehouse',
  'QuotaExceeded',
  'AccountFrozen',
])
/** The same, unless it is the file that does it every time. */
const MAY_PASS: ReadonlySet<CodeName> = new Set(['Interrupted', 'Internal'])
const MOST_CRASHES = 5

/** What is about the pipe and not about one file. */
const STUCK: ReadonlySet<CodeName> = new Set(['NoPermission', 'NotFound', 'LoginRequired'])

const failed = (error: string): FileOutcome => ({
  kind: 'ended',
  end: { state: 'failed', error, rowsLoaded: null, rowsRejected: 0, queryId: null },
})

const skipped = (error: string): FileOutcome => ({
  kind: 'ended',
  end: { state: 'skipped', error, rowsLoaded: null, rowsRejected: 0, queryId: null },
})

interface Failure {
  readonly code: CodeName
  readonly message: string
  readonly isTableGone: boolean
}

function outcomeOf({ code, message, isTableGone }: Failure, attempts: number): FileOutcome {
  if (STUCK.has(code) || isTableGone) return { kind: 'stuck', reason: message }
  if (PASSES.has(code) || (MAY_PASS.has(code) && attempts < MOST_CRASHES))
    return { kind: 'later', error: message }
  return failed(message)
}

function outcomeOfTrouble(trouble: SourceTrouble): FileOutcome {
  if (trouble.reason === 'changed') return { kind: 'changed' }
  return trouble.reason === 'unreachable'
    ? { kind: 'later', error: trouble.message }
    : failed(trouble.message)
}

/** The same content has been loaded under another name. */
class SameContent extends AppError {
  constructor(readonly other: { readonly path: string; readonly state: string }) {
    super('Conflict', `The same content was loaded from ${other.path}.`)
  }
}

interface Attempt {
  readonly pipe: PipeRow
  readonly file: PipeFileRow
  readonly stop: AbortSignal
}

/** Loads one file of a pipe under its label: however often that is tried, its rows are in the table once. */
export function createFileLoading({ files, sources, streams, actorOf, log }: FileLoadingParts) {
  async function ownerOf({ user_id, user_name }: PipeRow): Promise<Actor> {
    const actor = await actorOf(user_id)
    if (!actor)
      throw new AppError(
        'LoginRequired',
        `The user ${user_name}, who created this pipe, no longer exists. Create the pipe again.`,
      )
    requireOpenAccount(actor.accountState)
    return actor
  }

  const senderOf = (pipe: PipeRow, known: Actor): StreamSender => ({
    known,
    now: () => ownerOf(pipe),
    door: 'service',
    clientIp: null,
    program: `pipe ${pipe.name}`,
  })

  /** All bytes of it; only when these are whole, and no other file had them, does the load begin to run. */
  async function* bodyOf(source: Source, { file, stop }: Attempt): AsyncGenerator<Uint8Array> {
    const { path, version, size_bytes: sizeBytes, changed_at: changedAt } = file
    const hash = createHash('sha256')
    const listed: SourceFile = { path, key: source.keyOf(path), sizeBytes, version, changedAt }
    for await (const chunk of source.bytes(listed, stop)) {
      hash.update(chunk)
      yield chunk
    }
    if (file.is_forced) return
    const other = await files.claimContent(file, hash.digest('hex'))
    if (other) throw new SameContent(other)
  }

  /** What the load tasks say of its label; null: nothing of it is in the table. */
  async function known({ pipe, file }: Attempt): Promise<FileOutcome | null> {
    const { account_id: accountId, table_catalog: catalog, table_database: database } = pipe
    const row = await streams.labelled({ accountId, catalog, database }, file.label)
    if (!row) return null
    if (row.state !== 'finished') return { kind: 'unknown' }
    return {
      kind: 'ended',
      end: {
        state: 'loaded',
        error: '',
        rowsLoaded: row.rows_loaded,
        rowsRejected: row.rows_rejected,
        queryId: row.query_id,
      },
    }
  }

  async function attempt(asked: Attempt): Promise<FileOutcome> {
    const { pipe, file } = asked
    const actor = await ownerOf(pipe)
    const source = await sources.find(actor, pipe.source.path)
    const { table_catalog: catalog, table_database: database, table_name: table } = pipe
    const options = streamOptionsOf(pipe.source, pipe.properties, file)
    const begun = await streams.begin(senderOf(pipe, actor), { catalog, database, table }, options)
    let trouble: unknown = null
    const body = (async function* () {
      try {
        yield* bodyOf(source, asked)
      } catch (error) {
        trouble = error
        throw error
      }
    })()
    const answer = await begun.take(body)
    const outcome = await known(asked)
    if (outcome) return outcome
    if (trouble instanceof SameContent)
      return trouble.other.state === 'loaded'
        ? skipped(`${trouble.message} Retry the file to load it anyway.`)
        : { kind: 'later', error: '' }
    if (trouble instanceof SourceTrouble) return outcomeOfTrouble(trouble)
    const { code = 'Internal', errorDetail } = answer.cause ?? {}
    const isTableGone = errorDetail === 'missing-table'
    return outcomeOf({ code, message: answer.message, isTableGone }, file.attempts + 1)
  }

  return async function load(asked: Attempt): Promise<FileOutcome> {
    try {
      return await attempt(asked)
    } catch (error) {
      if (error instanceof LabelTaken) return (await known(asked)) ?? { kind: 'later', error: '' }
      if (error instanceof SourceTrouble) return outcomeOfTrouble(error)
      if (!(error instanceof AppError)) log.error({ err: error }, 'a file of a pipe was not loaded')
      const code = error instanceof AppError ? error.code : 'Internal'
      return outcomeOf({ code, message: messageOf(error), isTableGone: false }, asked.file.attempts + 1)
    }
  }
}

export type LoadFile = ReturnType<typeof createFileLoading>
