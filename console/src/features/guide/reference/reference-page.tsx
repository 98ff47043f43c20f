import '../../../i18n/reference.ts'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useCallback, useDeferredValue, useEffect, useState } from 'react'
import { openApiDescription } from '../../../lib/raw-call.ts'
import { t } from '../../../i18n/texts.ts'
import { EmptyState, ErrorState, Skeleton, TextField } from '../../../ui/index.ts'
import { CallDetail } from './call-detail.tsx'
import { type OpenApi, readDocument, type Reference, type ReferenceGroup, searchCalls } from './document.ts'
import styles from './reference.module.css'

interface Props {
  /** As in `warehouse/list`; empty: the list of all. */
  readonly call: string
  /** Of this page. */
  readonly address: string
  readonly onNamed: (title: string) => void
}

/** Loaded once for as long as the page of the browser lives: it is that of the running server. */
let loaded: Reference | undefined

const load = async (): Promise<Reference> =>
  (loaded ??= readDocument((await openApiDescription()) as OpenApi))

function useReference() {
  const [reference, setReference] = useState(loaded)
  const [problem, setProblem] = useState<string>()
  const show = useCallback(() => {
    load().then(setReference, (error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    )
  }, [])
  useEffect(show, [show])
  const retry = () => {
    setProblem(undefined)
    show()
  }
  return { reference, problem, retry }
}

/** Every call of the server, made from its own description. */
export function ReferencePage({ call: id, address, onNamed }: Props) {
  const { reference, problem, retry } = useReference()
  const call = reference?.calls.find((one) => one.id === id)
  const title = call ? call.path : t('reference.title')
  useEffect(() => onNamed(title), [title, onNamed])
  if (problem !== undefined)
    return <ErrorState page title={t('reference.failed')} what={problem} onRetry={retry} />
  if (!reference) return <Loading />
  if (call) return <CallDetail key={call.id} call={call} reference={reference} address={address} />
  if (id !== '')
    return (
      <EmptyState
        page
        title={t('reference.unknown.title')}
        actions={<Link to={address}>{t('reference.all')}</Link>}
      >
        <p>{t('reference.unknown.text', { id })}</p>
      </EmptyState>
    )
  return <CallList reference={reference} address={address} />
}

const Loading = () => (
  <div role="status" aria-label={t('reference.loading')} className={styles['loading']}>
    <Skeleton width={240} height={24} />
    <Skeleton />
    <Skeleton />
    <Skeleton width="60%" />
  </div>
)

/** Up and down go from call to call, as in any list; from the search, down goes to the first. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a[data-call]')]
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function CallList({ reference, address }: { reference: Reference; address: string }) {
  const [search, setSearch] = useState('')
  const groups = searchCalls(reference.groups, useDeferredValue(search))
  const count = groups.reduce((sum, { calls }) => sum + calls.length, 0)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles['list']} onKeyDown={moveFocus}>
      <h1>{t('reference.title')}</h1>
      <p>
        {t('reference.lead')}{' '}
        <a href="/api/openapi.json" target="_blank" rel="noreferrer">
          {t('reference.description')}
        </a>
      </p>
      <TextField
        type="search"
        label={t('reference.search')}
        placeholder={t('reference.search')}
        hideLabel
        maxLength={100}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <p role="status" className={styles['count']}>
        {t('reference.count', { count })}
      </p>
      {groups.map((group) => (
        <Group key={group.name} group={group} address={address} />
      ))}
      {count === 0 && (
        <EmptyState title={t('reference.none.title')}>
          <p>{t('reference.none.text')}</p>
        </EmptyState>
      )}
    </div>
  )
}

const Group = ({ group, address }: { group: ReferenceGroup; address: string }) => (
  <section aria-labelledby={`group-${group.name}`} className={styles['group']}>
    <h2 id={`group-${group.name}`}>{group.name}</h2>
    {group.description && <p>{group.description}</p>}
    <ul>
      {group.calls.map((call) => (
        <li key={call.id}>
          <Link to={address} hash={call.id} activeOptions={{ includeHash: true }} data-call>
            <code>{call.path}</code>
            <span>{call.summary}</span>
          </Link>
        </li>
      ))}
    </ul>
  </section>
)
