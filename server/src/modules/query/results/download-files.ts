import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Actor } from '../../../kernel/actor.ts'
import { userAuthor } from '../../audit/author.ts'
import type { AuditEvent } from '../../audit/record.ts'
import type { DownloadStore } from './download-store.ts'

/** The code of a link is kept as its hash alone. */
export const hashCode = (code: string): Buffer => createHash('sha256').update(code).digest()

/** What the audit log says of a file, without what was done with it. */
export const downloadEvent = (
  { actor, clientIp }: { readonly actor: Actor; readonly clientIp: string | null },
  queryId: string,
  at: Date,
): Omit<AuditEvent, 'action' | 'after'> => ({
  accountId: actor.accountId,
  at,
  by: { ...userAuthor({ actor, clientIp: clientIp ?? '' }), clientIp },
  object: { type: 'result', id: queryId },
  before: null,
})

/** The file first: a crash in between leaves a row, which a job removes. */
export async function removeDownload(
  store: Pick<DownloadStore, 'remove'>,
  codeHash: Buffer,
  file: string,
): Promise<void> {
  await rm(file, { force: true })
  await store.remove(codeHash)
}
