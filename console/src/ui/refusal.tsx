import { IconAlertCircle } from './icons.ts'
import styles from './refusal.module.css'

/** What the service refused, in place. */
export const Refusal = ({ text }: { text: string | undefined }) =>
  text && (
    <p className={styles['refusal']} role="alert">
      <IconAlertCircle size={16} aria-hidden />
      {text}
    </p>
  )
