import { vpce } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { VpcEndpoints } from './service.ts'

export const vpceCalls = (endpoints: VpcEndpoints) =>
  implement(vpce, {
    list: ({ actor }) => endpoints.list(actor),
    create: async (from, draft) => {
      await endpoints.create(from, draft)
      return {}
    },
    delete: async (from, { endpointId }) => {
      await endpoints.delete(from, endpointId)
      return {}
    },
  })
