import type { Kysely } from 'kysely'
import type { Schema } from '../../../store/schema.ts'
import type { PipeFileRow } from './pipe-file-list-store.ts'

const UNIQUE_VIOLATION = '23505'

const isTaken = (error: unknown): boolean => (error as { code?: string }).code === UNIQUE_VIOLATION

/** Which content a pipe has loaded, whatever its files are called. */
export function createPipeContentStore(db: Kysely<Schema>) {
  async function sameContent(file: PipeFileRow, hash: string) {
    return db
      .selectFrom('pipe_files')
      .select(['path', 'state'])
      .where('pipe_id', '=', file.pipe_id)
      .where('content_hash', '=', hash)
      .where('state', 'in', ['loading', 'loaded'])
      .where('file_id', '!=', file.file_id)
      .executeTakeFirst()
  }

  return {
    /** Takes its content for this file; else says which file of the pipe has it. */
    async claimContent(file: PipeFileRow, hash: string): Promise<{ path: string; state: string } | null> {
      const other = await sameContent(file, hash)
      if (other) return other
      try {
        await db
          .updateTable('pipe_files')
          .set({ content_hash: hash })
          .where('file_id', '=', file.file_id)
          .execute()
        return null
      } catch (error) {
        if (!isTaken(error)) throw error
        return (await sameContent(file, hash)) ?? { path: '', state: 'loading' }
      }
    },
  }
}
