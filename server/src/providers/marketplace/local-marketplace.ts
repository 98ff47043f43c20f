import type { Marketplace } from './marketplace.ts'

/**
 * A marketplace for trying out the sign-up. Tokens say what happens, as test cards do: `customer-<name>` works,
 * `expired-…` has expired, `error-…` is answered by an error, anything else is invalid.
 */
export const localMarketplace: Marketplace = {
  async resolve(token) {
    if (token.startsWith('expired-')) return { state: 'expired' }
    if (token.startsWith('error-')) throw new Error('The local marketplace was asked for an error.')
    const customer = /^customer-[\w.]{1,64}$/.exec(token)?.[0]
    if (customer === undefined) return { state: 'invalid' }
    return {
      state: 'found',
      purchase: { customer: `local ${customer}`, marketplace: 'Local marketplace', product: 'Boathouse' },
    }
  },
}

/** Where no marketplace is connected, nobody comes from one. */
export const noMarketplace: Marketplace = { resolve: async () => ({ state: 'invalid' }) }
