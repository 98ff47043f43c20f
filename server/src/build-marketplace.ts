import type { Config } from './config.ts'
import type { Clock } from './kernel/clock.ts'
import { createOutsideRequests } from './providers/bucket/outside-requests.ts'
import { createAwsMarketplace } from './providers/marketplace/aws-marketplace.ts'
import { localMarketplace, noMarketplace } from './providers/marketplace/local-marketplace.ts'
import type { Marketplace } from './providers/marketplace/marketplace.ts'

interface Chosen {
  readonly marketplace: Marketplace
  readonly close: () => void
}

/** Which marketplace this installation sells at, as the settings say. */
export function marketplaceOf({ marketplace, aws }: Config, clock: Clock): Chosen {
  if (marketplace.kind !== 'aws' || !aws)
    return {
      marketplace: marketplace.kind === 'local' ? localMarketplace : noMarketplace,
      close: () => undefined,
    }
  // The operator has named the address, so it may be one in a closed network.
  const requests = createOutsideRequests({
    openEndpoints: marketplace.url === '' ? [] : [new URL(marketplace.url).origin],
  })
  return {
    marketplace: createAwsMarketplace({
      requests,
      keys: { ...aws, sessionToken: '' },
      endpoint: marketplace.url,
      clock,
    }),
    close: requests.close,
  }
}
