import { type AccessObject, NOT_GRANTABLE, objectOf, type Privilege, PRIVILEGES } from '@boathouse/contract'
import {
  type GrantStatement,
  type ObjectName,
  readGrant,
  readRevoke,
  type StatementKind,
} from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import { DidNotFinish, failed } from '../query/running/ending.ts'
import type { Answer, SessionEffect, SessionTools } from '../query/sessions/session-tools.ts'
import type { Access } from './service.ts'
import { DONE, readable, fromOf, requireAdmin } from './statement-forms.ts'

/** An unqualified name is in the session's database, a database in its catalog. */
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

/** GRANT and REVOKE, of roles and of privileges on objects. */
export function grantStatements({
  roles,
  grants,
}: Pick<Access, 'roles' | 'grants'>): Partial<Record<StatementKind, Answer>> {
  async function grantOrRevoke(
    { what, grantee, withGrantOption }: GrantStatement,
    tools: SessionTools,
    verb: 'grant' | 'revoke',
  ): Promise<SessionEffect> {
    const from = fromOf(tools)
    if ('object' in what) {
      const order = { grantee, object: objectNamed(what.object, tools), privileges: privilegesOf(what) }
      await (verb === 'grant'
        ? grants.grant(from, { ...order, withGrantOption })
        : grants.revoke(from, order))
      return DONE
    }
    requireAdmin(tools)
    const { kind, name } = grantee
    for (const role of what.roles) {
      if (verb === 'grant')
        await (kind === 'user'
          ? roles.grantToUser(from, { role, user: name })
          : roles.grantToRole(from, { role, toRole: name }))
      else
        await (kind === 'user'
          ? roles.revokeFromUser(from, { role, user: name })
          : roles.revokeFromRole(from, { role, fromRole: name }))
    }
    return DONE
  }

  return {
    grant: (statement, tools) => grantOrRevoke(readable(readGrant(statement), 'grant'), tools, 'grant'),

    revoke: (statement, tools) => grantOrRevoke(readable(readRevoke(statement), 'revoke'), tools, 'revoke'),
  }
}
