import {
  type EngineKind,
  type SizeOffer,
  WAREHOUSE_SIZES,
  type WarehouseDetails,
} from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { formatMemory } from '../../lib/format.ts'

const wordsOf = (size: WarehouseDetails['size']): string =>
  t('warehouse.sizeWithCcu', { size, ccu: WAREHOUSE_SIZES[size] })

/** The size that it has; while it is resized with the one that it is given. */
export const sizeOf = ({ size, scalingTo }: Pick<WarehouseDetails, 'size' | 'scalingTo'>): string =>
  scalingTo ? t('warehouse.sizeChanging', { before: size, after: wordsOf(scalingTo) }) : wordsOf(size)

/** What the engine gives a size, beside memory: threads, or workers of a cluster. */
const unitsOf = ({ threads: count }: Pick<SizeOffer, 'threads'>, engine: EngineKind | undefined): string =>
  engine?.isCluster ? t('warehouse.workers', { count }) : t('warehouse.threads', { count })

/** The same with its memory, in a list of properties. */
export const machineOf = (
  { threads, memoryBytes }: Pick<SizeOffer, 'threads' | 'memoryBytes'>,
  engine: EngineKind | undefined,
): string =>
  engine?.isExisting
    ? t('warehouse.existing.machine')
    : t('warehouse.detail.property.machineValue', {
        threads: unitsOf({ threads }, engine),
        memory: formatMemory(memoryBytes),
      })

/** What a size really gives, in the words of a place; of a cluster that exists already it is a share of its statements. */
export const givesOf = (
  place: 'warehouse.form.machine' | 'warehouse.add.machine',
  { threads, memoryBytes, slots }: Pick<SizeOffer, 'threads' | 'memoryBytes' | 'slots'>,
  engine: EngineKind | undefined,
): string =>
  engine?.isExisting
    ? t('warehouse.existing.size', { slots })
    : t(place, { threads: unitsOf({ threads }, engine), memory: formatMemory(memoryBytes), slots })
