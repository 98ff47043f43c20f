import { lineage, type LineageLink } from '@boathouse/contract/lineage'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatRelative } from '../../lib/format.ts'
import { Badge, Refusal, Skeleton, Stack } from '../../ui/index.ts'
import { FetchFailed } from './fetch-failed.tsx'
import styles from './lineage.module.css'
import { NameLink } from './name-link.tsx'
import { type Places, usePlaces } from './places.ts'
import { inputOf, type ThisObject, typeName } from './this-object.ts'

/** What a table is made of, and what is made of it: from left to right, each a link. */
export function LineageTab({ of }: { of: ThisObject }) {
  const { data, error, refetch, dataUpdatedAt: now } = useCall(lineage.graph, inputOf(of), { silent: true })
  if (error)
    return <FetchFailed error={error} what={t('catalog.lineage.title')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={200} />
  return (
    <Stack>
      <Refusal text={data.broken ? t('catalog.detail.broken', { message: data.broken }) : undefined} />
      <div className={styles['graph']}>
        <Side
          title={t('catalog.lineage.from')}
          none={t('catalog.lineage.fromNothing')}
          count={data.from.length}
        >
          {data.from.map((link) => (
            <Node key={keyOf(link)} of={link} catalog={of.catalog} now={now} />
          ))}
        </Side>
        <div className={styles['centre']}>
          <div className={styles['this']} aria-current="page">
            <strong>{of.name}</strong>
            <Badge>{typeName(of.type)}</Badge>
          </div>
        </div>
        <Side title={t('catalog.lineage.to')} none={t('catalog.lineage.toNothing')} count={data.to.length}>
          {data.to.map((link) => (
            <Node key={keyOf(link)} of={link} catalog={of.catalog} now={now} />
          ))}
        </Side>
      </div>
      {data.hidden > 0 && <p className={styles['note']}>{t('catalog.hidden', { count: data.hidden })}</p>}
      <p className={styles['note']}>{t('catalog.lineage.note')}</p>
    </Stack>
  )
}

const keyOf = ({ kind, catalog, database, name, id }: LineageLink): string =>
  [kind, catalog, database, name, id].join('\n')

interface SideProps {
  readonly title: string
  readonly none: string
  readonly count: number
  readonly children: ReactNode
}

function Side({ title, none, count, children }: SideProps) {
  return (
    <section className={styles['side']} aria-label={title}>
      <h3 className={styles['heading']}>{title}</h3>
      {count === 0 ? (
        <p className={styles['note']}>{none}</p>
      ) : (
        <ul className={styles['nodes']}>{children}</ul>
      )}
    </section>
  )
}

const kindName = (kind: LineageLink['kind']): string =>
  kind === 'load' || kind === 'pipe' || kind === 'query' ? t(`catalog.lineage.kinds.${kind}`) : typeName(kind)

/** Empty: it has no page that this one knows. */
function addressOf(
  link: LineageLink,
  { objectOf, pipeOf, queryOf, statementOf }: Places,
  catalog: string,
): string {
  const { kind, database, name, id, through } = link
  if (kind === 'query') return queryOf({ tabId: id, tabName: name })
  if (kind === 'load') return through?.queryId ? statementOf(through.queryId) : ''
  if (link.catalog !== catalog) return ''
  return kind === 'pipe' ? pipeOf({ database, pipe: name }) : objectOf({ type: kind, database, name })
}

function Node({ of: link, catalog, now }: { of: LineageLink; catalog: string; now: number }) {
  const places = usePlaces()
  const { kind, database, name, through } = link
  const path = database === '' ? name : `${database}.${name}`
  const shown = link.catalog === '' || link.catalog === catalog ? path : `${link.catalog}.${path}`
  const address = addressOf(link, places, catalog)
  return (
    <li className={styles['node']}>
      <span className={styles['name']} title={shown}>
        {address ? <NameLink name={shown} address={address} /> : shown}
      </span>
      <Badge>{kindName(kind)}</Badge>
      {through && (
        <span className={styles['through']}>
          {through.queryId && kind !== 'load' ? (
            <NameLink name={t('catalog.lineage.through')} address={places.statementOf(through.queryId)} />
          ) : null}
          {t('catalog.lineage.by', { user: through.user, when: formatRelative(through.at, now) })}
        </span>
      )}
    </li>
  )
}
