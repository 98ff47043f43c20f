import { t } from '../../i18n/texts.ts'
import { useKept } from '../../lib/kept.ts'
import { IconButton, keyNames, Menu } from '../../ui/index.ts'
import { IconDots } from './icons.ts'
import { COMPLETION_KEYS, type CompletionKeys, isCompletionKeys } from './text/completion-keys.ts'

interface Props {
  readonly onFormat: () => void
  readonly onVersions: () => void
  readonly onSchedule: () => void
}

/** What is done with the text, beside writing and running it. */
export function TextActions({ onFormat, onVersions, onSchedule }: Props) {
  const [keys, keepKeys] = useKept<CompletionKeys>('completion-keys', 'tab', isCompletionKeys)
  return (
    <Menu
      label={t('editor.text.actions')}
      width={260}
      entries={[
        { label: t('editor.text.format'), hint: keyNames('Shift', 'Alt', 'F'), onSelect: onFormat },
        { label: t('editor.text.versions'), onSelect: onVersions },
        { label: t('editor.queries.schedule'), onSelect: onSchedule },
        { kind: 'divider' },
        { kind: 'heading', label: t('editor.text.completionKeys') },
        {
          kind: 'choice',
          value: keys,
          options: COMPLETION_KEYS.map((value) => ({ value, label: t(`editor.text.keys.${value}`) })),
          onChange: (value) => isCompletionKeys(value) && keepKeys(value),
        },
      ]}
      trigger={
        <IconButton label={t('editor.text.actions')} size="sm">
          <IconDots size={16} stroke={1.6} aria-hidden />
        </IconButton>
      }
    />
  )
}
