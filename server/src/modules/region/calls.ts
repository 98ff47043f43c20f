import { region } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import { PROVIDERS } from './providers.ts'

/** Regions come from configuration: by default there is this server's own, on the provider `local`. */
export const regionCalls = (regionId: string) =>
  implement(region, {
    list: async () => ({
      cspList: PROVIDERS,
      regionList: [{ regionId, cspId: 'local', locales: { 'en-us': { name: regionId } } }],
    }),
  })
