import { lineage, type TableFacts, type TableMeasure } from '@boathouse/contract/lineage'
import type { ObjectDetail } from '@boathouse/contract/schema-objects'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatBytes, formatCount, formatDateTime, formatRelative } from '../../lib/format.ts'
import { ErrorState, Properties, SideSection, Skeleton, Sparkline } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { NameLink } from './name-link.tsx'
import { usePlaces } from './places.ts'
import { inputOf, type ThisObject, typeName } from './this-object.ts'

interface Props {
  readonly of: ThisObject
  readonly found: ObjectDetail
}

/** Whose a table is, how it changed and who uses it. */
export function FactsSide({ of, found }: Props) {
  const { data, error, refetch, dataUpdatedAt } = useCall(lineage.facts, inputOf(of), { silent: true })
  return (
    <>
      <SideSection title={t('catalog.about.title')}>
        {error && (
          <ErrorState title={t('catalog.about.failed')} what={error.message} onRetry={() => void refetch()} />
        )}
        {!error && !data && <Skeleton height={140} />}
        {data && <Properties items={propertiesOf(of, data, dataUpdatedAt)} />}
        {found.comment && <p>{found.comment}</p>}
      </SideSection>
      {data && <Use of={data} />}
      {data && of.type !== 'view' && <Growth measures={data.measures} />}
    </>
  )
}

function moment(at: string | null, now: number): ReactNode {
  if (at === null) return t('catalog.about.notRecorded')
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at, now)}
    </time>
  )
}

const propertiesOf = (of: ThisObject, facts: TableFacts, now: number) =>
  [
    [t('catalog.about.path'), <code key="path">{`${of.database}.${of.name}`}</code>],
    [t('catalog.about.kind'), typeName(of.type)],
    [t('catalog.about.owner'), facts.owner ?? t('catalog.about.notRecorded')],
    [t('catalog.about.created'), moment(facts.createdAt, now)],
    ...(of.type === 'view'
      ? []
      : [
          [t('catalog.about.changed'), moment(facts.changedAt, now)] as const,
          ...(facts.changedBy === null ? [] : [[t('catalog.about.changedBy'), facts.changedBy] as const]),
        ]),
  ] as const

function Use({ of: { use, together } }: { of: TableFacts }) {
  const { objectOf } = usePlaces()
  return (
    <>
      <SideSection title={t('catalog.about.use')}>
        <Properties
          items={[
            [t('catalog.about.statements'), use.statements.toLocaleString('en')],
            ...(use.ofEveryone ? [[t('catalog.about.users'), use.users.toLocaleString('en')] as const] : []),
            ...(use.ofEveryone && use.mostBy !== null
              ? [[t('catalog.about.mostBy'), use.mostBy] as const]
              : []),
          ]}
        />
        {!use.ofEveryone && <p className={styles['note']}>{t('catalog.about.ownOnly')}</p>}
      </SideSection>
      {together.length > 0 && (
        <SideSection title={t('catalog.about.together')}>
          <ul className={styles['refs']}>
            {together.map((one) => (
              <li key={`${one.database}.${one.name}`} className={styles['beside']}>
                <NameLink name={`${one.database}.${one.name}`} address={objectOf(one)} />
                <span className={styles['note']}>{t('catalog.about.times', { count: one.times })}</span>
              </li>
            ))}
          </ul>
        </SideSection>
      )}
    </>
  )
}

const SHOWN = 8

function Growth({ measures }: { measures: readonly TableMeasure[] }) {
  const last = measures.at(-1)
  return (
    <SideSection title={t('catalog.about.growth')}>
      {!last && <p className={styles['note']}>{t('catalog.about.notMeasured')}</p>}
      {last && (
        <>
          <Properties
            items={[
              [t('catalog.about.rows'), curve(t('catalog.about.rows'), measures, 'rows')],
              [t('catalog.about.size'), curve(t('catalog.about.size'), measures, 'bytes')],
            ]}
          />
          <table className={styles['measures']}>
            <caption className={styles['note']}>{t('catalog.about.measured')}</caption>
            <tbody>
              {measures
                .slice(-SHOWN)
                .toReversed()
                .map(({ at, rows, bytes }) => (
                  <tr key={at}>
                    <th scope="row">{formatDateTime(at)}</th>
                    <td>{rows === null ? t('catalog.none') : formatCount(rows)}</td>
                    <td>{bytes === null ? t('catalog.none') : formatBytes(bytes)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </>
      )}
    </SideSection>
  )
}

/** Beside its latest figure, how it came about. */
function curve(name: string, measures: readonly TableMeasure[], of: 'rows' | 'bytes'): ReactNode {
  const known = measures.map((measure) => measure[of])
  const highest = Math.max(...known.map((value) => value ?? 0), 1)
  const latest = known.findLast((value) => value !== null) ?? null
  const figure =
    latest === null ? t('catalog.none') : of === 'rows' ? formatCount(latest) : formatBytes(latest)
  return (
    <span className={styles['curve']}>
      {figure}
      <Sparkline
        label={t('catalog.about.curve', { name, count: measures.length, figure })}
        values={known.map((value) => (value === null ? null : (100 * value) / highest))}
      />
    </span>
  )
}
