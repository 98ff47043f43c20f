import {
  RECOMMENDED_SIZE,
  type SizeOffer,
  WAREHOUSE_SIZES,
  type WarehouseDetails,
  WarehouseSize,
} from '@boathouse/contract/warehouse'
import { type FormEvent, useRef } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, Refusal, Select } from '../../ui/index.ts'
import { useChosenEngine, useSizes } from './use-sizes.ts'
import { useWarehouseForm, type WarehouseFormProps } from './use-warehouse-form.ts'
import { EngineField, IdleFields, NameFields } from './warehouse-fields.tsx'
import { givesOf } from './warehouse-size.ts'
import styles from './warehouse.module.css'

/** Asks for all that makes a warehouse at once. */
export function WarehouseForm(props: WarehouseFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const form = useWarehouseForm(element, props)
  const { existing, draft, change, isWorking } = form
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.save()
  }
  return (
    <form ref={element} className={styles['form']} onSubmit={submit} noValidate>
      <NameFields form={form} />
      <EngineField form={form} />
      <SizeField
        existing={existing}
        engine={draft.engine}
        value={draft.size}
        onChange={(size) => change({ size })}
      />
      <IdleFields form={form} />
      <Refusal text={form.refusal} />
      <div className={styles['buttons']}>
        <Button onClick={props.onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="primary" loading={isWorking}>
          {existing ? t('warehouse.form.save') : t('warehouse.form.create')}
        </Button>
      </div>
    </form>
  )
}

interface SizeProps {
  readonly existing: WarehouseDetails | undefined
  readonly engine: string | null
  readonly value: WarehouseDetails['size']
  readonly onChange: (size: WarehouseDetails['size']) => void
}

const labelOf = (size: WarehouseDetails['size'], known: SizeOffer | undefined): string =>
  known
    ? t('warehouse.form.sizeOption', { size, ccu: WAREHOUSE_SIZES[size], usd: known.pricePerHour.usd })
    : t('warehouse.sizeWithCcu', { size, ccu: WAREHOUSE_SIZES[size] })

/** What a size costs, and what the engine really gives it. */
function SizeField({ existing, engine, value, onChange }: SizeProps) {
  const offers = useSizes(engine)
  const kind = useChosenEngine(engine)
  const offer = offers?.find(({ size }) => size === value)
  return (
    <div className={styles['size']}>
      <Select
        label={t('warehouse.form.size')}
        value={value}
        options={WarehouseSize.options.map((size) => ({
          value: size,
          label: labelOf(
            size,
            offers?.find((one) => one.size === size),
          ),
        }))}
        onChange={(size) => onChange(WarehouseSize.parse(size))}
      />
      <p className={styles['note']}>
        {offer && givesOf('warehouse.form.machine', offer, kind)}{' '}
        {t('warehouse.form.recommended', { size: RECOMMENDED_SIZE })}
      </p>
      {existing && existing.size !== value && (
        <p className={styles['note']}>
          {t(kind?.isExisting ? 'warehouse.existing.resizing' : 'warehouse.form.resizing')}
        </p>
      )}
    </div>
  )
}
