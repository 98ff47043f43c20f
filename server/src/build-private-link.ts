import type { Config } from './config.ts'
import type { Clock } from './kernel/clock.ts'
import { endpointOf } from './kernel/client-address.ts'
import type { Events } from './kernel/events.ts'
import type { Log } from './kernel/log.ts'
import type { Job } from './jobs/jobs.ts'
import { createApprovedEndpoints } from './modules/vpce/approved.ts'
import { createVpcEndpoints } from './modules/vpce/service.ts'
import { createOutsideRequests } from './providers/bucket/outside-requests.ts'
import { createAwsPrivateLink } from './providers/private-link/aws-private-link.ts'
import { localPrivateLink } from './providers/private-link/local-private-link.ts'
import type { PrivateLinkNetwork } from './providers/private-link/private-link.ts'
import type { Store } from './store/store.ts'

interface PrivateLinkParts {
  readonly config: Pick<Config, 'privateLink' | 'aws'>
  readonly store: Pick<Store, 'db'>
  readonly events: Events
  readonly clock: Clock
  readonly log: Log
}

/** What ends with an account, or was changed by hand, is noticed this soon. */
const RELOAD_MS = 5_000
const FOLLOW_MS = 30_000

function networkOf({ config, clock }: PrivateLinkParts): PrivateLinkNetwork & { close(): void } {
  const { aws, privateLink } = config
  if (privateLink.serviceId === null || !aws) return { ...localPrivateLink, close: () => undefined }
  // The operator has named the address, so it may be one in a closed network.
  const requests = createOutsideRequests({ openEndpoints: aws.ec2Url ? [new URL(aws.ec2Url).origin] : [] })
  const network = createAwsPrivateLink({
    requests,
    keys: { ...aws, sessionToken: '' },
    serviceId: privateLink.serviceId,
    endpoint: aws.ec2Url,
    clock,
  })
  return { ...network, close: () => requests.close() }
}

/** Wires private links: who is approved, and the network in front of them; a part of `buildIdentity`. */
export function buildPrivateLink(parts: PrivateLinkParts) {
  const { config, store, events, clock, log } = parts
  const { db } = store
  const { httpPort, mysqlPort } = config.privateLink
  const isListening = httpPort !== null || mysqlPort !== null
  const approved = createApprovedEndpoints({
    db,
    onChanged: (accountIds) => {
      for (const accountId of accountIds) events.emit('firewallChanged', { accountId, letsIn })
      events.emit('privateLinksChanged', {})
    },
  })
  /** The firewall has its own say about who comes over the public address. */
  function letsIn(address: string): boolean {
    const endpointId = endpointOf(address)
    return endpointId === null || approved.accountBehind(endpointId) !== null
  }
  const network = networkOf(parts)
  const vpcEndpoints = createVpcEndpoints({ db, network, approved, isListening, clock, log })
  const jobs: Job[] = [
    ...(isListening
      ? [{ name: 'look for approved private endpoints', everyMs: RELOAD_MS, run: approved.reload }]
      : []),
    ...(network.serviceName === null
      ? []
      : [
          {
            name: 'follow private endpoints in the cloud',
            everyMs: FOLLOW_MS,
            run: vpcEndpoints.followCloud,
          },
        ]),
  ]
  return { approved, vpcEndpoints, jobs, close: () => network.close() }
}

export type PrivateLinks = ReturnType<typeof buildPrivateLink>
