import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { dashboard, ShownTile, TileResult } from './dashboard.ts'
import { LIMITS } from './limits.ts'
import { Moment } from './moment.ts'

/** As the service puts it into a header: a scheme, a host in small letters, perhaps a port, and nothing else. */
const ORIGIN = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/

export const EMBED_MESSAGES = {
  origin: 'Enter origins such as https://wiki.example.com, without a path.',
  unknown:
    'This link does not work. It is incomplete, or it was revoked. Ask who gave it to you for another one.',
  off: 'Embedding is switched off in this account. Ask its security administrator.',
  expired: 'This link has expired. Ask who gave it to you for another one.',
  notOwners: 'This dashboard does not run as its owner any more, so this link shows nothing. Ask its owner.',
  noAccess: 'The owner of this dashboard no longer has access to the data of this tile.',
  notKept: 'The rows of this tile are no longer kept. The next refresh shows it again.',
  tileFailed: 'This tile could not be refreshed. Its owner sees why.',
} as const

export const EmbedOrigin = z
  .string()
  .check(z.maxLength(LIMITS.embedOriginLength), z.regex(ORIGIN, EMBED_MESSAGES.origin))

/** Of an address that somebody has pasted; null: it names no website. */
export function originIn(address: string): string | null {
  try {
    const { origin } = new URL(address.trim())
    return EmbedOrigin.safeParse(origin).data ?? null
  } catch {
    return null
  }
}

const Embed = z.object({
  embedId: z.uuid(),
  dashboardId: z.uuid(),
  /** Websites whose pages can show it in a frame; empty: none, and the link is opened directly. */
  origins: z.array(z.string()),
  /** Null: it does not expire. */
  expiresAt: z.nullable(z.string()),
  isExpired: z.boolean(),
  createdAt: z.string(),
  /** To the minute; null: never. */
  lastUsedAt: z.nullable(z.string()),
})
export type Embed = z.infer<typeof Embed>

const ListedEmbed = z.extend(Embed, { dashboard: z.string(), owner: z.string() })
export type ListedEmbed = z.infer<typeof ListedEmbed>

const EmbedId = z.object({ embedId: z.uuid() })
/** What somebody has who came by a link. */
const Opened = z.extend(EmbedId, { key: z.string().check(z.maxLength(128)) })
const needs = { roles: ['security_admin'] } as const
const openFails = ['LinkUnusable', 'IpBlocked', 'AccountFrozen', 'NoPermission', 'TooManyAttempts'] as const

/** Dashboards for people without a sign-in, by a link that their owner gives out. */
export const embed = {
  changeSettings: defineCall({
    path: '/embed/change-settings',
    summary: 'Allow embedding in your account, or stop all links of it at once',
    needs,
    refusesKeys: true,
    input: z.object({ isAllowed: z.boolean() }),
    output: z.object({}),
  }),
  listAll: defineCall({
    path: '/embed/list-all',
    summary: 'List the embed links of all dashboards of your account, newest first',
    needs,
    silent: true,
    input: z.object({}),
    output: z.object({ isAllowed: z.boolean(), embeds: z.array(ListedEmbed) }),
  }),
  list: defineCall({
    path: '/embed/list',
    summary: 'List the embed links of your dashboard, newest first',
    needs: 'login',
    silent: true,
    input: z.object({ dashboardId: z.uuid() }),
    output: z.object({ isAllowed: z.boolean(), embeds: z.array(Embed) }),
    fails: ['NotFound', 'NoPermission'],
  }),
  create: defineCall({
    path: '/embed/create',
    summary: 'Create a link that shows your dashboard to everyone who has it',
    needs: 'login',
    refusesKeys: true,
    input: z.object({
      dashboardId: z.uuid(),
      origins: z._default(z.array(EmbedOrigin).check(z.maxLength(LIMITS.embedOrigins)), []),
      expiresAt: z._default(z.nullable(Moment), null),
    }),
    output: z.object({
      embed: Embed,
      /** With the key, shown now and never again: only its hash is kept. */
      path: z.string(),
    }),
    fails: ['BadInput', 'LimitReached', 'NotFound', 'NoPermission'],
  }),
  revoke: defineCall({
    path: '/embed/revoke',
    summary: 'Revoke an embed link: of your dashboard, or as a security administrator any of your account',
    needs: 'login',
    refusesKeys: true,
    input: EmbedId,
    output: z.object({}),
    fails: ['NotFound', 'NoPermission'],
  }),
  open: defineCall({
    path: '/embed/open',
    summary: 'Get the dashboard of an embed link, with what there is of each tile; nothing runs for it',
    needs: 'nothing',
    silent: true,
    input: Opened,
    output: z.object({
      name: z.string(),
      tiles: z.array(ShownTile),
      results: z.array(TileResult),
    }),
    fails: openFails,
  }),
  rows: defineCall({
    path: '/embed/rows',
    summary: 'Get the rows of one tile of an embedded dashboard, as it was last refreshed',
    needs: 'nothing',
    silent: true,
    input: z.extend(Opened, { runId: z.uuid() }),
    output: dashboard.rows.output,
    fails: [...openFails, 'NotFound', 'ResultExpired'],
  }),
}
