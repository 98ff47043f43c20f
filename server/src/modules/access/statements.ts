import {
  type AccessObject,
  Email,
  encodePassword,
  GivenPassword,
  type Grant,
  type Grantee,
  MESSAGES,
  NewUserName,
  NOT_GRANTABLE,
  objectOf,
  perms,
  type Privilege,
  PRIVILEGES,
} from '@boathouse/contract'
import {
  type GrantStatement,
  likeMatcher,
  type ObjectName,
  quoteIdentifier,
  readAlterUser,
  readCreateRole,
  readCreateUser,
  readDropRole,
  readDropUser,
  readGrant,
  readRevoke,
  readSetDefaultRole,
  readSetPassword,
  readShow,
  type RoleChoice,
  type Statement,
  type StatementKind,
} from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import { DidNotFinish, failed } from '../query/running/ending.ts'
import { NO_ROWS, ownRows } from '../query/sessions/own-rows.ts'
import type { Answer, SessionEffect, SessionTools } from '../query/sessions/session-tools.ts'
import { readableIn } from '../query/sessions/unreadable.ts'
import { type From, requireUserAdmin } from './changes.ts'
import type { Access } from './service.ts'

const FORMS = {
  createUser:
    "CREATE USER [IF NOT EXISTS] name IDENTIFIED BY 'password' | EMAIL 'address' [DEFAULT ROLE role, …]",
  alterUser:
    "ALTER USER name IDENTIFIED BY 'password' | SET EMAIL 'address' | DEFAULT ROLE role, … | ALL | NONE",
  dropUser: 'DROP USER [IF EXISTS] name',
  createRole: "CREATE ROLE [IF NOT EXISTS] name [COMMENT 'text']",
  dropRole: 'DROP ROLE [IF EXISTS] name',
  grant:
    'GRANT role, … TO [USER|ROLE] name, or GRANT privilege, … ON [TABLE|VIEW|MATERIALIZED VIEW|DATABASE|CATALOG|FUNCTION|WAREHOUSE] name | ALL TABLES IN DATABASE name | SYSTEM TO [USER|ROLE] name [WITH GRANT OPTION]',
  revoke: 'REVOKE role, … FROM [USER|ROLE] name, or REVOKE privilege, … ON object FROM [USER|ROLE] name',
  setDefaultRole: 'SET DEFAULT ROLE role, … | ALL | NONE [TO user]',
  setPassword: "SET PASSWORD FOR user = PASSWORD('password')",
  show: "SHOW GRANTS [FOR [USER|ROLE] name], SHOW ROLES [LIKE 'pattern'] or SHOW USERS [LIKE 'pattern']",
} as const

const DONE: SessionEffect = { result: NO_ROWS }

/** Most that a statement lists; the calls have pages. */
const LISTED = 100
const MOST_PAGES = 1_000

const readable = readableIn(FORMS)

const fromOf = ({ actor, clientIp }: SessionTools): From => ({ actor, clientIp: clientIp ?? '' })

interface Parsed<T> {
  readonly success: boolean
  readonly data?: T
  readonly error?: { readonly issues: readonly { readonly message: string }[] }
}

/** The rules of the calls hold for statements too. */
function checked<T>(parsed: Parsed<T>): T {
  if (parsed.success && parsed.data !== undefined) return parsed.data
  throw new AppError('QueryFailed', parsed.error?.issues[0]?.message ?? MESSAGES.correctValue)
}

/** IF EXISTS and IF NOT EXISTS make nothing of what is there, or not. */
async function unless(code: 'NotFound' | 'NameTaken' | null, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (code === null || !(error instanceof AppError) || error.code !== code) throw error
  }
}

/** A name that stands alone is in the session's database, a database in its catalog. */
function objectNamed(name: ObjectName, { connection }: SessionTools): AccessObject {
  const { type, path, allIn } = name
  const { catalog, database } = connection
  if (type === 'system' || allIn === 'account') return objectOf(type)
  if (type === 'warehouse' && path.length === 1) return objectOf(type, { name: path[0] ?? '' })
  const container = allIn ?? (type === 'catalog' ? 'catalog' : type === 'database' ? 'database' : 'object')
  const depth = { catalog: 1, database: 2, object: 3 }[container]
  const full = [catalog, database ?? '', ''].slice(0, depth - path.length).concat(path)
  if (type === 'warehouse' || path.length > depth || full.length !== depth || full.includes(''))
    throw new AppError('QueryFailed', `The name ${path.join('.')} does not include its ${container}.`)
  const [c = '', d = '', n = ''] = full
  return objectOf(type, { catalog: c, database: d, name: n })
}

