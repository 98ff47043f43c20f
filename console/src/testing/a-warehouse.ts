import { ACTIONS_OF_STATE, type WarehouseDetails } from '@boathouse/contract/warehouse'

/** As the service describes one; a test puts over it what it is about. */
export function aWarehouse(over: Partial<WarehouseDetails> = {}): WarehouseDetails {
  const status = over.status ?? 'Running'
  return {
    warehouseId: '00000000-0000-4000-8000-0000000000a1',
    name: 'default_warehouse',
    description: '',
    size: 'X-Small',
    engine: { id: 'embedded', label: 'Embedded' },
    idleMinutes: 5,
    createdBy: 'admin',
    createdAt: '2026-01-01T00:00:00Z',
    resumedOn: null,
    type: 2,
    autoResume: true,
    offer: {
      size: 'X-Small',
      pricePerHour: { ccu: '1', usd: '1.58' },
      slots: 2,
      threads: 1,
      memoryBytes: 1_000_000_000,
      isRecommended: false,
    },
    isUsable: true,
    running: 0,
    queued: 0,
    idleSince: null,
    cpu: null,
    scalingTo: null,
    starting: null,
    ...over,
    status,
    actions: [...ACTIONS_OF_STATE[status]],
  }
}
