import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'

export const IAM_MESSAGES = {
  missing: 'IAM Role ARN is required',
  invalid: 'Please check whether your IAM Role ARN is valid',
  taken: 'This IAM role is already registered in this account',
  full: `An account can register at most ${LIMITS.iamRolesPerAccount} IAM roles. Delete one to register another.`,
} as const

export const IamRoleArn = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, IAM_MESSAGES.missing),
    z.maxLength(LIMITS.roleArnLength, IAM_MESSAGES.invalid),
    z.regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/, IAM_MESSAGES.invalid),
  )

const IamRole = z.object({ roleArn: z.string(), createdAt: z.string(), createdBy: z.string() })
export type IamRole = z.infer<typeof IamRole>

const needs = { roles: ['account_admin'] } as const
const Named = z.object({ roleArn: IamRoleArn })

/** Roles of AWS accounts that this account may use, and what their owners must write into them. */
export const iamRoleCalls = {
  iamRoles: defineCall({
    path: '/integration/iam-roles',
    summary: 'List the registered IAM roles of AWS, and what a role needs to let this account in',
    needs,
    input: z.object({}),
    output: z.object({
      roles: z.array(IamRole),
      /** For the trust policy of a role: it says that the role is meant for this account. */
      externalId: z.string(),
      /** Who this service is to AWS, for the trust policy; null where it has no AWS keys, or AWS does not answer. */
      principal: z.nullable(z.string()),
      /** Why roles cannot be used; empty when they can. */
      problem: z.string(),
    }),
  }),
  registerIamRole: defineCall({
    path: '/integration/register-iam-role',
    summary: 'Register an IAM role of AWS, so that external catalogs can use it',
    needs,
    input: Named,
    output: IamRole,
    fails: ['BadInput', 'NameTaken', 'LimitReached'],
  }),
  deleteIamRole: defineCall({
    path: '/integration/delete-iam-role',
    summary: 'Delete a registered IAM role; catalogs that use it can no longer read their files',
    needs,
    input: Named,
    output: z.object({}),
    fails: ['NotFound'],
  }),
  checkIamRole: defineCall({
    path: '/integration/check-iam-role',
    summary: 'Check whether AWS lets this account use a registered IAM role',
    needs,
    input: Named,
    output: z.object({
      /** Why it does not; empty when it does. */
      problem: z.string(),
    }),
    fails: ['NotFound'],
  }),
}
