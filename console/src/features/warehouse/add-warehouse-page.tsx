import '../../i18n/warehouse.ts'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, DetailPage, PageHeader, Refusal } from '../../ui/index.ts'
import { NewWarehouse } from './new-warehouse.tsx'
import { SizeChoice } from './size-choice.tsx'
import { useWarehouseForm, type WarehouseFormState } from './use-warehouse-form.ts'
import type { DraftErrors } from './warehouse-draft.ts'
import { EngineField, IdleFields, NameFields } from './warehouse-fields.tsx'
import styles from './warehouse.module.css'

interface Props {
  readonly onDone: (warehouseId: string) => void
  readonly onCancel: () => void
}

interface Step {
  readonly key: 'name' | 'size' | 'idle' | 'review'
  /** What must be right before the next one. */
  readonly fields: readonly (keyof DraftErrors)[]
  readonly content: (form: WarehouseFormState) => ReactNode
}

const STEPS: readonly Step[] = [
  { key: 'name', fields: ['name', 'description'], content: (form) => <NameFields form={form} /> },
  {
    key: 'size',
    fields: ['size'],
    content: (form) => (
      <>
        <EngineField form={form} />
        <SizeChoice
          engine={form.draft.engine}
          value={form.draft.size}
          onChange={(size) => form.change({ size })}
        />
      </>
    ),
  },
  { key: 'idle', fields: ['idleMinutes'], content: (form) => <IdleFields form={form} /> },
  { key: 'review', fields: [], content: () => <p>{t('warehouse.add.reviewBody')}</p> },
]

/** The same as in the dialog, one thing at a time, for links that lead straight to it. */
export function AddWarehousePage({ onDone, onCancel }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const form = useWarehouseForm(element, { onDone: ({ warehouseId }) => onDone(warehouseId), onCancel })
  const [at, setAt] = useState(0)
  const step = STEPS[at]
  const title = useFocusAfterFirst(at)
  const isLast = at === STEPS.length - 1
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isLast) return form.save()
    if (step && form.accepts(step.fields)) setAt(at + 1)
  }
  return (
    <DetailPage sideLabel={t('warehouse.add.side')} side={<NewWarehouse draft={form.draft} />}>
      <PageHeader title={t('warehouse.form.createTitle')} />
      <StepList at={at} onGo={setAt} />
      {step && (
        <form ref={element} className={styles['full']} onSubmit={submit} noValidate>
          <h2 ref={title} tabIndex={-1} className={styles['heading']}>
            {t(`warehouse.add.step.${step.key}`)}
          </h2>
          {step.content(form)}
          {isLast && <Refusal text={form.refusal} />}
          <div className={styles['buttons']}>
            <Button onClick={at === 0 ? onCancel : () => setAt(at - 1)}>
              {at === 0 ? t('ui.cancel') : t('warehouse.add.back')}
            </Button>
            <Button type="submit" variant="primary" loading={form.isWorking}>
              {isLast ? t('warehouse.form.create') : t('warehouse.add.next')}
            </Button>
          </div>
        </form>
      )}
    </DetailPage>
  )
}

/** Where the next step begins, for those who do not see that the page has changed. */
function useFocusAfterFirst(at: number) {
  const title = useRef<HTMLHeadingElement>(null)
  const shown = useRef(at)
  useEffect(() => {
    if (shown.current !== at) title.current?.focus()
    shown.current = at
  }, [at])
  return title
}

function StepList({ at, onGo }: { at: number; onGo: (step: number) => void }) {
  return (
    <ol className={styles['steps']} aria-label={t('warehouse.add.steps')}>
      {STEPS.map(({ key }, index) => (
        <li key={key} aria-current={index === at ? 'step' : undefined}>
          <Button size="sm" disabled={index > at} onClick={() => onGo(index)}>
            {index + 1}. {t(`warehouse.add.step.${key}`)}
          </Button>
        </li>
      ))}
    </ol>
  )
}
