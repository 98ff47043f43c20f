import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'

/**
 * What others may do with a saved query, each with what the ones before allow. `see`: read its text and versions. `run`: run
 * it where it is, which marks the version. `edit`: change its text, parameters and chart. All of them run with their own
 * privileges, and those who see a text can copy it.
 */
export const SHARE_LEVELS = ['see', 'run', 'edit'] as const
const ShareLevel = z.enum(SHARE_LEVELS)
export type ShareLevel = z.infer<typeof ShareLevel>

/** `own`: it is yours. */
export const QueryAccess = z.enum([...SHARE_LEVELS, 'own'])
export type QueryAccess = z.infer<typeof QueryAccess>

/** A folder stands for all that is in it, also later. */
const SharedObject = z.object({ kind: z.enum(['query', 'folder']), id: z.uuid() })
export type SharedObject = z.infer<typeof SharedObject>

const SharePartner = z.object({
  kind: z.enum(['user', 'role']),
  name: z.string().check(z.minLength(1), z.maxLength(LIMITS.identifierLength)),
})
export type SharePartner = z.infer<typeof SharePartner>

const Share = z.object({
  partner: SharePartner,
  level: ShareLevel,
  /** The folder that is shared, if it is not the object itself; empty otherwise. */
  folderName: z.string(),
})
export type Share = z.infer<typeof Share>

const SharedQuery = z.object({
  tabId: z.uuid(),
  tabName: z.string(),
  owner: z.string(),
  /** From the shared folder down; empty: the query itself is shared. */
  folderName: z.string(),
  access: ShareLevel,
  changedAt: z.string(),
})
export type SharedQuery = z.infer<typeof SharedQuery>

const Search = z._default(z.string().check(z.trim(), z.maxLength(LIMITS.identifierLength)), '')

export const shareCalls = {
  /** Only its owner can. */
  share: defineCall({
    path: '/editor/share',
    summary: 'Share a saved query or a folder of yours with a user or a role, or change what they may do',
    needs: 'login',
    refusesKeys: true,
    input: z.object({ of: SharedObject, partner: SharePartner, level: ShareLevel }),
    output: z.object({}),
    fails: ['NotFound', 'BadInput', 'LimitReached'],
  }),
  unshare: defineCall({
    path: '/editor/unshare',
    summary: 'Stop sharing a saved query or a folder of yours with a user or a role',
    needs: 'login',
    refusesKeys: true,
    input: z.object({ of: SharedObject, partner: SharePartner }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
  shares: defineCall({
    path: '/editor/shares',
    summary: 'List who has access to a saved query or a folder of yours, also by the folders that it is in',
    needs: 'login',
    render: true,
    input: z.object({ of: SharedObject }),
    output: z.object({ list: z.array(Share) }),
    fails: ['NotFound'],
  }),
  sharePartners: defineCall({
    path: '/editor/share-partners',
    summary: 'Find users and roles of the account to share with, by the beginning of their names',
    needs: 'login',
    silent: true,
    input: z.object({ search: Search }),
    output: z.object({ list: z.array(SharePartner) }),
  }),
  sharedWithMe: defineCall({
    path: '/editor/shared-with-me',
    summary: 'List saved queries of others that are shared with you or your active roles, by name',
    needs: 'login',
    render: true,
    input: z.object({
      search: Search,
      offset: z._default(z.int().check(z.gte(0)), 0),
      limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.pageSize)), 50),
    }),
    output: z.object({ list: z.array(SharedQuery), total: z.int() }),
  }),
}
