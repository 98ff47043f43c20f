import { csp, region } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { RegionMap } from './region-map.ts'

/** Regions come from configuration: by default there is this server's own, on the provider `local`. */
export const regionCalls = (map: RegionMap) => [
  ...implement(region, { list: async () => map.list() }),
  ...implement(csp, { list: async () => map.providers() }),
]
