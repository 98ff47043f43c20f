import { z } from 'zod/mini'
import { defineCall } from './call.ts'

/** What is kept for users without end or for long, and counts in bytes. */
export const KEPT_KINDS = ['queries', 'history', 'tasks'] as const
export type KeptKind = (typeof KEPT_KINDS)[number]

const MIB = 1024 * 1024

/** In bytes, of one user and of all of an account together. */
export const KEPT_LIMITS: Readonly<Record<KeptKind, { readonly user: number; readonly account: number }>> = {
  /** Texts, names and charts of saved queries, those in the bin among them. */
  queries: { user: 50 * MIB, account: 1024 * MIB },
  /** Texts, plans and errors of statements that are longer than 4 KiB; beyond it the oldest are shortened. */
  history: { user: 64 * MIB, account: 1024 * MIB },
  /** Texts of tasks and of materialized views. */
  tasks: { user: 32 * MIB, account: 256 * MIB },
}

/** Of a text in the history that was shortened, in characters. */
export const SHORTENED_LENGTH = 1_000

export const KeptUse = z.object({ kind: z.enum(KEPT_KINDS), bytes: z.int(), most: z.int() })
export type KeptUse = z.infer<typeof KeptUse>

export const quota = {
  own: defineCall({
    path: '/quota/own',
    summary: 'Get your storage use and limits',
    needs: 'login',
    input: z.object({}),
    output: z.object({ kept: z.array(KeptUse) }),
  }),
  account: defineCall({
    path: '/quota/account',
    summary: 'Get the storage use and limits of the account, with the users who use most',
    needs: { roles: ['account_admin'] },
    input: z.object({}),
    output: z.object({
      kept: z.array(KeptUse),
      /** Those with the most, of each kind. */
      users: z.array(z.object({ user: z.string(), kind: z.enum(KEPT_KINDS), bytes: z.int() })),
    }),
  }),
}
