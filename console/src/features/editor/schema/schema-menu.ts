import { quoteIdentifier } from '@boathouse/sql'
import { t } from '../../../i18n/texts.ts'
import type { MenuEntry } from '../../../ui/index.ts'
import type { Place } from '../tabs/place.ts'
import type { SchemaRow } from './schema-rows.ts'

export interface RowActions {
  readonly copy: (text: string) => void
  /** Null where no query is open. */
  readonly insert: ((row: SchemaRow) => void) | null
  /** Runs a statement in the tab, beside its text. */
  readonly run: ((sql: string) => void) | null
  readonly choose: ((place: Place) => void) | null
  readonly drop: (row: SchemaRow) => void
}

/** From the catalog on, quoted: it means the same wherever a statement runs. */
function pathOf({ kind, place, name }: Pick<SchemaRow, 'kind' | 'place' | 'name'>): string {
  const parts =
    kind === 'catalog'
      ? [name]
      : kind === 'database'
        ? [place.catalog, name]
        : kind === 'column'
          ? [name]
          : [place.catalog, place.database, name]
  return parts.map(quoteIdentifier).join('.')
}

const PREVIEW_ROWS = 100

/** What can be done with a row of the tree, most of it for tables and views. */
export function menuOf(row: SchemaRow, { copy, insert, run, choose, drop }: RowActions): MenuEntry[] {
  const path = pathOf(row)
  const running = (label: string, sql: string): MenuEntry => ({
    label,
    disabled: run === null,
    onSelect: () => run?.(sql),
  })
  const common: MenuEntry[] = [
    { label: t('editor.schema.menu.insert'), disabled: insert === null, onSelect: () => insert?.(row) },
    {
      label: t(row.kind === 'column' ? 'editor.schema.menu.copyName' : 'editor.schema.menu.copyPath'),
      onSelect: () => copy(path),
    },
  ]
  if (row.kind === 'catalog' || row.kind === 'column') return common
  if (row.kind === 'database')
    return [
      {
        label: t('editor.schema.menu.choose'),
        disabled: choose === null,
        onSelect: () => choose?.(row.place),
      },
      ...common,
    ]
  if (row.kind !== 'table' && row.kind !== 'view' && row.kind !== 'materialized_view') return []
  const word = row.kind.replace('_', ' ').toUpperCase()
  return [
    running(t('editor.schema.menu.select'), `SELECT * FROM ${path} LIMIT ${PREVIEW_ROWS}`),
    running(t('editor.schema.menu.describe'), `DESCRIBE ${path}`),
    running(t('editor.schema.menu.showCreate'), `SHOW CREATE ${word} ${path}`),
    { kind: 'divider' },
    ...common,
    { kind: 'divider' },
    { label: t('editor.schema.menu.drop'), danger: true, onSelect: () => drop(row) },
  ]
}
