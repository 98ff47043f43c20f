import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { createEffectiveStore } from './effective-store.ts'
import { createGivenStore } from './given-store.ts'
import { createGrantStore } from './grant-store.ts'
import { createHeldGrantsStore } from './held-grants-store.ts'
import { createListedGrantsStore } from './listed-grants-store.ts'
import { createObjectGrantsStore } from './object-grants-store.ts'
import { createPassedOnStore } from './passed-on-store.ts'
import { createRoleInheritanceStore } from './role-inheritance-store.ts'
import { createRoleStore } from './role-store.ts'
import { createViewOwnerStore } from './view-owner-store.ts'

export type { GranteeKey, GrantRow } from './grant-store.ts'
export type { RoleRow } from './role-store.ts'

/** Roles, what they inherit, what was granted, and whose the views are. */
export const createAccessStore = (db: Kysely<Schema>) => ({
  ...createRoleStore(db),
  ...createRoleInheritanceStore(db),
  ...createGrantStore(),
  ...createHeldGrantsStore(db),
  ...createListedGrantsStore(db),
  ...createObjectGrantsStore(db),
  ...createGivenStore(),
  ...createPassedOnStore(),
  ...createEffectiveStore(db),
  ...createViewOwnerStore(db),
})

export type AccessStore = ReturnType<typeof createAccessStore>
