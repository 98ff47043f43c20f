import type { Output, region as regionContract, csp as cspContract } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { AccountPlace } from '../org/service.ts'
import { providerOf } from './providers.ts'

interface Region {
  readonly regionId: string
  readonly cspId: string
}

/** As the operator has configured them. */
export interface RegionSettings {
  readonly own: Region
  readonly others: readonly (Region & { readonly url: string })[]
}

const localesOf = ({ regionId }: Region) => ({ 'en-us': { name: regionId } })

/** Cloud providers and regions, of this server first. */
export function createRegionMap({ own, others }: RegionSettings) {
  const regions = [{ ...own, url: '' }, ...others]
  const cspIds = [...new Set(regions.map(({ cspId }) => cspId))]

  return {
    list: (): Output<typeof regionContract.list> => ({
      cspList: cspIds.map(providerOf),
      regionList: regions.map((one) => ({
        regionId: one.regionId,
        cspId: one.cspId,
        locales: localesOf(one),
      })),
    }),

    providers: (): Output<typeof cspContract.list> => ({
      providers: cspIds.map((id) => ({
        ...providerOf(id),
        regions: regions
          .filter(({ cspId }) => cspId === id)
          .map((one) => ({ regionId: one.regionId, locales: localesOf(one), host: one.url })),
      })),
    }),

    /** The origin of its server; empty for this one, and for a region that nobody knows any more. */
    hostOf: (regionId: string): string => regions.find((one) => one.regionId === regionId)?.url ?? '',

    /** By default the place of this server. */
    placeOf(wanted: { csp?: string | undefined; region?: string | undefined }): AccountPlace {
      const { csp, region } = wanted
      if (region === undefined && csp === undefined)
        return { csp: own.cspId, region: own.regionId, isElsewhere: false }
      const found = regions.find(({ regionId }) => regionId === region)
      if (!found)
        throw new AppError(
          'BadInput',
          `region: There is no region ${region ?? 'of this name'}. Choose one of ${regions.map(({ regionId }) => regionId).join(', ')}.`,
        )
      if (csp !== undefined && csp !== found.cspId)
        throw new AppError(
          'BadInput',
          `csp: The region ${found.regionId} is one of ${found.cspId}, not ${csp}.`,
        )
      return { csp: found.cspId, region: found.regionId, isElsewhere: found.url !== '' }
    },
  }
}

export type RegionMap = ReturnType<typeof createRegionMap>
