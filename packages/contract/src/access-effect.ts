import { z } from 'zod/mini'
import { AnyRole } from './people-rules.ts'
import { Privilege } from './privileges.ts'

export const Grantee = z.object({ kind: z.enum(['user', 'role']), name: AnyRole })
export type Grantee = z.infer<typeof Grantee>

/** What a planned change of roles or privileges would do. */
export const Effect = z.object({
  /** Who would gain or lose something, and the first of them by name. */
  users: z.int(),
  names: z.array(z.string()),
  /** Grants, direct or inherited, that they would gain or lose. */
  grants: z.array(z.object({ objectText: z.string(), privileges: z.array(Privilege) })),
  moreGrants: z.int(),
  /** What others lose with it because one of them passed it on to them. */
  passedOn: z.array(z.object({ grantee: Grantee, objectText: z.string(), privileges: z.array(Privilege) })),
  morePassedOn: z.int(),
})
