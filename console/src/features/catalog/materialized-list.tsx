import type { MaterializedView } from '@boathouse/contract/materialized-views'
import { quoteIdentifier } from '@boathouse/sql'
import { t } from '../../i18n/texts.ts'
import { useNewQuery } from '../../lib/new-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { IconPlus } from '../../ui/icons.ts'
import { Badge, Button, StateDot, type TableColumn } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { usePlaces } from './places.ts'
import { RUN_TONES } from './refreshes.ts'

/** What a list of materialized views shows beside their names. */
export const refreshColumns = (): readonly TableColumn<{ readonly materialized?: MaterializedView }>[] => [
  {
    key: 'refresh',
    header: t('catalog.materialized.how'),
    cell: ({ materialized: one }) =>
      one && (
        <span className={styles['named']}>
          {t(`catalog.materialized.trigger.${one.trigger}`)}
          {one.paused && <Badge tone="warn">{t('catalog.materialized.paused')}</Badge>}
        </span>
      ),
  },
  {
    key: 'last',
    header: t('catalog.materialized.column.last'),
    cell: ({ materialized: one }) =>
      one?.lastRefreshState ? (
        <StateDot tone={RUN_TONES[one.lastRefreshState]}>
          {t(`catalog.materialized.run.${one.lastRefreshState}`)}
          {one.lastRefreshAt && ` · ${formatDateTime(one.lastRefreshAt)}`}
        </StateDot>
      ) : (
        t('catalog.materialized.never')
      ),
  },
]

interface CreateProps {
  readonly catalog: string
  readonly database: string
  readonly whyNot: string | undefined
}

/** Made by a statement: the editor opens with one that only lacks its query. */
export function CreateMaterialized({ catalog, database, whyNot }: CreateProps) {
  const { openTab } = usePlaces()
  const create = useNewQuery()
  const path = [catalog, database, 'new_view'].map(quoteIdentifier).join('.')
  const sql = `CREATE MATERIALIZED VIEW ${path}\nREFRESH AFTER CHANGES\nAS ${t('catalog.materialized.createQuery')};`
  return (
    <Button
      variant="primary"
      leftIcon={<IconPlus size={16} aria-hidden />}
      loading={create.isPending}
      disabled={whyNot !== undefined}
      title={whyNot}
      onClick={() =>
        create.mutate({ tabName: t('catalog.materialized.createTab'), sql }, { onSuccess: openTab })
      }
    >
      {t('catalog.materialized.create')}
    </Button>
  )
}
