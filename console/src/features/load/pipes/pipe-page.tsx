import '../../../i18n/pipe.ts'
import '../../../i18n/load.ts'
import { type Pipe, pipe } from '@boathouse/contract/pipe'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { formatBytes, formatCount, formatDateTime, formatSeconds } from '../../../lib/format.ts'
import {
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '../../../ui/icons.ts'
import {
  Button,
  CodeBlock,
  ConfirmDialog,
  DetailPage,
  ErrorState,
  IconButton,
  Menu,
  notify,
  Page,
  PageHeader,
  Properties,
  Refusal,
  SideSection,
  Skeleton,
  StatCard,
  StatCards,
} from '../../../ui/index.ts'
import { ChangePipe } from './change-pipe.tsx'
import { PipeFiles } from './pipe-files.tsx'
import { PipeStateDot } from './pipe-state.tsx'
import { SHOWN_OF_PIPES, useLivePipes } from './use-live-pipes.ts'

interface Props {
  readonly catalog: string
  readonly database: string
  readonly name: string
  readonly statementPath: (queryId: string) => string
  readonly onDropped: () => void
}

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** One pipe: how far it is, its files, and what can be done about them. */
export function PipePage({ catalog, database, name, statementPath, onDropped }: Props) {
  useLivePipes()
  const { data, error, refetch } = useCall(
    pipe.findPipe,
    { catalog, databaseName: database, name },
    { silent: true },
  )
  if (error && !data)
    return (
      <Page>
        <ErrorState page title={t('pipe.missing')} what={error.message} onRetry={() => void refetch()} />
      </Page>
    )
  if (!data)
    return (
      <Page>
        <Skeleton width={240} height={28} />
        <Skeleton height={88} />
        <Skeleton height={240} />
      </Page>
    )
  return (
    <DetailPage sideLabel={t('pipe.details')} side={<PipeDetails of={data} />}>
      <Header of={data} onDropped={onDropped} />
      <Refusal text={troubleOf(data)} />
      <Figures of={data} />
      <PipeFiles of={data} statementPath={statementPath} />
    </DetailPage>
  )
}

/** What is wrong with one file is said beside it. */
function troubleOf({ reason, lastError, state, files }: Pipe): string | undefined {
  if (state === 'suspended' && reason !== '') return t('pipe.suspendedBecause', { reason })
  return lastError === '' || files.failed > 0 ? undefined : lastError
}

function Figures({ of: { files, rowsLoaded, bytesLoaded, lagSeconds } }: { of: Pipe }) {
  return (
    <StatCards>
      <StatCard
        label={t('pipe.figures.waiting')}
        value={formatCount(files.waiting + files.loading)}
        note={t('pipe.figures.waitingNote', { loading: formatCount(files.loading) })}
      />
      <StatCard
        label={t('pipe.figures.loaded')}
        value={formatCount(files.loaded)}
        note={t('pipe.figures.loadedNote', {
          rows: formatCount(rowsLoaded),
          bytes: formatBytes(bytesLoaded),
        })}
      />
      <StatCard
        label={t('pipe.figures.failed')}
        value={formatCount(files.failed)}
        note={t('pipe.figures.failedNote', { skipped: formatCount(files.skipped) })}
      />
      <StatCard
        label={t('pipe.figures.lag')}
        value={lagSeconds === null ? t('pipe.none') : formatSeconds(lagSeconds)}
        note={lagSeconds === null ? t('pipe.figures.noLag') : t('pipe.figures.lagNote')}
      />
    </StatCards>
  )
}

const time = (at: string | null) => (at === null ? t('pipe.never') : formatDateTime(at))

function PipeDetails({ of }: { of: Pipe }) {
  return (
    <>
      <SideSection title={t('pipe.details')}>
        <Properties
          items={[
            [t('pipe.source'), <code key="source">{of.path}</code>],
            [t('pipe.format'), of.format.toUpperCase()],
            [t('pipe.table'), <code key="table">{of.tableName}</code>],
            [t('pipe.by'), of.user],
            [t('pipe.listed'), time(of.listedAt)],
            [t('pipe.lastLoaded'), time(of.lastLoadedAt)],
            [t('pipe.created'), time(of.createdAt)],
          ]}
        />
      </SideSection>
      <SideSection title={t('pipe.settings')}>
        <Properties
          items={Object.entries(of.properties)
            .filter(([, value]) => value !== '')
            .map(([key, value]) => [key, <code key={key}>{value}</code>] as const)}
        />
      </SideSection>
      <SideSection title={t('pipe.statement')}>
        <CodeBlock label={t('pipe.statement')} code={of.statement} />
      </SideSection>
    </>
  )
}

type OpenDialog = 'change' | 'drop' | null

function Header({ of, onDropped }: { readonly of: Pipe } & Pick<Props, 'onDropped'>) {
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const options = { refreshes: SHOWN_OF_PIPES }
  const suspend = useAction(pipe.suspendPipe, options)
  const resume = useAction(pipe.resumePipe, options)
  const retry = useAction(pipe.retryPipeFiles, options)
  const drop = useAction(pipe.dropPipe, { refreshes: [pipe.listPipes] })
  const { pipeId, name, actions } = of
  const close = () => setDialog(null)
  const retryAll = async () => {
    const { retried: count } = await retry.mutateAsync({ pipeId })
    notify({ tone: 'ok', message: t('pipe.retried', { count }) })
  }
  const label = t('pipe.actionsOf', { name })
  return (
    <PageHeader
      title={name}
      state={<PipeStateDot state={of.state} />}
      facts={[t('pipe.into', { table: of.tableName }), t('pipe.owner', { user: of.user })]}
      actions={
        <>
          {actions.includes('retry') && (
            <Button
              leftIcon={<IconRefresh {...ICON} />}
              loading={retry.isPending}
              onClick={() => void retryAll().catch(() => undefined)}
            >
              {t('pipe.retryAll')}
            </Button>
          )}
          {actions.includes('resume') && (
            <Button
              variant="primary"
              leftIcon={<IconPlayerPlay {...ICON} />}
              loading={resume.isPending}
              onClick={() => resume.mutate({ pipeId })}
            >
              {t('pipe.resume')}
            </Button>
          )}
          {actions.includes('suspend') && (
            <Button
              leftIcon={<IconPlayerPause {...ICON} />}
              loading={suspend.isPending}
              onClick={() => suspend.mutate({ pipeId })}
            >
              {t('pipe.suspend')}
            </Button>
          )}
          <Menu
            label={label}
            width={200}
            entries={[
              {
                label: t('pipe.change'),
                icon: <IconPencil {...ICON} />,
                onSelect: () => setDialog('change'),
              },
              {
                label: t('pipe.drop'),
                icon: <IconTrash {...ICON} />,
                danger: true,
                onSelect: () => setDialog('drop'),
              },
            ]}
            trigger={
              <IconButton label={label}>
                <IconDots size={16} aria-hidden />
              </IconButton>
            }
          />
          {dialog === 'change' && <ChangePipe of={of} onClose={close} />}
          <ConfirmDialog
            open={dialog === 'drop'}
            danger
            title={t('pipe.dropTitle', { name })}
            confirmLabel={t('pipe.drop')}
            onClose={close}
            onConfirm={async () => {
              await drop.mutateAsync({ pipeId })
              onDropped()
            }}
          >
            <p>{t('pipe.dropText')}</p>
          </ConfirmDialog>
        </>
      }
    />
  )
}
