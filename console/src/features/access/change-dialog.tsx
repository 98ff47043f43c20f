import type { PlannedChange } from '@boathouse/contract/perms'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { isCallError } from '../../lib/api.ts'
import { Button, Dialog } from '../../ui/index.ts'
import styles from './access.module.css'
import { Effect } from './effect.tsx'

interface Props {
  readonly title: string
  readonly confirmLabel: string
  readonly danger?: boolean
  readonly width?: number
  /** Null while it is not yet said what shall change. */
  readonly planned: PlannedChange | null
  /** False: what was typed is not right yet, and is told in place. */
  readonly onConfirm: () => Promise<boolean>
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** One change: what is chosen, what it would do, and why it was refused. Nothing chosen is lost by a refusal. */
export function ChangeDialog(props: Props) {
  const { title, confirmLabel, danger = false, width = 520, planned, onConfirm, onClose, children } = props
  const [isWorking, setWorking] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const id = useId()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isWorking) return
    setRefusal(null)
    setWorking(true)
    try {
      if (await onConfirm()) onClose()
    } catch (error) {
      if (!isCallError(error)) throw error
      setRefusal(error.message)
    } finally {
      setWorking(false)
    }
  }
  const footer = (
    <>
      <Button onClick={onClose}>{t('ui.cancel')}</Button>
      <Button type="submit" form={id} variant={danger ? 'danger' : 'primary'} loading={isWorking}>
        {confirmLabel}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onClose} title={title} width={width} footer={footer} closeOnClickOutside={false}>
      <form id={id} className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
        {children}
        {planned && <Effect planned={planned} />}
        {refusal && (
          <p className={styles['refusal']} role="alert">
            {refusal}
          </p>
        )}
      </form>
    </Dialog>
  )
}
