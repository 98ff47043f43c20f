import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { createGrantStore } from './grant-store.ts'
import { createRoleStore } from './role-store.ts'

export type { GranteeKey, GrantRow } from './grant-store.ts'
export type { RoleRow } from './role-store.ts'

/** Roles, what they inherit, and what was granted. */
export const createAccessStore = (db: Kysely<Schema>) => ({ ...createRoleStore(db), ...createGrantStore(db) })

export type AccessStore = ReturnType<typeof createAccessStore>
