import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { createEffectiveStore } from './effective-store.ts'
import { createGivenStore } from './given-store.ts'
import { createGrantStore } from './grant-store.ts'
import { createRoleStore } from './role-store.ts'
import { createViewOwnerStore } from './view-owner-store.ts'

export type { GranteeKey, GrantRow } from './grant-store.ts'
export type { RoleRow } from './role-store.ts'

/** Roles, what they inherit, what was granted, and whose the views are. */
export const createAccessStore = (db: Kysely<Schema>) => ({
  ...createRoleStore(db),
  ...createGrantStore(db),
  ...createGivenStore(),
  ...createEffectiveStore(db),
  ...createViewOwnerStore(db),
})

export type AccessStore = ReturnType<typeof createAccessStore>
