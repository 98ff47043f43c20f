import '../../i18n/integration.ts'
import { fillGuide, type IntegrationGuide } from '@boathouse/contract/integration-guide'
import type { UserInfo } from '@boathouse/contract/user'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { t } from '../../i18n/texts.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Badge, buttonClassName, EmptyState, Page, PageHeader, Skeleton } from '../../ui/index.ts'
import { ConnectionChoice } from './connection-choice.tsx'
import { ConnectionTest } from './connection-test.tsx'
import { guides } from './guides.ts'
import styles from './integration.module.css'
import { useGuideFacts } from './use-guide-facts.ts'
import { useIamRoles } from './use-iam-roles.ts'

/** Of one guide of many. */
const IamRoles = lazyPart(async () => ({ default: (await import('./iam-roles.tsx')).IamRoles }))

interface Props {
  readonly name: string
  readonly user: UserInfo
  readonly listAddress: string
  readonly onNamed: (title: string) => void
  /** Markdown as it is shown. */
  readonly renderText: (source: string) => ReactNode
}

/** One tool: what is needed, the steps with commands that work here, and a test that somebody came in. */
export function IntegrationGuidePage({ name, user, listAddress, onNamed, renderText }: Props) {
  const guide = guides.find((one) => one.name === name)
  const title = guide?.title
  useEffect(() => {
    if (title) onNamed(title)
  }, [title, onNamed])
  if (!guide)
    return (
      <EmptyState
        page
        title={t('integration.missing')}
        actions={
          <Link to={listAddress} className={buttonClassName({ variant: 'primary' })}>
            {t('integration.back')}
          </Link>
        }
      >
        <p>{t('integration.missingText')}</p>
      </EmptyState>
    )
  return (
    <Page>
      <PageHeader
        title={guide.title}
        state={<Badge>{t(`integration.tabs.${guide.tab}`)}</Badge>}
        facts={[guide.summary]}
      />
      <GuideBody guide={guide} user={user} renderText={renderText} />
    </Page>
  )
}

interface BodyProps extends Pick<Props, 'user' | 'renderText'> {
  readonly guide: IntegrationGuide
}

/** Pages of the guide of the product are beside these files in the repository, and have their own address here. */
const withOwnLinks = (text: string): string => text.replaceAll('](../guide/', '](')

function GuideBody({ guide, user, renderText }: BodyProps) {
  const { endpoints, facts, chosen, hasPrivate, choose } = useGuideFacts(guide, user)
  const isOfRoles = guide.name === 'aws-iam-role'
  const roles = useIamRoles(isOfRoles && user.activeRoles.includes('account_admin'))
  const awsPrincipal = roles?.principal ?? undefined
  if (!facts || !endpoints) return <Skeleton height={480} />
  const absence = guide.door === 'mysql' ? endpoints.query.absence : null
  return (
    <div className={styles['guide']}>
      <div className={styles['text']}>
        {absence && (
          <p role="status" className={styles['warning']}>
            {t(`integration.absent.${absence}`)}
          </p>
        )}
        {guide.door && (
          <ConnectionChoice guide={guide} chosen={chosen} hasPrivate={hasPrivate} onChoose={choose} />
        )}
        {renderText(
          fillGuide(withOwnLinks(guide.text), { ...facts, awsPrincipal, awsExternalId: roles?.externalId }),
        )}
        {isOfRoles && (
          <Suspense fallback={<Skeleton height={240} />}>
            <IamRoles known={roles} user={user} />
          </Suspense>
        )}
      </div>
      {guide.door && (
        <aside className={styles['side']}>
          <ConnectionTest door={guide.door} />
        </aside>
      )}
    </div>
  )
}
