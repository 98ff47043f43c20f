import { schema } from '@boathouse/contract/schema'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { prettyDdl } from '../../statement/pretty-ddl.ts'
import { SqlBlock } from '../../statement/sql-block.tsx'
import { Dialog, Skeleton } from '../../ui/index.ts'
import { FetchFailed } from './fetch-failed.tsx'

/** With its secrets masked. */
export function CatalogStatement({ name, onClose }: { name: string; onClose: () => void }) {
  const { data, error, refetch } = useCall(schema.showCreateCatalog, { catalog: name }, { silent: true })
  const label = t('catalog.detail.createStatement')
  return (
    <Dialog open onClose={onClose} title={t('catalog.statementOf', { name })} width={600}>
      {error && <FetchFailed error={error} what={label} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={120} />}
      {data && <SqlBlock label={label} sql={prettyDdl(data.createStatement)} />}
    </Dialog>
  )
}
