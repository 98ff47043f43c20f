import type { WarehouseDetails } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { StateDot } from '../../ui/index.ts'
import { SHOWN_STATES } from './state-groups.ts'

type Of = Pick<WarehouseDetails, 'status' | 'scalingTo'>

/** Of one that is being resized, to what. */
export function WarehouseState({ of: { status, scalingTo } }: { of: Of }) {
  const { group, tone } = SHOWN_STATES[status]
  return (
    <StateDot tone={tone} pulse={group === 'changing'}>
      {scalingTo ? t('warehouse.scalingTo', { state: status, size: scalingTo }) : status}
    </StateDot>
  )
}
