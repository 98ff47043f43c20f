import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Parts of files that have arrived. */
export function createUploadPartsStore(db: Kysely<Schema>) {
  return {
    addPart: (uploadId: string, part: number, at: Date) =>
      db
        .insertInto('upload_parts')
        .values({ upload_id: uploadId, part, received_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),

    async hasPart(uploadId: string, part: number): Promise<boolean> {
      const row = await db
        .selectFrom('upload_parts')
        .select('part')
        .where('upload_id', '=', uploadId)
        .where('part', '=', part)
        .executeTakeFirst()
      return row !== undefined
    },

    async partsOf(uploadId: string): Promise<number[]> {
      const rows = await db
        .selectFrom('upload_parts')
        .select('part')
        .where('upload_id', '=', uploadId)
        .orderBy('part')
        .execute()
      return rows.map(({ part }) => part)
    },
  }
}
