import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useKept } from '../../lib/kept.ts'
import { IconPlugConnected } from '../../ui/icons.ts'
import { CodeBlock, EmptyState, Panel, Segmented, Select, Skeleton } from '../../ui/index.ts'
import type { AccountDetails } from './account-panel.tsx'
import { type Client, CLIENTS, isClient, LINES } from './endpoint-snippets.ts'
import styles from './home.module.css'

interface Props {
  readonly details: AccountDetails | undefined
  readonly user: string
  readonly guideAddress: string
}

/** Only what works here is offered for copying. */
export function EndpointPanel({ details, user, guideAddress }: Props) {
  const absence = details?.queryEndpoint.absence
  return (
    <Panel title={t('home.endpoint')}>
      {!details && <Skeleton height={252} />}
      {absence && (
        <EmptyState
          icon={<IconPlugConnected size={22} stroke={1.5} aria-hidden />}
          title={t(`home.endpointAbsent.${absence}`)}
        >
          <p>{t(`home.endpointAbsentText.${absence}`)}</p>
        </EmptyState>
      )}
      {details?.queryEndpoint.listening && (
        <WayToConnect
          endpoint={details.queryEndpoint}
          user={`${details.accountId}.${user}`}
          guideAddress={guideAddress}
        />
      )}
    </Panel>
  )
}

const TEXTS = {
  mysql: 'asks',
  mariadb: 'asks',
  jdbc: 'jdbc',
  python: 'environment',
  node: 'environment',
  go: 'environment',
  php: 'environment',
  odbc: 'odbc',
  others: 'others',
} as const satisfies Readonly<Record<Client, string>>

const NETWORKS = ['public', 'private'] as const
type Network = (typeof NETWORKS)[number]

interface WayProps {
  readonly endpoint: AccountDetails['queryEndpoint']
  readonly user: string
  readonly guideAddress: string
}

function WayToConnect({ endpoint, user, guideAddress }: WayProps) {
  const [client, setClient] = useKept<Client>('home.client', 'mysql', isClient)
  const [network, setNetwork] = useState<Network>('public')
  const { requiresTls, ownCertificate, privateEndpoints, privateAddress } = endpoint
  const isPrivate = network === 'private' && privateAddress !== null
  // It listens on every address of its machine, and this page came from one of them.
  const open = { host: endpoint.host || window.location.hostname, port: endpoint.port }
  const line = LINES[client]({ ...(isPrivate ? privateAddress : open), user, ownCertificate })
  return (
    <div className={styles['way']}>
      <p>{t('home.endpointText', { user })}</p>
      {privateAddress && (
        <div>
          <Segmented
            label={t('home.network')}
            value={network}
            segments={NETWORKS.map((value) => ({ value, label: t(`home.networks.${value}`) }))}
            onChange={setNetwork}
          />
        </div>
      )}
      <Select
        label={t('home.client')}
        options={CLIENTS.map((value) => ({ value, label: t(`home.clients.${value}`) }))}
        value={client}
        onChange={(value) => isClient(value) && setClient(value)}
      />
      <div className={styles['line']}>
        <CodeBlock code={line} label={t(`home.clients.${client}`)} />
      </div>
      <p>
        {t(`home.clientText.${TEXTS[client]}`)} {requiresTls && t('home.tls.required')}{' '}
        {t(ownCertificate ? 'home.tls.own' : 'home.tls.checked')}
      </p>
      {privateEndpoints.length > 0 && !isPrivate && (
        <p>
          {t(privateAddress ? 'home.privateLinkOther' : 'home.privateLink', {
            endpoints: privateEndpoints.join(', '),
          })}
        </p>
      )}
      {isPrivate && <p>{t('home.privateLinkHere', { endpoints: privateEndpoints.join(', ') })}</p>}
      <p>
        <Link to={guideAddress}>{t('home.moreOnClients')}</Link>
      </p>
    </div>
  )
}
