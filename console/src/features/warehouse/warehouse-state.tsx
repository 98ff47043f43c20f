import type { WarehouseState as State } from '@boathouse/contract/warehouse'
import { StateDot } from '../../ui/index.ts'
import { SHOWN_STATES } from './state-groups.ts'

export function WarehouseState({ status }: { status: State }) {
  const { group, tone } = SHOWN_STATES[status]
  return (
    <StateDot tone={tone} pulse={group === 'changing'}>
      {status}
    </StateDot>
  )
}
