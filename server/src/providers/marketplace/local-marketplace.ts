import type { Marketplace } from './marketplace.ts'

const HOUR_MS = 3_600_000

/**
 * A marketplace for trying out the sign-up. Tokens say what happens, as test cards do: `customer-<name>` works,
 * `expired-…` has expired, `error-…` is answered by an error, anything else is invalid. It takes every record of its
 * customers, and nobody pays; a customer whose name begins with `unsubscribed` has left.
 */
export const localMarketplace: Marketplace = {
  id: 'local',
  takesHoursForMs: 6 * HOUR_MS,
  recordsAtOnce: 25,
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
  meter: async (records) =>
    records.map(({ recordId, customer }) =>
      /customer-unsubscribed/.test(customer)
        ? { state: 'refused', problem: 'The customer has left the marketplace.' }
        : { state: 'taken', receipt: `local ${recordId}` },
    ),
}

/** Where no marketplace is connected, nobody comes from one. */
export const noMarketplace: Marketplace = {
  id: 'none',
  takesHoursForMs: 6 * HOUR_MS,
  recordsAtOnce: 25,
  resolve: async () => ({ state: 'invalid' }),
  meter: async (records) =>
    records.map(() => ({ state: 'later', problem: 'No marketplace is connected to this installation.' })),
}
