import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { AccountId, EncodedPassword, UserName } from './rules.ts'

/** `activeRoles` is ours: guards and menu look at roles, buttons at perms. */
export const UserInfo = z.object({
  user: z.string(),
  creator: z.string(),
  email: z.string(),
  accountId: z.string(),
  accountName: z.string(),
  accountState: z.int(),
  edition: z.enum(['lake', 'standard']),
  source: z.int(),
  isOrgAdmin: z.boolean(),
  orgIdentity: z.int(),
  perms: z.array(z.string()),
  region: z.string(),
  activeRoles: z.array(z.string()),
})
export type UserInfo = z.infer<typeof UserInfo>

export const MESSAGE_TYPES = {
  TrialStarted: 1,
  TrialEnding: 2,
  BudgetWarning: 3,
  BudgetReached: 4,
  IntegrationAnswered: 5,
  PipeSuspended: 6,
  ScheduleFailed: 7,
  ScheduleCondition: 8,
} as const
export const UnreadMessage = z.object({
  messageId: z.string(),
  type: z.int(),
  /** The name of what it reports about; empty: its type says it all. */
  about: z.string(),
  read: z.boolean(),
  createdAt: z.string(),
})
export type UnreadMessage = z.infer<typeof UnreadMessage>

export const user = {
  login: defineCall({
    path: '/user/login',
    summary: 'Sign in to an account',
    needs: 'nothing',
    input: z.object({ accountId: AccountId, username: UserName, password: EncodedPassword }),
    output: z.object({ token: z.string(), info: UserInfo }),
    fails: ['LoginFailed', 'Conflict', 'TooManyAttempts'],
  }),
  logout: defineCall({
    path: '/user/logout',
    summary: 'Log out',
    needs: 'login',
    refusesKeys: true,
    silent: true,
    whileFrozen: true,
    input: z.object({}),
    output: z.object({}),
  }),
  info: defineCall({
    path: '/user/info',
    summary: 'Get the signed-in user and account',
    needs: 'login',
    render: true,
    whileFrozen: true,
    input: z.object({}),
    output: UserInfo,
  }),
  accountInfo: defineCall({
    path: '/user/account-info',
    summary: 'Get the state of the account; the console polls it',
    needs: 'login',
    silent: true,
    whileFrozen: true,
    input: z.object({}),
    output: z.object({ region: z.string(), accountId: z.string(), accountState: z.int() }),
  }),
  listUnreadMessages: defineCall({
    path: '/user/list-unread-messages',
    summary: 'List your unread messages, oldest first',
    needs: 'login',
    silent: true,
    whileFrozen: true,
    input: z.object({}),
    output: z.object({ messages: z.array(UnreadMessage) }),
  }),
  markMessageRead: defineCall({
    path: '/user/mark-message-read',
    summary: 'Mark a message as read',
    needs: 'login',
    whileFrozen: true,
    input: z.object({ messageId: z.uuid() }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
}
