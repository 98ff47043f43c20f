import { iamRoleCalls } from '@boathouse/contract/iam-roles'
import { useCall } from '../../lib/api.ts'

/** What is known of the roles of the account; undefined while it is loaded, and for who may not see it. */
export const useIamRoles = (isAsked: boolean) =>
  useCall(iamRoleCalls.iamRoles, {}, { enabled: isAsked, silent: true }).data
