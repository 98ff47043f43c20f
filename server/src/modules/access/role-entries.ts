import {
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  inheritedBy,
  isBuiltIn,
  type RoleEntry,
  withInherited,
} from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Page } from '../../store/page.ts'
import { requireRole } from './changes.ts'
import type { RoleRow } from './store.ts'
import type { RoleParts } from './roles.ts'

const countOf = (rows: readonly { role: string | null; count: number }[], role: string): number =>
  rows.find((row) => row.role === role)?.count ?? 0

/** Roles as they are listed and described. */
export function createRoleEntries({ store, people }: Pick<RoleParts, 'store' | 'people'>) {
  async function entriesOf(accountId: string, rows: readonly (RoleRow | string)[]): Promise<RoleEntry[]> {
    const names = rows.map((row) => (typeof row === 'string' ? row : row.name))
    const [users, grants, edges] = await Promise.all([
      people.countByRole(accountId, names),
      store.countGrants(accountId, names),
      store.inheritedOf(accountId, names),
    ])
    return rows.map((row) => {
      const role = typeof row === 'string' ? row : row.name
      const own = edges.filter((edge) => edge.role === role).map(({ granted }) => granted)
      return {
        role,
        comment: typeof row === 'string' ? '' : row.comment,
        isBuiltIn: typeof row === 'string',
        users: countOf(users, role),
        roles: [...inheritedBy(role), ...own],
        grants: isBuiltIn(role) ? BUILT_IN_GRANTS[role].length : countOf(grants, role),
        createdBy: typeof row === 'string' ? null : row.createdBy,
        createdAt: typeof row === 'string' ? null : row.createdAt.toISOString(),
      }
    })
  }

  return {
    async list(accountId: string, { search, page, pageSize }: Page) {
      const wanted = search.toLowerCase()
      const builtIn = [...BUILT_IN_ROLES].filter((role) => role.includes(wanted))
      const from = (page - 1) * pageSize
      const shown = builtIn.slice(from, from + pageSize)
      const offset = Math.max(0, from - builtIn.length)
      const { list, total } = await store.rolesOf(accountId, {
        search,
        offset,
        limit: pageSize - shown.length,
      })
      return { list: await entriesOf(accountId, [...shown, ...list]), total: builtIn.length + total }
    },

    async describe(accountId: string, name: string): Promise<RoleEntry> {
      const role = await requireRole(store, undefined, { accountId, role: name })
      const row = isBuiltIn(role) ? role : await store.findRole(accountId, role)
      const [entry] = row ? await entriesOf(accountId, [row]) : []
      if (!entry) throw new AppError('NotFound', `There is no role ${name} in this account.`)
      return entry
    },

    async inheritance(accountId: string, name: string) {
      const role = await requireRole(store, undefined, { accountId, role: name })
      const edges = await store.inheritedOf(accountId, [role])
      const above = await store.inheriting(accountId, role)
      const allBelow = withInherited(await store.below(accountId, [role]))
      const builtInAbove = BUILT_IN_ROLES.filter((other) =>
        inheritedBy(other).some((below) => below === role),
      )
      return {
        roles: [...inheritedBy(role), ...edges.map(({ granted }) => granted)],
        inheritedBy: [...builtInAbove, ...above],
        adminRoles: allBelow.filter(isBuiltIn).filter((one) => one !== 'public'),
      }
    },
  }
}
