import { z } from 'zod/mini'
import { AccessObject, Privilege } from './privileges.ts'

/** A role that somebody or another role was given. */
export const HeldRole = z.object({
  role: z.string(),
  isBuiltIn: z.boolean(),
  /** At each login, and now. */
  active: z.boolean(),
  grantedAt: z.string(),
})
export type HeldRole = z.infer<typeof HeldRole>

export const Grant = z.object({
  object: AccessObject,
  /** As in SQL, with names as they are now. */
  objectText: z.string(),
  privileges: z.array(Privilege),
  /** Those of the privileges that may be passed on. */
  grantable: z.array(Privilege),
  /** Null for grants that come with a built-in role. */
  grantedBy: z.nullable(z.string()),
  grantedAt: z.nullable(z.string()),
})
export type Grant = z.infer<typeof Grant>
