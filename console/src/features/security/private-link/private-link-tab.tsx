import '../../../i18n/private-link.ts'
import { type VpcEndpoint, vpce } from '@boathouse/contract/vpce'
import { hasPermission } from '@boathouse/contract/roles'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.ts'
import { IconPlus } from '../../../ui/icons.ts'
import { Button, CodeBlock, DataTable, EmptyState, Skeleton } from '../../../ui/index.ts'
import { TabFailure } from '../tab-failure.tsx'
import { AddEndpoint } from './add-endpoint.tsx'
import { endpointColumns } from './endpoint-columns.tsx'
import styles from '../security.module.css'
import { RemoveEndpoint } from './remove-endpoint.tsx'

/** How often is looked whether the operator has decided. */
const LOOK_EVERY_MS = 5_000

const isPending = ({ status }: VpcEndpoint): boolean => status === 'pending'

/** Endpoints that requested access, and the decisions. */
export function PrivateLinkTab() {
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string | null>(null)
  const mayAlter = hasPermission(useSession().user?.perms ?? [], 'privatelink:alter')
  const { data, error, refetch } = useCall(
    vpce.list,
    {},
    { refetchInterval: ({ state }) => state.data?.endpoints.some(isPending) && LOOK_EVERY_MS },
  )
  if (!data && error)
    return <TabFailure title={t('privateLink.failed')} error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={240} />
  const { region, serviceName, endpoints } = data
  const waiting = endpoints.filter(isPending).map(({ endpointId }) => endpointId)
  const add = (
    <Button
      variant="primary"
      leftIcon={<IconPlus size={16} aria-hidden />}
      disabled={!mayAlter}
      onClick={() => setAdding(true)}
    >
      {t('privateLink.add')}
    </Button>
  )
  return (
    <div className={styles['tab']}>
      <div className={styles['row']}>
        <div className={styles['lead']}>
          <p>{t('privateLink.lead')}</p>
          <p>{t('privateLink.region', { region })}</p>
          {serviceName !== null && (
            <>
              <p>{t('privateLink.service')}</p>
              <CodeBlock code={serviceName} label={t('privateLink.serviceName')} />
            </>
          )}
        </div>
        {endpoints.length > 0 && <span className={styles['end']}>{add}</span>}
      </div>
      <div role="status">
        {waiting.length > 0 && (
          <p className={styles['waiting']}>
            {t('privateLink.waiting', { endpoints: waiting.join(', '), region })}
          </p>
        )}
      </div>
      {endpoints.length === 0 ? (
        <EmptyState title={t('privateLink.empty.title')} actions={add}>
          <p>{t('privateLink.empty.body')}</p>
        </EmptyState>
      ) : (
        <DataTable
          label={t('privateLink.list')}
          columns={endpointColumns({ mayAlter, onRemove: setRemoving })}
          rows={endpoints}
          rowKey={({ endpointId }) => endpointId}
        />
      )}
      {isAdding && <AddEndpoint region={region} serviceName={serviceName} onClose={() => setAdding(false)} />}
      {removing !== null && <RemoveEndpoint endpointId={removing} onClose={() => setRemoving(null)} />}
    </div>
  )
}
