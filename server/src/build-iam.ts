import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Clock } from './kernel/clock.ts'
import { createIamRoles, type IamRoles } from './modules/iam/service.ts'
import { createOutsideRequests } from './providers/bucket/outside-requests.ts'
import { createStsRoles } from './providers/sts/sts-roles.ts'
import type { Schema } from './store/schema.ts'

interface IamParts {
  readonly db: Kysely<Schema>
  readonly aws: Config['aws']
  readonly clock: Clock
}

/** Wires the roles of AWS that accounts have registered; a part of `buildCatalog`. */
export function buildIam({ db, aws, clock }: IamParts): { iamRoles: IamRoles; closeIam: () => void } {
  // The operator has named the address, so it may be one in a closed network; catalogs may not go there for that.
  const requests = createOutsideRequests({ openEndpoints: aws?.stsUrl ? [new URL(aws.stsUrl).origin] : [] })
  const roles =
    aws && createStsRoles({ requests, keys: { ...aws, sessionToken: '' }, endpoint: aws.stsUrl, clock })
  return { iamRoles: createIamRoles({ db, roles, clock }), closeIam: () => requests.close() }
}
