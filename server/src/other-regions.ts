import { RegionId } from '@boathouse/contract'
import { z } from 'zod'

/** A region that another server has. */
export interface OtherRegion {
  readonly regionId: string
  readonly cspId: string
  /** The origin of its server. */
  readonly url: string
}

export const CloudProviderId = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/)

const ENTRY = /^([^@=\s]+)@([^@=\s]+)=(https?:\/\/\S+)$/

function readEntry(text: string): OtherRegion | null {
  const [, regionId = '', cspId = '', address = ''] = ENTRY.exec(text.trim()) ?? []
  const isNamed = RegionId.safeParse(regionId).success && CloudProviderId.safeParse(cspId).success
  if (!isNamed || !URL.canParse(address)) return null
  const { origin, username, password, pathname, search, hash } = new URL(address)
  const isBare = username + password + search + hash === '' && pathname === '/'
  return isBare ? { regionId, cspId, url: origin } : null
}

/** One entry for each region and each server. */
const isDoubled = (regions: readonly OtherRegion[]): boolean =>
  new Set(regions.map(({ regionId }) => regionId)).size < regions.length ||
  new Set(regions.map(({ url }) => url)).size < regions.length

export const OtherRegions = z.string().transform((text, context): readonly OtherRegion[] => {
  const regions = text.split(',').map(readEntry)
  const all = regions.filter((region) => region !== null)
  if (all.length < regions.length || isDoubled(all)) {
    context.addIssue({ code: 'custom', message: 'not a list of regions' })
    return z.NEVER
  }
  return all
})
