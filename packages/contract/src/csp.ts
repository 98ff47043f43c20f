import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { Locales } from './region.ts'

const RegionOfProvider = z.object({
  regionId: z.string(),
  locales: Locales,
  /** The origin of its server, as in `https://eu-1.example.com`. Empty: the host that answers this call. */
  host: z.string(),
})

const CloudProvider = z.object({
  cspId: z.string(),
  locales: Locales,
  /** At least one. */
  regions: z.array(RegionOfProvider),
})
export type CloudProvider = z.infer<typeof CloudProvider>

export const csp = {
  /** What a new account can choose from, and where the console of each region is. */
  list: defineCall({
    path: '/csp/list',
    method: 'GET',
    summary: 'List the cloud providers, each with its regions and their hosts',
    needs: 'nothing',
    toCentral: true,
    silent: true,
    input: z.object({}),
    output: z.object({ providers: z.array(CloudProvider) }),
  }),
}