function privilegesOf(what: Extract<GrantStatement['what'], { object: unknown }>): Privilege[] {
  const known: readonly Privilege[] = PRIVILEGES[what.object.type]
  if (what.privileges === 'ALL') return known.filter((privilege) => !NOT_GRANTABLE.has(privilege))
  const wrong = what.privileges.find((privilege) => !(known as readonly string[]).includes(privilege))
  if (wrong)
    throw new DidNotFinish(
      failed(
        'QueryFailed',
        `There is no privilege ${wrong} on a ${what.object.type}. There are ${known.join(', ')}.`,
        what.offset,
      ),
    )
  return what.privileges as Privilege[]
}

function grantText(grant: Grant, { kind, name }: Grantee): string {
  const text = `GRANT ${grant.privileges.join(', ')} ON ${grant.objectText} TO ${kind.toUpperCase()} ${quoteIdentifier(name)}`
  return grant.grantable.length === grant.privileges.length && grant.grantable.length > 0
    ? `${text} WITH GRANT OPTION`
    : text
}

const requireAdmin = ({ actor }: SessionTools): void => requireUserAdmin(actor)

async function everything<T>(list: (page: number) => Promise<{ list: T[]; total: number }>): Promise<T[]> {
  const found: T[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { list: some, total } = await list(page)
    found.push(...some)
    if (found.length >= total || some.length === 0) break
  }
  return found
}

/** Statements about users, roles and privileges: the same functions stand behind the calls. */
export function accessStatements(access: Access): Partial<Record<StatementKind, Answer>> {
  const { roles, grants, people } = access

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
    return DONE
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

  async function grantOrRevoke(
    { what, grantee, withGrantOption }: GrantStatement,
    tools: SessionTools,
    verb: 'grant' | 'revoke',
  ): Promise<SessionEffect> {
    const from = fromOf(tools)
    if ('object' in what) {
      const order = { grantee, object: objectNamed(what.object, tools), privileges: privilegesOf(what) }
      await (verb === 'grant' ? grants.give(from, { ...order, withGrantOption }) : grants.take(from, order))
      return DONE
    }
    requireAdmin(tools)
    const { kind, name } = grantee
    for (const role of what.roles) {
      if (verb === 'grant')
        await (kind === 'user'
          ? roles.giveToUser(from, { role, user: name })
          : roles.giveToRole(from, { role, toRole: name }))
      else
        await (kind === 'user'
          ? roles.takeFromUser(from, { role, user: name })
          : roles.takeFromRole(from, { role, fromRole: name }))
    }
    return DONE
  }

  async function showGrants(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
    const { actor } = tools
    const show = readable(readShow(statement), 'show')
    const asked = show.grantee ?? { type: 'user', name: actor.user }
    const grantee: Grantee = { kind: asked.type, name: asked.name }
    const isOwn = asked.type === 'user' && asked.name.toLowerCase() === actor.user.toLowerCase()
    if (!isOwn) requireAdmin(tools)
    const held =
      asked.type === 'user'
        ? (await roles.heldByName(actor.accountId, asked.name)).map(({ role }) => role)
        : (await roles.inheritance(actor.accountId, asked.name)).roles
    const given = await everything((page) =>
      grants.list(actor, grantee, { search: '', page, pageSize: LISTED }),
    )
    const who = quoteIdentifier(asked.name)
    const rows = [
      ...(held.length > 0
        ? [
            [
              asked.name,
              null,
              `GRANT ${held.map(quoteIdentifier).join(', ')} TO ${asked.type.toUpperCase()} ${who}`,
            ],
          ]
        : []),
      ...given.map((grant) => [asked.name, grant.object.catalog || null, grantText(grant, grantee)]),
    ]
    return {
      result: ownRows([asked.type === 'user' ? 'UserIdentity' : 'RoleName', 'Catalog', 'Grants'], rows),
    }
  }

  async function showNames(
    statement: Statement,
    tools: SessionTools,
    what: 'Name' | 'User',
  ): Promise<SessionEffect> {
    requireAdmin(tools)
    const isLike = likeMatcher(readable(readShow(statement), 'show').like)
    const { accountId } = tools.actor
    const names =
      what === 'Name'
        ? await everything(async (page) => {
            const { list, total } = await roles.list(accountId, { search: '', page, pageSize: LISTED })
            return { list: list.map(({ role }) => role), total }
          })
        : await everything(async (page) => {
            const { list, total } = await people.list(accountId, { search: '', page, pageSize: LISTED })
            return { list: list.map(({ user }) => user), total }
          })
    return {
      result: ownRows(
        [what],
        names.filter((name) => isLike(name)).map((name) => [name]),
      ),
    }
  }

  return {
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
    grant: (statement, tools) => grantOrRevoke(readable(readGrant(statement), 'grant'), tools, 'grant'),
    revoke: (statement, tools) => grantOrRevoke(readable(readRevoke(statement), 'revoke'), tools, 'revoke'),
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
    'show-grants': showGrants,
    'show-roles': (statement, tools) => showNames(statement, tools, 'Name'),
    'show-users': (statement, tools) => showNames(statement, tools, 'User'),
  }
}
