import type { Config } from './config.ts'
import type { Job } from './jobs/jobs.ts'
import { AppError } from './kernel/app-error.ts'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'
import { CENTRAL, secretOfRegion } from './kernel/region-signature.ts'
import type { Links } from './modules/link/service.ts'
import type { Mails } from './modules/mail/service.ts'
import type { AccountLife } from './modules/org/life.ts'
import type { CentralOrganisations, Orgs } from './modules/org/service.ts'
import { createCentral } from './modules/region/central.ts'
import { OrganisationAnswer } from './modules/region/messages.ts'
import { createRegionMap } from './modules/region/region-map.ts'
import { createRegional } from './modules/region/regional.ts'
import { createRegionDoor } from './modules/region/service.ts'
import { createSignedRegionLink } from './providers/region/signed-region-link.ts'
import type { Store } from './store/store.ts'

interface LinkParts {
  readonly config: Pick<Config, 'regions'>
  readonly clock: Clock
  readonly log: Log
}

/** Wires what is known of other regions before anything is known of accounts; a part of `buildIdentity`. */
export function buildRegionLink({ config, clock, log }: LinkParts) {
  const { own, others, central } = config.regions
  const link = createSignedRegionLink({
    from: central ? own.regionId : CENTRAL,
    urls: central ? [central.url] : others.map(({ url }) => url),
    clock,
  })
  const organisations: CentralOrganisations | null = central && {
    url: central.url,
    async accountsOf(accountId, withDeleted) {
      const to = { name: CENTRAL, ...central }
      try {
        return OrganisationAnswer.parse(await link.ask(to, { kind: 'organisation', accountId, withDeleted }))
      } catch (error) {
        log.warn({ err: error }, 'the central server does not answer')
        throw new AppError(
          'Unavailable',
          'The central server of this organisation does not answer. Try again.',
          {
            cause: error,
          },
        )
      }
    },
  }
  return { map: createRegionMap(config.regions), link, organisations }
}

type RegionLinkParts = ReturnType<typeof buildRegionLink>

interface RegionParts extends LinkParts {
  readonly store: Pick<Store, 'db'>
  readonly regionLink: RegionLinkParts
  readonly orgs: Orgs
  readonly accountLife: AccountLife
  readonly onMoved: (accountIds: readonly string[]) => void
  readonly links: Links
  readonly mails: Mails
  readonly warehouses: { meter(): Promise<void> }
}

const SYNC_MS = 2_000

/** Wires the central server and those of regions to each other; a part of `buildIdentity`. */
export function buildRegions(parts: RegionParts) {
  const { config, regionLink, orgs, clock, warehouses } = parts
  const { own, others, secret, central: isRegional } = config.regions
  const { link } = regionLink
  const { db } = parts.store
  const central = secret === null ? null : createCentral({ ...parts, db, others, secret, link })
  const regional = createRegional({ ...parts, db, region: own.regionId, meter: warehouses.meter })
  const door =
    central || isRegional
      ? createRegionDoor({
          settings: config.regions,
          regional,
          organisationFor: orgs.organisationFor,
          clock,
        })
      : null
  const jobs: Job[] = others.map(({ regionId }) => ({
    name: `talk to the region ${regionId}`,
    everyMs: SYNC_MS,
    run: async () => central?.syncWith(regionId),
  }))

  return {
    map: regionLink.map,
    door,
    jobs,
    sync: async (regionId: string) => central?.syncWith(regionId),
    /** For the operator. */
    statuses: () => central?.statuses() ?? [],
    secretOf(regionId: string): string {
      if (secret === null || !others.some((one) => one.regionId === regionId))
        throw new AppError('NotFound', `There is no region ${regionId} in BOATHOUSE_REGIONS of this server.`)
      return secretOfRegion(secret, regionId)
    },
    close: link.close,
  }
}
