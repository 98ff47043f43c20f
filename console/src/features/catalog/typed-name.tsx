import { t } from '../../i18n/texts.ts'
import { TextField } from '../../ui/index.ts'

interface Props {
  readonly name: string
  readonly typed: string
  readonly isWrong: boolean
  readonly onType: (typed: string) => void
}

/** What cannot be undone is named by whoever does it. */
export const TypedName = ({ name, typed, isWrong, onType }: Props) => (
  <TextField
    label={t('catalog.drop.typeName', { name })}
    error={isWrong ? t('catalog.drop.mismatch') : undefined}
    mono
    data-autofocus
    autoComplete="off"
    spellCheck={false}
    value={typed}
    onChange={(event) => onType(event.target.value)}
  />
)
