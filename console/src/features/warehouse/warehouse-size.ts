import {
  type EngineKind,
  type SizeOffer,
  WAREHOUSE_SIZES,
  type WarehouseDetails,
} from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'

const wordsOf = (size: WarehouseDetails['size']): string =>
  t('warehouse.sizeWithCcu', { size, ccu: WAREHOUSE_SIZES[size] })

/** The size that it has; while it is resized with the one that it is given. */
export const sizeOf = ({ size, scalingTo }: Pick<WarehouseDetails, 'size' | 'scalingTo'>): string =>
  scalingTo ? t('warehouse.sizeChanging', { before: size, after: wordsOf(scalingTo) }) : wordsOf(size)

/** What the engine gives a size, beside memory: threads, or workers of a cluster. */
export const unitsOf = (
  { threads: count }: Pick<SizeOffer, 'threads'>,
  engine: EngineKind | undefined,
): string => (engine?.isCluster ? t('warehouse.workers', { count }) : t('warehouse.threads', { count }))
