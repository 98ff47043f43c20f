import { contract } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Messages } from '../message/service.ts'
import type { Logins } from './logins.ts'
import type { Passwords } from './password-service.ts'
import type { Users } from './service.ts'

export const userCalls = ({
  users,
  logins,
  passwords,
  messages,
}: {
  users: Users
  logins: Logins
  passwords: Passwords
  messages: Messages
}) =>
  implement(contract.user, {
    login: (from, input) => users.login(from, input),
    logout: async ({ actor }) => {
      await users.logout(actor)
      return {}
    },
    info: ({ actor }) => users.info(actor),
    accountInfo: async ({ actor }) => {
      const { region, accountId, accountState } = await users.info(actor)
      return { region, accountId, accountState }
    },
    listLogins: async ({ actor }) => ({ logins: await logins.list(actor) }),
    endLogin: async ({ actor }, { loginId }) => {
      await logins.end(actor, loginId)
      return {}
    },
    endOtherLogins: async ({ actor }) => ({ ended: await logins.endOthers(actor) }),
    changePassword: async (from, input) => {
      await passwords.change(from, input)
      return {}
    },
    requestPasswordReset: async (from, input) => {
      await passwords.requestReset(from, input)
      return {}
    },
    passwordResetLink: (from, { token }) => passwords.resetLink(from, token),
    resetPassword: (from, input) => passwords.reset(from, input),
    invitationLink: (from, { token }) => passwords.invitationLink(from, token),
    setUpPassword: (from, input) => passwords.setUp(from, input),
    listUnreadMessages: async ({ actor }) => ({ messages: await messages.unread(actor) }),
    listMessages: ({ actor }, page) => messages.list(actor, page),
    markMessageRead: async ({ actor }, { messageId }) => {
      await messages.markRead(actor, messageId)
      return {}
    },
  })
