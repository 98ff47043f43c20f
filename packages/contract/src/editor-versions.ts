import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'

/** A text that a saved query had. What the same user writes within some minutes is one. */
const QueryVersion = z.object({
  versionId: z.uuid(),
  /** Empty: it has none, and is removed when there are too many. */
  name: z.string(),
  /** Who wrote it, several where they wrote at once; empty: a user who was deleted. */
  userName: z.string(),
  savedAt: z.string(),
  /** When it was last run; empty: never. */
  ranAt: z.string(),
  /** Of its text. */
  characters: z.int(),
})
export type QueryVersion = z.infer<typeof QueryVersion>

const VersionId = z.object({ tabId: z.uuid(), versionId: z.uuid() })
/** Of a version; empty removes it. */
const VersionName = z.string().check(z.trim(), z.maxLength(LIMITS.versionNameLength))

export const versionCalls = {
  versions: defineCall({
    path: '/editor/versions',
    summary: 'List the versions of a saved query, newest first',
    needs: 'login',
    render: true,
    input: z.object({
      tabId: z.uuid(),
      offset: z._default(z.int().check(z.gte(0)), 0),
      limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.pageSize)), 20),
    }),
    output: z.object({ list: z.array(QueryVersion), total: z.int() }),
    fails: ['NotFound'],
  }),
  versionText: defineCall({
    path: '/editor/version-text',
    summary: 'Get the text of a version',
    needs: 'login',
    render: true,
    input: VersionId,
    output: z.object({ sql: z.string() }),
    fails: ['NotFound'],
  }),
  nameVersion: defineCall({
    path: '/editor/name-version',
    summary: 'Name a version, which keeps it, or remove its name',
    needs: 'login',
    input: z.object({ tabId: z.uuid(), versionId: z.uuid(), name: VersionName }),
    output: z.object({}),
    fails: ['NoPermission', 'NotFound', 'LimitReached'],
  }),
  /** The text becomes that of the query, as a new version. */
  restoreVersion: defineCall({
    path: '/editor/restore-version',
    summary: 'Restore the text of a version',
    needs: 'login',
    input: z.object({ tabId: z.uuid(), versionId: z.uuid(), revision: z.int() }),
    output: z.object({ sql: z.string(), revision: z.int() }),
    fails: ['NoPermission', 'NotFound', 'Conflict', 'ReadOnly', 'QuotaExceeded'],
  }),
  /** Of the text with this revision, so that a newer one is not marked for it. */
  markRun: defineCall({
    path: '/editor/mark-run',
    summary: 'Mark the version of a saved query that was run',
    needs: 'login',
    silent: true,
    input: z.object({ tabId: z.uuid(), revision: z.int() }),
    output: z.object({}),
    fails: ['NoPermission', 'NotFound'],
  }),
}
