import { schema } from '@boathouse/contract/schema'
import type { ObjectRef } from '@boathouse/contract/schema-objects'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Badge, Panel, Refusal, Skeleton, Stack } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { FetchFailed } from './fetch-failed.tsx'
import { NameLink } from './name-link.tsx'
import { usePlaces } from './places.ts'
import { inputOf, type ThisObject, typeName } from './this-object.ts'

/** What it reads, and what reads it, as the engine binds it. */
export function DependenciesTab({ of }: { of: ThisObject }) {
  const { data, error, refetch } = useCall(schema.dependencies, inputOf(of), { silent: true })
  if (error)
    return (
      <FetchFailed error={error} what={t('catalog.detail.dependencies')} onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton height={160} />
  return (
    <Stack>
      <Refusal text={data.broken ? t('catalog.detail.broken', { message: data.broken }) : undefined} />
      <References title={t('catalog.detail.uses')} refs={data.uses} none={t('catalog.detail.usesNothing')} />
      <References title={t('catalog.detail.usedBy')} refs={data.usedBy} none={t('catalog.detail.unused')} />
      {data.hidden > 0 && <p className={styles['note']}>{t('catalog.hidden', { count: data.hidden })}</p>}
    </Stack>
  )
}

interface ReferencesProps {
  readonly title: string
  readonly refs: readonly ObjectRef[]
  readonly none: string
}

function References({ title, refs, none }: ReferencesProps) {
  const { objectOf } = usePlaces()
  return (
    <Panel title={title}>
      {refs.length === 0 ? (
        <p className={styles['note']}>{none}</p>
      ) : (
        <ul className={styles['refs']}>
          {refs.map((ref) => (
            <li key={`${ref.type} ${ref.database}.${ref.name}`} className={styles['named']}>
              <NameLink name={`${ref.database}.${ref.name}`} address={objectOf(ref)} />
              <Badge>{typeName(ref.type)}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
