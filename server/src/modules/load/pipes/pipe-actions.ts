import type { PipeProperties } from '@boathouse/sql'
import type { Kysely } from 'kysely'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Schema } from '../../../store/schema.ts'
import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Who } from './pipe-creation.ts'
import type { PipeFileRow } from './pipe-file-list-store.ts'
import type { PipeFileStore } from './pipe-file-store.ts'
import { createPipeNotes } from './pipe-notes.ts'
import { settingsWith } from './pipe-properties.ts'
import type { PipeRow } from './pipe-row.ts'
import type { PipeStore } from './pipe-store.ts'

export interface PipeActionParts {
  readonly db: Kysely<Schema>
  readonly store: PipeStore
  readonly files: PipeFileStore
  /** Something of a pipe of this account is another by now. */
  readonly touch: (accountId: string) => void
  readonly requireWarehouse: (actor: Actor, name: string) => Promise<void>
  readonly clock: Clock
}

type OneFile = { readonly fileId: string } | { readonly path: string }

export const missing = (name?: string) =>
  new AppError(
    'NotFound',
    `There is no pipe ${name === undefined ? 'of this id' : name} that you may see, or it was dropped. SHOW PIPES lists them.`,
  )

const noFile = (path: string) => new AppError('NotFound', `The pipe has seen no file ${path}.`)

/** What users do with pipes that are there, and with their files. */
export function createPipeActions(parts: PipeActionParts) {
  const { files, touch, clock } = parts
  const { change, note, soon } = createPipeNotes(parts)

  async function fileOf(row: PipeRow, by: OneFile): Promise<PipeFileRow> {
    const file = await files.find(row.pipe_id, by)
    if (!file) throw noFile('path' in by ? by.path : 'of this id')
    return file
  }

  return {
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
      await parts.requireWarehouse(who.actor, settings.warehouse)
      await change(who, row, { verb: 'change', properties: settings, next_poll_at: clock.now() })
    },

    async drop(who: Who, row: PipeRow): Promise<void> {
      await parts.db.transaction().execute(async (trx) => {
        if (!(await parts.store.remove(trx, row.pipe_id))) throw missing(row.name)
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

    async skip(who: Who, row: PipeRow, by: OneFile): Promise<void> {
      const file = await fileOf(row, by)
      if (!(await files.skip(file.file_id, clock.now())))
        throw new AppError(
          'Conflict',
          `The file is ${file.state}. You can skip a file only while it waits or after it has failed.`,
        )
      await note(who, row, { verb: 'skip', file: file.path })
    },

    async retry(who: Who, row: PipeRow, by: OneFile): Promise<void> {
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
  }
}
