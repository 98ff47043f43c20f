import { LIMITS } from '@boathouse/contract/limits'
import {
  DEFAULT_WAREHOUSE_NAME,
  RECOMMENDED_SIZE,
  type SizeOffer,
  warehouse,
  WAREHOUSE_SIZES,
  type WarehouseDetails,
  WarehouseSize,
} from '@boathouse/contract/warehouse'
import { type FormEvent, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { formatMemory } from '../../lib/format.ts'
import { Button, Select, Switch, TextField } from '../../ui/index.ts'
import { checkDraft, type DraftErrors, draftOf, editOf, NEW_DRAFT } from './warehouse-draft.ts'
import styles from './warehouse.module.css'

interface Props {
  /** Missing: a new one is made. */
  readonly existing?: WarehouseDetails | undefined
  readonly onDone: (saved: { readonly warehouseId: string; readonly name: string }) => void
  readonly onCancel: () => void
}

const REFRESHED = [warehouse.list, warehouse.describe, warehouse.activity]

/** WH-13: asks for all that makes a warehouse. Nothing typed is lost by a refusal. */
export function WarehouseForm({ existing, onDone, onCancel }: Props) {
  const [draft, setDraft] = useState(() => (existing ? draftOf(existing) : NEW_DRAFT))
  const [errors, setErrors] = useState<DraftErrors>({})
  const form = useRef<HTMLFormElement>(null)
  const create = useAction(warehouse.create, { silent: true, refreshes: REFRESHED })
  const update = useAction(warehouse.update, { silent: true, refreshes: REFRESHED })
  const isWorking = create.isPending || update.isPending
  const refusal = create.error ?? update.error
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isWorking) return
    const checked = checkDraft(draft, existing)
    setErrors('errors' in checked ? checked.errors : {})
    if ('errors' in checked) {
      const [first] = ['name', 'description', 'idleMinutes'].filter((name) => name in checked.errors)
      form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    if (!existing) return create.mutate(checked.input, { onSuccess: onDone })
    const edit = editOf(checked.input, existing)
    if (Object.keys(edit).length === 0) return onCancel()
    update.mutate({ warehouseId: existing.warehouseId, ...edit }, { onSuccess: onDone })
  }

  return (
    <form ref={form} className={styles['form']} onSubmit={submit} noValidate>
      <TextField
        label={t('warehouse.form.name')}
        help={
          existing?.name === DEFAULT_WAREHOUSE_NAME
            ? t('warehouse.form.nameFixed')
            : t('warehouse.form.nameHelp', { most: LIMITS.warehouseNameLength })
        }
        error={errors.name}
        name="name"
        mono
        data-autofocus
        disabled={existing?.name === DEFAULT_WAREHOUSE_NAME}
        autoComplete="off"
        spellCheck={false}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label={t('warehouse.form.description')}
        error={errors.description}
        name="description"
        value={draft.description}
        onChange={(event) => change({ description: event.target.value })}
      />
      <SizeField existing={existing} value={draft.size} onChange={(size) => change({ size })} />
      <Switch
        label={t('warehouse.form.autoSuspend')}
        help={t('warehouse.form.autoSuspendHelp')}
        checked={draft.suspends}
        onChange={(suspends) => change({ suspends })}
      />
      {draft.suspends && (
        <div className={styles['dependent']}>
          <TextField
            label={t('warehouse.form.idleMinutes')}
            error={errors.idleMinutes}
            name="idleMinutes"
            inputMode="numeric"
            value={draft.idleMinutes}
            onChange={(event) => change({ idleMinutes: event.target.value })}
          />
        </div>
      )}
      <Switch
        label={t('warehouse.form.autoResume')}
        help={t('warehouse.form.autoResumeHelp')}
        checked={draft.autoResume}
        onChange={(autoResume) => change({ autoResume })}
      />
      {refusal && (
        <p className={styles['refusal']} role="alert">
          {refusal.message}
        </p>
      )}
      <div className={styles['buttons']}>
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="primary" loading={isWorking}>
          {existing ? t('warehouse.form.save') : t('warehouse.form.create')}
        </Button>
      </div>
    </form>
  )
}

interface SizeProps {
  readonly existing: WarehouseDetails | undefined
  readonly value: WarehouseDetails['size']
  readonly onChange: (size: WarehouseDetails['size']) => void
}

const labelOf = (size: WarehouseDetails['size'], known: SizeOffer | undefined): string =>
  known
    ? t('warehouse.form.sizeOption', { size, ccu: WAREHOUSE_SIZES[size], usd: known.pricePerHour.usd })
    : t('warehouse.sizeWithCcu', { size, ccu: WAREHOUSE_SIZES[size] })

/** WH-20, WH-21, WH-29, WH-30: what a size costs, and what this machine really gives it. */
function SizeField({ existing, value, onChange }: SizeProps) {
  const offers = useCall(warehouse.sizes, {}, { staleTime: Number.POSITIVE_INFINITY }).data?.sizes
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
        {offer &&
          t('warehouse.form.machine', {
            threads: t('warehouse.threads', { count: offer.threads }),
            memory: formatMemory(offer.memoryBytes),
            slots: offer.slots,
          })}{' '}
        {t('warehouse.form.recommended', { size: RECOMMENDED_SIZE })}
      </p>
      {existing && existing.size !== value && (
        <p className={styles['note']}>{t('warehouse.form.resizing')}</p>
      )}
    </div>
  )
}
