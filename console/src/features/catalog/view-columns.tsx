import { LIMITS } from '@boathouse/contract/limits'
import type { Field } from '@boathouse/contract/realtime'
import { t } from '../../i18n/texts.ts'
import { DataTable, type TableColumn, TextField } from '../../ui/index.ts'

interface Props {
  readonly columns: readonly Field[]
  readonly comments: Readonly<Record<string, string>>
  readonly onComment: (column: string, comment: string) => void
}

interface Row extends Field {
  readonly at: number
}

const shown = ({ comments, onComment }: Omit<Props, 'columns'>): readonly TableColumn<Row>[] => [
  { key: 'name', header: t('catalog.column.name'), cell: ({ name }) => <code>{name}</code> },
  { key: 'type', header: t('catalog.column.type'), cell: ({ type }) => <code>{type}</code> },
  {
    key: 'comment',
    header: t('catalog.column.comment'),
    cell: ({ name }) => (
      <TextField
        label={t('catalog.createView.commentOf', { name })}
        hideLabel
        maxLength={LIMITS.commentLength}
        value={comments[name] ?? ''}
        onChange={(event) => onComment(name, event.target.value)}
      />
    ),
  },
]

/** The columns that a view would have, each with a comment that it is given. */
export const ViewColumns = ({ columns, ...comments }: Props) => (
  <DataTable
    label={t('catalog.createView.columns')}
    rows={columns.map((column, at): Row => ({ ...column, at }))}
    rowKey={({ at }) => at}
    columns={shown(comments)}
  />
)
