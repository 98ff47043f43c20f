import type { WarehouseDetails } from '@boathouse/contract/warehouse'
import { quoteIdentifier } from '@boathouse/sql'
import { t } from '../../i18n/texts.ts'
import { formatDateTime } from '../../lib/format.ts'
import { IconCopy } from '../../ui/icons.ts'
import { CodeBlock, IconButton, Properties, SideSection, useCopy } from '../../ui/index.ts'
import { machineOf, sizeOf } from './warehouse-size.ts'
import { WhoMayUse } from './who-may-use.tsx'
import styles from './warehouse.module.css'

/** All that is known of it, and how to use it. */
export function WarehouseProperties({ of }: { of: WarehouseDetails }) {
  const copy = useCopy()
  const isPlain = /^[A-Za-z]\w*$/.test(of.name)
  return (
    <>
      <SideSection title={t('warehouse.detail.properties')}>
        <Properties
          items={[
            [
              t('warehouse.detail.property.id'),
              <span key="id" className={styles['copied']}>
                <code title={of.warehouseId}>{of.warehouseId.slice(0, 8)}</code>
                <IconButton
                  label={t('warehouse.detail.copyId')}
                  size="sm"
                  onClick={() => copy(of.warehouseId)}
                >
                  <IconCopy size={14} aria-hidden />
                </IconButton>
              </span>,
            ],
            [t('warehouse.detail.property.engine'), of.engine.label],
            [t('warehouse.detail.property.size'), sizeOf(of)],
            [t('warehouse.detail.property.machine'), machineOf(of.offer, of.engine)],
            [
              t('warehouse.detail.property.type'),
              of.type === 1 ? t('warehouse.detail.property.lake') : t('warehouse.detail.property.standard'),
            ],
            [
              t('warehouse.detail.property.autoSuspend'),
              of.idleMinutes === null
                ? t('warehouse.off')
                : t('warehouse.detail.property.afterIdle', { count: of.idleMinutes }),
            ],
            [t('warehouse.detail.property.idleSince'), of.idleSince ? formatDateTime(of.idleSince) : '–'],
            [
              t('warehouse.detail.property.autoResume'),
              of.autoResume ? t('warehouse.detail.property.on') : t('warehouse.off'),
            ],
            [t('warehouse.detail.property.created'), formatDateTime(of.createdAt)],
            [t('warehouse.detail.property.createdBy'), of.createdBy],
            [
              t('warehouse.detail.property.resumedOn'),
              of.resumedOn ? formatDateTime(of.resumedOn) : t('warehouse.detail.property.never'),
            ],
          ]}
        />
      </SideSection>
      <WhoMayUse of={of} />
      <SideSection title={t('warehouse.detail.use')}>
        {of.isUsable && (
          <CodeBlock
            label={t('warehouse.detail.use')}
            code={`SET WAREHOUSE = ${isPlain ? of.name : quoteIdentifier(of.name)};`}
          />
        )}
        <p className={styles['note']}>
          {of.isUsable ? t('warehouse.detail.useNote') : t('warehouse.detail.notUsable')}
        </p>
      </SideSection>
    </>
  )
}
