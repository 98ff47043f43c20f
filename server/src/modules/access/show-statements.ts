import type { Grant, Grantee } from '@boathouse/contract'
import { likeMatcher, quoteIdentifier, readShow, type Statement, type StatementKind } from '@boathouse/sql'
import { ownRows } from '../query/sessions/own-rows.ts'
import type { Answer, SessionEffect, SessionTools } from '../query/sessions/session-tools.ts'
import type { Access } from './service.ts'
import { readable, requireAdmin } from './statement-forms.ts'

/** Most that a statement lists; the calls have pages. */
const LISTED = 100

const MOST_PAGES = 1_000

function grantText(grant: Grant, { kind, name }: Grantee): string {
  const text = `GRANT ${grant.privileges.join(', ')} ON ${grant.objectText} TO ${kind.toUpperCase()} ${quoteIdentifier(name)}`
  return grant.grantable.length === grant.privileges.length && grant.grantable.length > 0
    ? `${text} WITH GRANT OPTION`
    : text
}

async function everything<T>(list: (page: number) => Promise<{ list: T[]; total: number }>): Promise<T[]> {
  const found: T[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { list: some, total } = await list(page)
    found.push(...some)
    if (found.length >= total || some.length === 0) break
  }
  return found
}

/** SHOW GRANTS, SHOW ROLES and SHOW USERS. */
export function showStatements({
  roles,
  grants,
  people,
}: Pick<Access, 'roles' | 'grants' | 'people'>): Partial<Record<StatementKind, Answer>> {
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
    'show-grants': showGrants,

    'show-roles': (statement, tools) => showNames(statement, tools, 'Name'),

    'show-users': (statement, tools) => showNames(statement, tools, 'User'),
  }
}
