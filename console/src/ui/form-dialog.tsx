import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t } from '../i18n/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './form-dialog.module.css'
import { useInView } from './in-view.ts'
import { Refusal } from './refusal.tsx'

export interface FormDialogProps {
  readonly title: string
  readonly confirmLabel: string
  readonly danger?: boolean
  readonly width?: number
  readonly isWorking: boolean
  /** True: something is still to be entered. */
  readonly confirmDisabled?: boolean
  /** Why it was refused; nothing typed is lost by it. */
  readonly refusal: string | undefined
  readonly onSubmit: () => Promise<void>
  readonly onClose: () => void
  /** At the left of the buttons. */
  readonly aside?: ReactNode
  readonly children?: ReactNode
}

/** A form with its buttons in a dialog, which a stray click does not close. */
export function FormDialog(props: FormDialogProps) {
  const { title, confirmLabel, danger = false, width = 520, isWorking, refusal, onSubmit, onClose } = props
  const id = useId()
  const refused = useInView<HTMLDivElement>(refusal)
  const form = useRef<HTMLFormElement>(null)
  const [sent, setSent] = useState(0)
  // By then the fields show what is wrong.
  useEffect(() => {
    if (sent > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [sent])
  const send = async () => {
    await onSubmit()
    setSent((before) => before + 1)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isWorking) void send()
  }
  const footer = (
    <>
      {props.aside && <span className={styles['aside']}>{props.aside}</span>}
      <Button onClick={onClose}>{t('ui.cancel')}</Button>
      <Button
        type="submit"
        form={id}
        variant={danger ? 'danger' : 'primary'}
        loading={isWorking}
        disabled={props.confirmDisabled}
      >
        {confirmLabel}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onClose} title={title} width={width} footer={footer} closeOnClickOutside={false}>
      <form ref={form} id={id} className={styles['form']} onSubmit={submit} noValidate>
        {props.children}
        {refusal && (
          <div ref={refused}>
            <Refusal text={refusal} />
          </div>
        )}
      </form>
    </Dialog>
  )
}
