import { t } from '../../i18n/texts.ts'
import { useKept } from '../../lib/kept.ts'
import { IconButton, keyNames, Menu } from '../../ui/index.ts'
import { IconDots } from './icons.ts'
import { useLineLink } from './together/line-link.ts'
import { COMPLETION_KEYS, type CompletionKeys, isCompletionKeys } from './text/completion-keys.ts'

interface Props {
  readonly tabId: string
  readonly onFormat: () => void
  readonly onVersions: () => void
  readonly onComments: () => void
  readonly onSnippets: () => void
  /** Missing for a query of others. */
  readonly onSchedule?: () => void
  readonly onShare?: () => void
  readonly onAssistant: () => void
}

/** What is done with the text, beside writing and running it. */
export function TextActions(props: Props) {
  const { tabId, onFormat, onVersions, onComments, onSnippets, onSchedule, onShare, onAssistant } = props
  const copyLink = useLineLink(tabId)
  const [keys, keepKeys] = useKept<CompletionKeys>('completion-keys', 'tab', isCompletionKeys)
  return (
    <Menu
      label={t('editor.text.actions')}
      width={260}
      entries={[
        { label: t('editor.text.format'), hint: keyNames('Shift', 'Alt', 'F'), onSelect: onFormat },
        { label: t('editor.text.snippets'), onSelect: onSnippets },
        { label: t('editor.text.versions'), onSelect: onVersions },
        { label: t('editor.text.comments'), onSelect: onComments },
        ...(onSchedule ? [{ label: t('editor.queries.schedule'), onSelect: onSchedule }] : []),
        ...(onShare ? [{ label: t('editor.queries.share'), onSelect: onShare }] : []),
        { label: t('editor.text.copyLink'), onSelect: copyLink },
        { label: t('editor.text.assistant'), onSelect: onAssistant },
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
