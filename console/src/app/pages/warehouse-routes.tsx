import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { AddWarehousePage } from '../../features/warehouse/add-warehouse-page.tsx'
import { WarehouseDetailPage } from '../../features/warehouse/warehouse-detail-page.tsx'
import { WarehouseListPage } from '../../features/warehouse/warehouse-list-page.tsx'
import { RunningPanel } from '../../features/activity/running-panel.tsx'
import { useNamePage } from '../page-name.ts'
import { Placed } from './activity-places.tsx'
import { warehousePath } from '../paths.ts'

export function WarehouseListRoute() {
  const place = useParams({ from: '/$region/$aid' })
  const shown = useSearch({ from: '/$region/$aid/admin/warehouse' })
  const navigate = useNavigate()
  return (
    <WarehouseListPage
      shown={shown}
      onShow={(search) => void navigate({ to: '.', search, replace: true })}
      addressOf={(warehouseId) => warehousePath(place, warehouseId)}
      onOpenWarehouse={(warehouseId) => void navigate({ href: warehousePath(place, warehouseId) })}
    />
  )
}

export function WarehouseDetailRoute() {
  const { region, aid, warehouseId } = useParams({ from: '/$region/$aid/admin/warehouse/$warehouseId' })
  const navigate = useNavigate()
  const onNamed = useNamePage()
  return (
    <WarehouseDetailPage
      warehouseId={warehouseId}
      onNamed={onNamed}
      onDeleted={() => void navigate({ href: warehousePath({ region, aid }) })}
      statements={
        <Placed>
          <RunningPanel warehouseId={warehouseId} />
        </Placed>
      }
    />
  )
}

export function AddWarehouseRoute() {
  const place = useParams({ from: '/$region/$aid' })
  const navigate = useNavigate()
  return (
    <AddWarehousePage
      onDone={(warehouseId) => void navigate({ href: warehousePath(place, warehouseId) })}
      onCancel={() => void navigate({ href: warehousePath(place) })}
    />
  )
}
