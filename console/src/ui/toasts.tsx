import { useSyncExternalStore } from 'react'
import { t } from '../i18n/texts.ts'
import { IconAlertCircle, IconCircleCheck, IconInfoCircle, IconX } from './icons.ts'
import { rememberNotice } from './notice-history.ts'
import styles from './toasts.module.css'

type ToastTone = 'ok' | 'info' | 'warn' | 'err'

export interface Notice {
  readonly tone: ToastTone
  readonly message: string
  readonly durationMs?: number
}

interface Toast extends Notice {
  readonly id: number
}

const DEFAULT_DURATION_MS = 3_000
/** More than this at once is noise; the oldest go first. */
const SHOWN_AT_ONCE = 5

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const dismissNotice = (id: number): void => change(toasts.filter((toast) => toast.id !== id))

export const dismissAllNotices = (): void => change([])

/** Shows something that happened elsewhere; it disappears automatically. The same sentence is not stacked. */
export function notify(notice: Notice): number {
  const id = ++lastId
  rememberNotice(notice)
  const others = toasts.filter((toast) => toast.message !== notice.message || toast.tone !== notice.tone)
  change([...others, { ...notice, id }].slice(-SHOWN_AT_ONCE))
  setTimeout(() => dismissNotice(id), notice.durationMs ?? DEFAULT_DURATION_MS)
  return id
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const ICONS = { ok: IconCircleCheck, info: IconInfoCircle, warn: IconAlertCircle, err: IconAlertCircle }

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section className={styles['stack']} aria-label={t('ui.notifications')} aria-live="polite">
      {shown.map((toast) => {
        const Icon = ICONS[toast.tone]
        return (
          <div key={toast.id} className={styles['toast']} data-tone={toast.tone} role="status">
            <Icon size={18} aria-hidden className={styles['icon']} />
            <p className={styles['message']}>{toast.message}</p>
            <button
              type="button"
              className={styles['close']}
              aria-label={t('ui.dismiss')}
              onClick={() => dismissNotice(toast.id)}
            >
              <IconX size={14} aria-hidden />
            </button>
          </div>
        )
      })}
    </section>
  )
}
