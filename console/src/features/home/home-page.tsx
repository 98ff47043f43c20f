import '../../i18n/home.ts'
import { account as accountCalls } from '@boathouse/contract/account'
import type { Sent } from '@boathouse/contract/call'
import { placeCalls } from '@boathouse/contract/schema-places'
import type { EditorTab } from '@boathouse/contract/editor'
import type { UserInfo } from '@boathouse/contract/user'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { AccountPanel } from './account-panel.tsx'
import { EndpointPanel } from './endpoint-panel.tsx'
import styles from './home.module.css'
import { LearnMore } from './learn-more.tsx'
import { QuickBoxes } from './quick-boxes.tsx'
import { type RecentAddresses, RecentPanels } from './recent-work.tsx'

interface Props {
  readonly user: UserInfo
  /** For colleagues, absolute. */
  readonly signInAddress: string
  readonly editorAddress: string
  readonly guideAddress: (page: string) => string
  readonly recent: RecentAddresses
  readonly onOpenTab: (tab: EditorTab) => void
  readonly onLoad: () => void
  /** Where files are loaded to. */
  readonly loadInto: Sent<typeof placeCalls.actions>
}

/** How soon an endpoint that is starting is looked at again. */
const STARTING_MS = 2_000

export function HomePage(props: Props) {
  const { user, signInAddress, editorAddress, guideAddress, recent, onOpenTab, onLoad, loadInto } = props
  const may = useCall(placeCalls.actions, loadInto, { silent: true }).data
  const { data: details } = useCall(
    accountCalls.details,
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.queryEndpoint.absence === 'starting' ? STARTING_MS : false,
    },
  )
  return (
    <div className={styles['page']}>
      <header>
        <h1 className={styles['title']}>{t('home.greeting', { user: user.user })}</h1>
        <p className={styles['intro']}>
          {t('home.intro', { account: user.accountName, region: user.region })}
        </p>
      </header>
      <QuickBoxes
        signInAddress={signInAddress}
        onOpenTab={onOpenTab}
        onLoad={onLoad}
        whyNotLoad={may?.createTable ?? ''}
      />
      <RecentPanels addresses={recent} />
      <div className={styles['columns']}>
        <AccountPanel details={details} />
        <div className={styles['stack']}>
          <EndpointPanel details={details} user={user.user} guideAddress={guideAddress('mysql-clients')} />
          <LearnMore editorAddress={editorAddress} guideAddress={guideAddress} />
        </div>
      </div>
    </div>
  )
}
