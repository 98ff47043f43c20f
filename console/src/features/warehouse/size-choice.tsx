import { WAREHOUSE_SIZES, type WarehouseDetails, WarehouseSize } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { Badge } from '../../ui/index.ts'
import { useChosenEngine, useSizes } from './use-sizes.ts'
import { givesOf } from './warehouse-size.ts'
import styles from './warehouse.module.css'

interface Props {
  readonly engine: string | null
  readonly value: WarehouseDetails['size']
  readonly onChange: (size: WarehouseDetails['size']) => void
}

/** All sizes side by side, with what they cost and what the engine really gives them. */
export function SizeChoice({ engine, value, onChange }: Props) {
  const offers = useSizes(engine)
  const kind = useChosenEngine(engine)
  return (
    <fieldset className={styles['sizes']}>
      <legend className="visually-hidden">{t('warehouse.form.size')}</legend>
      {WarehouseSize.options.map((size) => {
        const offer = offers?.find((one) => one.size === size)
        return (
          <label key={size} className={styles['choice']}>
            <input type="radio" name="size" checked={size === value} onChange={() => onChange(size)} />
            <strong>{t('warehouse.sizeWithCcu', { size, ccu: WAREHOUSE_SIZES[size] })}</strong>
            {offer?.isRecommended && <Badge tone="ok">{t('warehouse.add.recommended')}</Badge>}
            <span className={styles['offer']}>
              {offer && t('warehouse.add.pricePerHour', { usd: offer.pricePerHour.usd })}
            </span>
            <span className={styles['note']}>{offer && givesOf('warehouse.add.machine', offer, kind)}</span>
          </label>
        )
      })}
    </fieldset>
  )
}
