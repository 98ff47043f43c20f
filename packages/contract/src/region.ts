import { z } from 'zod/mini'
import { defineCall } from './call.ts'

/** Texts by language; `en-us` is always there. */
export const Locales = z.record(z.string(), z.object({ name: z.string(), logo: z.optional(z.string()) }))

const RegionEntry = z.object({ regionId: z.string(), cspId: z.string(), locales: Locales })
const CloudProviderEntry = z.object({ cspId: z.string(), locales: Locales })

export const region = {
  list: defineCall({
    path: '/region/list',
    method: 'GET',
    summary: 'List the available cloud providers and regions',
    needs: 'nothing',
    toCentral: true,
    input: z.object({}),
    silent: true,
    output: z.object({ cspList: z.array(CloudProviderEntry), regionList: z.array(RegionEntry) }),
  }),
}
