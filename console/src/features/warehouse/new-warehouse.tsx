import { t } from '../../i18n/texts.ts'
import { Properties, SideSection } from '../../ui/index.ts'
import { useChosenEngine, useSizes } from './use-sizes.ts'
import type { WarehouseDraft } from './warehouse-draft.ts'
import { machineOf, sizeOf } from './warehouse-size.ts'
import styles from './warehouse.module.css'

/** What it will be, as far as it is chosen. */
export function NewWarehouse({ draft }: { draft: WarehouseDraft }) {
  const offer = useSizes(draft.engine)?.find(({ size }) => size === draft.size)
  const engine = useChosenEngine(draft.engine)
  return (
    <>
      <SideSection title={t('warehouse.add.side')}>
        <Properties
          items={[
            [t('warehouse.form.name'), draft.name.trim() || '–'],
            [t('warehouse.form.description'), draft.description.trim() || '–'],
            ...(engine ? [[t('warehouse.form.engine'), engine.label] as const] : []),
            [t('warehouse.form.size'), sizeOf({ size: draft.size, scalingTo: null })],
            [t('warehouse.detail.property.machine'), offer ? machineOf(offer, engine) : '–'],
            [
              t('warehouse.form.autoSuspend'),
              draft.suspends
                ? t('warehouse.add.afterIdle', { minutes: draft.idleMinutes || '–' })
                : t('warehouse.off'),
            ],
            [
              t('warehouse.form.autoResume'),
              draft.autoResume ? t('warehouse.detail.property.on') : t('warehouse.off'),
            ],
          ]}
        />
      </SideSection>
      <SideSection title={t('warehouse.detail.price')}>
        <p>{offer ? t('warehouse.add.pricePerHour', { usd: offer.pricePerHour.usd }) : '–'}</p>
        <p className={styles['note']}>{t('warehouse.add.metered')}</p>
      </SideSection>
    </>
  )
}
