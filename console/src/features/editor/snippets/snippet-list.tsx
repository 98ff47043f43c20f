import type { Snippet } from '@boathouse/contract/editor-snippets'
import { t } from '../../../i18n/texts.ts'
import { Button, DataTable, type TableColumn } from '../../../ui/index.ts'
import styles from './snippets.module.css'

interface Props {
  readonly snippets: readonly Snippet[]
  readonly onInsert: (snippet: Snippet) => void
  readonly onEdit: (snippet: Snippet) => void
  readonly onDelete: (snippet: Snippet) => void
}

export const SnippetList = ({ snippets, ...actions }: Props) => (
  <div className={styles['list']}>
    <DataTable
      label={t('snippets.title')}
      rows={snippets}
      rowKey={({ snippetId }) => snippetId}
      columns={columnsOf(actions)}
    />
  </div>
)

const LEAST_TEXT_PX = 80

const columnsOf = ({ onInsert, onEdit, onDelete }: Omit<Props, 'snippets'>): TableColumn<Snippet>[] => [
  { key: 'name', header: t('snippets.name'), cell: ({ name }) => name },
  {
    key: 'text',
    header: t('snippets.text'),
    leastPx: LEAST_TEXT_PX,
    cell: ({ text }) => <code title={text}>{text.trim().split('\n')[0]}</code>,
  },
  {
    key: 'actions',
    header: t('snippets.actions'),
    hideHeader: true,
    align: 'end',
    cell: (snippet) => (
      <span className={styles['actions']}>
        <Button
          size="sm"
          aria-label={t('snippets.insertName', { name: snippet.name })}
          onClick={() => onInsert(snippet)}
        >
          {t('snippets.insert')}
        </Button>
        <Button
          size="sm"
          aria-label={t('snippets.edit', { name: snippet.name })}
          onClick={() => onEdit(snippet)}
        >
          {t('snippets.editShort')}
        </Button>
        <Button
          size="sm"
          aria-label={t('snippets.deleteName', { name: snippet.name })}
          onClick={() => onDelete(snippet)}
        >
          {t('snippets.delete')}
        </Button>
      </span>
    ),
  },
]
