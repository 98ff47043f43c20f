import type { PrivateLinkNetwork } from './private-link.ts'

/** A network that the operator has laid: clients of the private listener are known by their addresses. */
export const localPrivateLink: PrivateLinkNetwork = {
  serviceName: null,
  knowsBy: 'address',
  connections: async () => null,
  accept: async () => undefined,
  reject: async () => undefined,
}
