import { LIMITS } from '@boathouse/contract/limits'
import type { Field } from '@boathouse/contract/realtime'
import { t } from '../../i18n/texts.ts'
import { DataTable, TextField } from '../../ui/index.ts'

interface Props {
  readonly columns: readonly Field[]
  readonly comments: Readonly<Record<string, string>>
  readonly onComment: (column: string, comment: string) => void
}

/** The columns that a view would have, each with a comment that it is given. */
export const ViewColumns = ({ columns, comments, onComment }: Props) => (
  <DataTable
    label={t('catalog.createView.columns')}
    rows={columns.map((column, at) => ({ ...column, at }))}
    rowKey={({ at }) => at}
    columns={[
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
    ]}
  />
)
