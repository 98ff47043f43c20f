import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { CodeBlock, EmptyState, Panel, Skeleton, Tabs } from '../../ui/index.ts'
import { IconPlugConnected } from '../../ui/icons.ts'
import type { AccountDetails } from './account-panel.tsx'
import { jdbcAddress, mysqlCommand, plainValues } from './endpoint-snippets.ts'
import type { EndpointFacts } from './endpoint-snippets.ts'
import styles from './home.module.css'

/** Only what works here is offered for copying. */
export function EndpointPanel({ details, user }: { details: AccountDetails | undefined; user: string }) {
  return (
    <Panel title={t('home.endpoint')}>
      {!details && <Skeleton height={84} />}
      {details && !details.queryEndpoint.listening && (
        <EmptyState
          icon={<IconPlugConnected size={22} stroke={1.5} aria-hidden />}
          title={t('home.endpointAbsent')}
        >
          <p>{t('home.endpointAbsentText')}</p>
        </EmptyState>
      )}
      {details?.queryEndpoint.listening && (
        <WaysToConnect facts={{ ...details.queryEndpoint, accountId: details.accountId, user }} />
      )}
    </Panel>
  )
}

function WaysToConnect({ facts }: { facts: EndpointFacts }) {
  const [way, setWay] = useState('mysql')
  const ways = [
    { value: 'mysql', label: t('home.mysql'), text: t('home.mysqlText'), code: mysqlCommand(facts) },
    { value: 'jdbc', label: t('home.jdbc'), text: t('home.jdbcText'), code: jdbcAddress(facts) },
    { value: 'others', label: t('home.others'), text: t('home.othersText'), code: plainValues(facts) },
  ]
  const items = ways.map(({ value, label, text, code }) => ({
    value,
    label,
    content: (
      <div className={styles['way']}>
        <p>{text}</p>
        <CodeBlock code={code} label={label} />
      </div>
    ),
  }))
  return <Tabs label={t('home.endpointTabs')} value={way} onChange={setWay} items={items} />
}
