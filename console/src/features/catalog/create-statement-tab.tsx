import { schema } from '@boathouse/contract/schema'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { prettyDdl } from '../../statement/pretty-ddl.ts'
import { SqlBlock } from '../../statement/sql-block.tsx'
import { Skeleton } from '../../ui/index.ts'
import { FetchFailed } from './fetch-failed.tsx'
import { inputOf, type ThisObject } from './this-object.ts'

export function CreateStatementTab({ of }: { of: ThisObject }) {
  const { data, error, refetch } = useCall(schema.showCreateTable, inputOf(of), { silent: true })
  const label = t('catalog.detail.createStatement')
  if (error) return <FetchFailed error={error} what={label} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  return <SqlBlock label={label} sql={prettyDdl(data.createStatement)} />
}
