import '../../i18n/as-code.ts'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatDateTime } from '../../lib/format.ts'
import { type Change, useRecentChanges } from '../../lib/recent-changes.ts'
import { SqlBlock } from '../../statement/sql-block.tsx'
import { IconCode } from '../../ui/icons.ts'
import { CodeBlock, Drawer, EmptyState, Segmented } from '../../ui/index.ts'
import styles from './as-code.module.css'
import { httpCall } from './http-call.ts'
import { statementOf } from './statement-of.ts'

type Form = 'sql' | 'http'

/** Every click as SQL and as an HTTP call. */
export function AsCodeDrawer({ onClose }: { onClose: () => void }) {
  const changes = useRecentChanges()
  const [form, setForm] = useState<Form>('sql')
  return (
    <Drawer title={t('asCode.title')} onClose={onClose}>
      {changes.length === 0 ? (
        <EmptyState icon={<IconCode size={22} stroke={1.5} aria-hidden />} title={t('asCode.nothing')}>
          <p>{t('asCode.nothingText')}</p>
        </EmptyState>
      ) : (
        <>
          <Segmented
            label={t('asCode.form')}
            value={form}
            segments={[
              { value: 'sql', label: t('asCode.sql') },
              { value: 'http', label: t('asCode.http') },
            ]}
            onChange={setForm}
          />
          <ol className={styles['changes']}>
            {changes.map((change) => (
              <li key={change.id}>
                <p className={styles['what']}>
                  {change.summary}{' '}
                  <time className={styles['when']}>{formatDateTime(new Date(change.at).toISOString())}</time>
                </p>
                <AsCode change={change} form={form} />
              </li>
            ))}
          </ol>
          <p className={styles['note']}>{t('asCode.secrets')}</p>
        </>
      )}
    </Drawer>
  )
}

function AsCode({ change, form }: { change: Change; form: Form }) {
  const statement = statementOf(change)
  if (form === 'http')
    return <CodeBlock code={httpCall(change)} label={t('asCode.httpOf', { what: change.summary })} />
  if (statement === null) return <p className={styles['note']}>{t('asCode.noStatement')}</p>
  return <SqlBlock sql={statement} label={t('asCode.sqlOf', { what: change.summary })} />
}
