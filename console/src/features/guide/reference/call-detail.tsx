import { Link } from '@tanstack/react-router'
import { Fragment, useEffect, useMemo, useState } from 'react'
import { session } from '../../../lib/session.ts'
import { t } from '../../../i18n/texts.ts'
import { Badge, CodeBlock, Segmented } from '../../../ui/index.ts'
import type { Failure, Reference, ReferenceCall } from './document.ts'
import { curlExample, exampleOf, typescriptExample } from './examples.ts'
import { type FieldRow, fieldRows } from './fields.ts'
import styles from './reference.module.css'
import type { Schema, Schemas } from './schema.ts'
import { TryCall } from './try-call.tsx'

interface Props {
  readonly call: ReferenceCall
  readonly reference: Reference
  /** Of the reference. */
  readonly address: string
}

/** One call: what it does, who may, its fields and errors, examples, and a way to try it. */
export function CallDetail({ call, reference, address }: Props) {
  const { schemas, calls } = reference
  const example = useMemo(() => {
    const known = { accountId: session.get().account ?? 'ABC12345' }
    return call.input ? exampleOf(call.input, schemas, { known }) : {}
  }, [call, schemas])
  // Another call is another page, though the address differs in its last part alone.
  useEffect(() => document.querySelector('main')?.scrollTo({ top: 0 }), [])
  const at = calls.indexOf(call)
  return (
    <>
      <p>
        <Link to={address}>{t('reference.all')}</Link>
      </p>
      <header className={styles['head']}>
        <h1>
          <span className={styles['method']}>{call.method}</span> <code>{call.path}</code>
        </h1>
        <p className={styles['summary']}>{call.summary}.</p>
        {call.description && <p>{call.description}</p>}
        <p>
          <Badge tone={call.changes ? 'warn' : 'neutral'}>
            {call.changes ? t('reference.changes') : t('reference.reads')}
          </Badge>
        </p>
      </header>
      <h2>{t('reference.needs.title')}</h2>
      <Needs call={call} />
      <h2>{t('reference.input')}</h2>
      <Fields
        schema={call.input ?? {}}
        schemas={schemas}
        none={t('reference.noInput')}
        label={t('reference.input')}
        isSent
      />
      <h2>{t('reference.output')}</h2>
      <p>{t('reference.outputLead', { data: 'data', code: 'code', message: 'message' })}</p>
      <Fields
        schema={call.output}
        schemas={schemas}
        none={t('reference.noOutput')}
        label={t('reference.output')}
      />
      <h2>{t('reference.examples')}</h2>
      <Examples call={call} example={example} />
      <TryCall key={call.id} call={call} schemas={schemas} example={example} />
      <h2>{t('reference.errors')}</h2>
      <p>{t('reference.errorsLead', { code: 'code' })}</p>
      <Failures failures={call.failures} />
      <nav className={styles['neighbours']} aria-label={t('reference.neighbours')}>
        <Neighbour call={calls[at - 1]} kind="previous" address={address} />
        <Neighbour call={calls[at + 1]} kind="next" address={address} />
      </nav>
    </>
  )
}

function Needs({ call: { needs, refusesKeys, timeoutMs } }: { call: ReferenceCall }) {
  const who =
    typeof needs === 'string'
      ? t(`reference.needs.${needs}`)
      : t('reference.needs.roles', { roles: needs.roles.join(', ') })
  return (
    <p>
      {who} {needs !== 'nothing' && (refusesKeys ? t('reference.needs.noKey') : t('reference.needs.key'))}{' '}
      {timeoutMs > 60_000 && t('reference.needs.timeout', { seconds: timeoutMs / 1000 })}
    </p>
  )
}

interface FieldsProps {
  readonly schema: Schema
  readonly schemas: Schemas
  readonly none: string
  readonly label: string
  /** Fields of the body. */
  readonly isSent?: boolean
}

function Fields({ schema, schemas, none, label, isSent = false }: FieldsProps) {
  const rows = useMemo(() => fieldRows(schema, schemas), [schema, schemas])
  if (rows.length === 0) return <p>{none}</p>
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{t('reference.field')}</th>
          <th scope="col">{t('reference.type')}</th>
          <th scope="col">{t('reference.about')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <OneField key={row.name} row={row} isSent={isSent} />
        ))}
      </tbody>
    </table>
  )
}

/** A long path breaks behind its points. */
const broken = (name: string) =>
  name.split('.').map((part, at) => (
    <Fragment key={`${at} ${part}`}>
      {at > 0 && (
        <>
          .<wbr />
        </>
      )}
      {part}
    </Fragment>
  ))

/** What must be sent is marked, and what may be missing in an answer. */
const OneField = ({ row, isSent }: { row: FieldRow; isSent: boolean }) => (
  <tr>
    <td>
      <code>{broken(row.name)}</code>
      {row.isRequired === isSent && (
        <span className={styles['mark']} data-required={isSent || undefined}>
          {isSent ? t('reference.required') : t('reference.optional')}
        </span>
      )}
    </td>
    <td>
      <code>{row.type}</code>
    </td>
    <td>
      {row.description && <p>{row.description}</p>}
      {row.rules.length > 0 && <p className={styles['rules']}>{row.rules.join(', ')}</p>}
    </td>
  </tr>
)

const Failures = ({ failures }: { failures: readonly Failure[] }) => (
  <table aria-label={t('reference.errors')}>
    <thead>
      <tr>
        <th scope="col">{t('reference.code')}</th>
        <th scope="col">{t('reference.name')}</th>
        <th scope="col">{t('reference.status')}</th>
      </tr>
    </thead>
    <tbody>
      {failures.map(({ code, name, status }) => (
        <tr key={code}>
          <td>{code}</td>
          <td>
            <code>{name}</code>
          </td>
          <td>{status}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
] as const

type Language = (typeof LANGUAGES)[number]['value']

function Examples({ call, example }: { call: ReferenceCall; example: unknown }) {
  const [language, setLanguage] = useState<Language>('curl')
  const host = window.location.origin
  const write = language === 'curl' ? curlExample : typescriptExample
  return (
    <>
      <div>
        <Segmented
          label={t('reference.exampleIn')}
          value={language}
          segments={LANGUAGES}
          onChange={setLanguage}
        />
      </div>
      <CodeBlock code={write(call, host, example)} label={t('reference.examples')} />
    </>
  )
}

interface NeighbourProps {
  readonly call: ReferenceCall | undefined
  readonly kind: 'previous' | 'next'
  readonly address: string
}

const Neighbour = ({ call, kind, address }: NeighbourProps) =>
  call ? (
    <Link to={address} hash={call.id}>
      {t(`reference.${kind}`, { path: call.path })}
    </Link>
  ) : (
    <span />
  )
