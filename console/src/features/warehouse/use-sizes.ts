import { type SizeOffer, warehouse } from '@boathouse/contract/warehouse'
import { useCall } from '../../lib/api.ts'

/** What sizes cost and what this machine gives them; undefined while that is not known. */
export const useSizes = (): readonly SizeOffer[] | undefined =>
  useCall(warehouse.sizes, {}, { staleTime: Number.POSITIVE_INFINITY }).data?.sizes
