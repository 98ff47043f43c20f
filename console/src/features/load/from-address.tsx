import { LIMITS } from '@boathouse/contract/limits'
import { t } from '../../i18n/texts.ts'
import { Button, TextField } from '../../ui/index.ts'
import styles from './load.module.css'

interface Props {
  readonly address: string
  readonly onChange: (address: string) => void
  readonly onFetch: (address: string) => void
  readonly onClose: () => void
}

/** It was opened to paste into it. */
const takesFocus = (field: HTMLInputElement | null) => field?.focus()

/** A file that the service fetches, in place of one of this computer. */
export const FromAddress = ({ address, onChange, onFetch, onClose }: Props) => (
  <form
    className={styles['stack']}
    onSubmit={(event) => {
      event.preventDefault()
      if (address.trim() !== '') onFetch(address.trim())
    }}
  >
    <TextField
      ref={takesFocus}
      label={t('load.address.label')}
      help={t('load.address.help')}
      inputMode="url"
      autoComplete="off"
      placeholder="https://"
      maxLength={LIMITS.fileAddressLength}
      value={address}
      onChange={(event) => onChange(event.target.value)}
    />
    <div className={styles['fields']}>
      <Button type="submit" variant="primary" disabled={address.trim() === ''}>
        {t('load.address.fetch')}
      </Button>
      <Button onClick={onClose}>{t('load.address.cancel')}</Button>
    </div>
  </form>
)
