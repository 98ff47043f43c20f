import '../../i18n/integration.ts'
import { GUIDE_TABS, type IntegrationGuide } from '@boathouse/contract/integration-guide'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { IconPlus } from '../../ui/icons.ts'
import { Badge, Button, EmptyState, Page, PageHeader, Tabs, TextField, Toolbar } from '../../ui/index.ts'
import { guides } from './guides.ts'
import styles from './integration.module.css'
import { OwnRequests } from './own-requests.tsx'
import { RequestDialog } from './request-dialog.tsx'

const INTEGRATION_TABS = ['all', ...GUIDE_TABS] as const
type Tab = (typeof INTEGRATION_TABS)[number]

/** The part of the list that is in its address. */
interface Shown {
  readonly tab?: Tab
  readonly search?: string
}

interface Props {
  readonly shown: Shown
  readonly onShow: (shown: Shown) => void
  readonly addressOf: (name: string) => string
}

const isFound = ({ title, summary }: IntegrationGuide, search: string): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${title} ${summary}`.toLowerCase().includes(word))

/** Every tool that has a guide, and a way to request one for another. */
export function IntegrationPage({ shown, onShow, addressOf }: Props) {
  const { tab = 'all', search = '' } = shown
  const [isRequesting, setRequesting] = useState(false)
  const request = () => setRequesting(true)
  const list = (of: Tab) => (
    <GuideCards
      found={guides.filter((guide) => (of === 'all' || guide.tab === of) && isFound(guide, search.trim()))}
      search={search}
      addressOf={addressOf}
      onSearch={(text) =>
        onShow({ ...(tab === 'all' ? {} : { tab }), ...(text === '' ? {} : { search: text }) })
      }
      onRequest={request}
    />
  )
  return (
    <Page>
      <PageHeader
        title={t('integration.title')}
        facts={[t('integration.count', { count: guides.length })]}
        actions={
          <Button leftIcon={<IconPlus size={16} aria-hidden />} onClick={request}>
            {t('integration.request.action')}
          </Button>
        }
      />
      <Tabs
        label={t('integration.tabsLabel')}
        value={tab}
        onChange={(value) => {
          const next = INTEGRATION_TABS.find((one) => one === value) ?? 'all'
          onShow({ ...(next === 'all' ? {} : { tab: next }), ...(search === '' ? {} : { search }) })
        }}
        items={INTEGRATION_TABS.map((value) => ({
          value,
          label: t(`integration.tabs.${value}`),
          content: list(value),
        }))}
      />
      <OwnRequests />
      {isRequesting && <RequestDialog onClose={() => setRequesting(false)} />}
    </Page>
  )
}

interface CardsProps extends Pick<Props, 'addressOf'> {
  readonly found: readonly IntegrationGuide[]
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly onRequest: () => void
}

function GuideCards({ found, search, addressOf, onSearch, onRequest }: CardsProps) {
  return (
    <div className={styles['list']}>
      <Toolbar
        search={
          <TextField
            type="search"
            label={t('integration.search')}
            hideLabel
            placeholder={t('integration.search')}
            maxLength={100}
            value={search}
            onChange={(event) => onSearch(event.target.value)}
          />
        }
      />
      {found.length === 0 ? (
        <EmptyState
          title={t('integration.none', { search })}
          actions={
            <>
              <Button onClick={() => onSearch('')}>{t('integration.clearSearch')}</Button>
              <Button variant="primary" onClick={onRequest}>
                {t('integration.request.action')}
              </Button>
            </>
          }
        >
          <p>{t('integration.noneText')}</p>
        </EmptyState>
      ) : (
        <ul className={styles['cards']}>
          {found.map(({ name, title, tab, summary }) => (
            <li key={name}>
              <Link to={addressOf(name)} className={styles['card']}>
                <span className={styles['mark']} aria-hidden>
                  {title.slice(0, 1)}
                </span>
                <span className={styles['cardTitle']}>{title}</span>
                <Badge>{t(`integration.tabs.${tab}`)}</Badge>
                <span className={styles['cardText']}>{summary}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
