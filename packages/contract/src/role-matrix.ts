import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { Grant } from './held-rights.ts'
import { LIMITS } from './limits.ts'
import { AnyRole } from './people-rules.ts'

/** One step from somebody to a privilege, as in: grace, role analyst, role readers, SELECT on TABLE a.b.c. */
export const PathStep = z.object({ kind: z.enum(['user', 'role', 'grant']), name: z.string() })
export type PathStep = z.infer<typeof PathStep>

/** Something that a user or role may do, with the way from them to it: theirs, or of which role, and through which others. */
export const EffectiveGrant = z.extend(Grant, { path: z.array(PathStep) })
export type EffectiveGrant = z.infer<typeof EffectiveGrant>

/** Of which a role has a matrix of privileges. */
export const MATRIX_TYPES = ['table', 'view', 'materialized_view', 'function'] as const
export type MatrixType = (typeof MATRIX_TYPES)[number]

const Name = z.string().check(z.minLength(1), z.maxLength(256))

export const roleMatrix = defineCall({
  path: '/perms/role-matrix',
  summary:
    'Privileges of a role on some objects of one place, its own and inherited, each with the way to it',
  needs: { roles: ['user_admin'] } as const,
  silent: true,
  timeoutMs: 5_000,
  input: z.object({
    role: AnyRole,
    type: z.enum(MATRIX_TYPES),
    catalog: Name,
    database: Name,
    names: z.array(z.string().check(z.maxLength(256))).check(z.maxLength(LIMITS.pageSize)),
  }),
  output: z.object({ list: z.array(EffectiveGrant) }),
  fails: ['NotFound'],
})
