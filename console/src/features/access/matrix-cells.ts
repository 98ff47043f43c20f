import type { EffectiveGrant } from '@boathouse/contract/perms'
import {
  type AccessObject,
  type ObjectType,
  type Privilege,
  PRIVILEGES,
} from '@boathouse/contract/privileges'
import { foldedName } from '@boathouse/contract/same-name'

/** What a role may do in one cell: nothing, by a grant of its own, or by one that reaches it another way. */
export interface Cell {
  /** On this very object, to this very role: what can be revoked here. */
  readonly own: EffectiveGrant | null
  readonly isGrantable: boolean
  /** All grants that reach it another way, the nearest first. */
  readonly inherited: readonly EffectiveGrant[]
}

export const columnsOf = (type: ObjectType): readonly Privilege[] => PRIVILEGES[type]

const isSameObject = (one: AccessObject, other: AccessObject): boolean =>
  one.type === other.type &&
  (['catalog', 'database', 'name'] as const).every(
    (part) => foldedName(one[part]) === foldedName(other[part]),
  )

const reaches = (grant: AccessObject, object: AccessObject): boolean =>
  (['catalog', 'database', 'name'] as const).every(
    (part) => grant[part] === '' || foldedName(grant[part]) === foldedName(object[part]),
  )

export function cellOf(grants: readonly EffectiveGrant[], object: AccessObject, privilege: Privilege): Cell {
  const reaching = grants.filter(
    (grant) => grant.privileges.includes(privilege) && reaches(grant.object, object),
  )
  const isOwn = (grant: EffectiveGrant) =>
    grant.path.length === 1 && grant.grantedBy !== null && isSameObject(grant.object, object)
  const own = reaching.find(isOwn) ?? null
  return {
    own,
    isGrantable: own?.grantable.includes(privilege) ?? false,
    inherited: reaching
      .filter((grant) => grant !== own)
      .toSorted((one, other) => one.path.length - other.path.length),
  }
}
