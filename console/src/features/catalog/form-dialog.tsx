import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { isCallError } from '../../lib/api.ts'
import { Button, Dialog, Refusal } from '../../ui/index.ts'
import styles from './catalog.module.css'

interface Props {
  readonly title: string
  readonly confirmLabel: string
  readonly danger?: boolean
  readonly width?: number
  /** False: what was typed is not right yet, and is told in place. */
  readonly onConfirm: () => Promise<boolean>
  readonly onClose: () => void
  /** At the left of the buttons. */
  readonly aside?: ReactNode
  /** What to do about a refusal, below it. */
  readonly hint?: string
  readonly children?: ReactNode
}

/** A form with its buttons, and why it was refused. Nothing typed is lost by a refusal. */
export function FormDialog(props: Props) {
  const {
    title,
    confirmLabel,
    danger = false,
    width = 520,
    onConfirm,
    onClose,
    aside,
    hint,
    children,
  } = props
  const [isWorking, setWorking] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const id = useId()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isWorking) return
    setRefusal(undefined)
    setWorking(true)
    try {
      if (await onConfirm()) onClose()
    } catch (error) {
      if (!isCallError(error)) throw error
      setRefusal(hint ? `${error.message} ${hint}` : error.message)
    } finally {
      setWorking(false)
    }
  }
  const footer = (
    <>
      {aside && <span className={styles['aside']}>{aside}</span>}
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
        <Refusal text={refusal} />
      </form>
    </Dialog>
  )
}
