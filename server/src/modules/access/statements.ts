import { Email, encodePassword, GivenPassword, NewUserName, perms } from '@boathouse/contract'
import {
  readAlterUser,
  readCreateRole,
  readCreateUser,
  readDropRole,
  readDropUser,
  readSetDefaultRole,
  readSetPassword,
  type RoleChoice,
  type Statement,
  type StatementKind,
  type UserDefinition,
} from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import type { Answer, SessionEffect, SessionTools } from '../query/sessions/session-tools.ts'
import type { From } from './changes.ts'
import type { Access } from './service.ts'
import { DONE, readable, fromOf, checked, unless, requireAdmin } from './statement-forms.ts'
import { grantStatements } from './grant-statements.ts'
import { showStatements } from './show-statements.ts'

/** A second credential, which users give themselves and nobody else. */
interface OwnCredentials {
  allow(from: From, password: string): Promise<void>
  end(from: From): Promise<void>
}

const NATIVE = 'mysql_native_password'
const DEFAULT_PLUGIN = 'caching_sha2_password'

/** Statements about users, roles and privileges. They call the same functions as the calls do. */
export function accessStatements(access: Access & { readonly native: OwnCredentials }): Partial<Record<StatementKind, Answer>> {
  const { roles, people, native } = access

  async function createUser(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
    requireAdmin(tools)
    const draft = readable(readCreateUser(statement), 'createUser')
    const user = checked(NewUserName.safeParse(draft.name))
    const password = draft.password === undefined ? null : checked(GivenPassword.safeParse(draft.password))
    const email = draft.email === undefined ? null : checked(Email.safeParse(draft.email))
    const given = Array.isArray(draft.roles) ? draft.roles : []
    await unless(draft.lenient ? 'NameTaken' : null, () =>
      people.create(fromOf(tools), {
        user,
        email,
        password: password === null ? null : encodePassword(password),
        roles: given,
      }),
    )
    return DONE
  }

  async function chooseRoles(tools: SessionTools, user: string, choice: RoleChoice): Promise<void> {
    const isOwn = user.toLowerCase() === tools.actor.user.toLowerCase()
    if (!isOwn) requireAdmin(tools)
    const held = (await roles.heldByName(tools.actor.accountId, user)).map(({ role }) => role)
    const chosen = choice === 'ALL' ? held : choice === 'NONE' ? [] : choice
    await roles.setActive(fromOf(tools), { user, roles: chosen })
  }

  async function alterUser(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
    const change = readable(readAlterUser(statement), 'alterUser')
    if (change.email !== undefined) await giveEmail(tools, change.name, change.email)
    if (change.password !== undefined) await givePassword(tools, change.name, change.password)
    if (change.roles !== undefined) await chooseRoles(tools, change.name, change.roles)
    if (change.plugin !== undefined) await choosePlugin(tools, change.name, change.plugin)
    return DONE
  }

  async function choosePlugin(
    tools: SessionTools,
    user: string,
    { name, password }: NonNullable<UserDefinition['plugin']>,
  ): Promise<void> {
    if (user.toLowerCase() !== tools.actor.user.toLowerCase())
      throw new AppError('NoPermission', 'Users choose this for themselves: run it as this user.')
    const plugin = name.toLowerCase()
    if (plugin === NATIVE && password !== undefined) return native.allow(fromOf(tools), password)
    if (plugin === DEFAULT_PLUGIN && password === undefined) return native.end(fromOf(tools))
    throw new AppError(
      'QueryFailed',
      `Write IDENTIFIED WITH ${NATIVE} BY and your password to let old clients in, and IDENTIFIED WITH ${DEFAULT_PLUGIN} to end that.`,
    )
  }

  async function giveEmail(tools: SessionTools, user: string, address: string): Promise<void> {
    requireAdmin(tools)
    const email = checked(Email.safeParse(address))
    await people.setEmail(fromOf(tools), { user, email })
  }

  async function givePassword(tools: SessionTools, user: string, password: string): Promise<void> {
    requireAdmin(tools)
    checked(GivenPassword.safeParse(password))
    await people.setPassword(fromOf(tools), { user, password })
  }

  return {
    ...grantStatements(access),
    ...showStatements(access),

    'create-user': createUser,
    'alter-user': alterUser,
    'drop-user': async (statement, tools) => {
      requireAdmin(tools)
      const { name, lenient } = readable(readDropUser(statement), 'dropUser')
      await unless(lenient ? 'NotFound' : null, () => people.delete(fromOf(tools), name))
      return DONE
    },
    'create-role': async (statement, tools) => {
      requireAdmin(tools)
      const { name, comment = '', lenient } = readable(readCreateRole(statement), 'createRole')
      const draft = checked(perms.createRole.input.safeParse({ role: name, comment }))
      await unless(lenient ? 'NameTaken' : null, () => roles.create(fromOf(tools), draft))
      return DONE
    },
    'drop-role': async (statement, tools) => {
      requireAdmin(tools)
      const { name, lenient } = readable(readDropRole(statement), 'dropRole')
      await unless(lenient ? 'NotFound' : null, () => roles.delete(fromOf(tools), name))
      return DONE
    },
    'set-default-role': async (statement, tools) => {
      const { roles: choice, user = tools.actor.user } = readable(
        readSetDefaultRole(statement),
        'setDefaultRole',
      )
      await chooseRoles(tools, user, choice)
      return DONE
    },
    'set-password': async (statement, tools) => {
      const { user, password } = readable(readSetPassword(statement), 'setPassword')
      await givePassword(tools, user ?? tools.actor.user, password)
      return DONE
    },
  }
}
