import { contract } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Messages } from '../message/service.ts'
import type { Addresses } from './addresses.ts'
import type { Logins } from './logins.ts'
import type { Passwords } from './password-service.ts'
import type { Users } from './service.ts'
import type { SignIns } from './sign-ins.ts'

export const userCalls = ({
  users,
  logins,
  signIns,
  passwords,
  addresses,
  messages,
}: {
  users: Users
  logins: Logins
  signIns: Pick<SignIns, 'ofUser'>
  passwords: Passwords
  addresses: Addresses
  messages: Messages
}) =>
  implement(contract.user, {
    login: (from, input) => users.login(from, input),
    logout: async (from) => {
      await users.logout(from)
      return {}
    },
    info: ({ actor }) => users.info(actor),
    accountInfo: async ({ actor }) => {
      const { region, accountId, accountState } = await users.info(actor)
      return { region, accountId, accountState }
    },
    listLogins: async ({ actor }) => ({ logins: await logins.list(actor) }),
    endLogin: async (from, { loginId }) => {
      await logins.end(from, loginId)
      return {}
    },
    endOtherLogins: async (from) => ({ ended: await logins.endOthers(from) }),
    listSignIns: async ({ actor }, { limit }) => ({ signIns: await signIns.ofUser(actor, limit) }),
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
    requestEmailChange: (from, input) => addresses.request(from, input),
    emailChangeLink: (from, { token }) => addresses.link(from, token),
    confirmEmail: (from, { token }) => addresses.confirm(from, token),
    invitationLink: (from, { token }) => passwords.invitationLink(from, token),
    setUpPassword: (from, input) => passwords.setUp(from, input),
    listUnreadMessages: async ({ actor }) => ({ messages: await messages.unread(actor) }),
    listMessages: ({ actor }, page) => messages.list(actor, page),
    markMessageRead: async ({ actor }, { messageId }) => {
      await messages.markRead(actor, messageId)
      return {}
    },
  })
