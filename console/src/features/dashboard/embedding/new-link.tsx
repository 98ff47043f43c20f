import { embed as calls, originIn } from '@boathouse/contract/embed'
import { LIMITS } from '@boathouse/contract/limits'
import { type FormEvent, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
import { Button, CodeArea, Refusal, Select, useProblems } from '../../../ui/index.ts'
import styles from './embedding.module.css'

const DAY_MS = 24 * 3_600_000
const DAYS = { week: 7, month: 30, quarter: 90, year: 365, never: null } as const
const AFTER = ['week', 'month', 'quarter', 'year', 'never'] as const
type After = (typeof AFTER)[number]

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

function websitesProblem(text: string): string | undefined {
  const addresses = linesOf(text)
  const wrong = addresses.find((address) => originIn(address) === null)
  if (wrong !== undefined) return t('embed.websiteWrong', { address: wrong })
  const most = LIMITS.embedOrigins
  return addresses.length > most ? t('embed.websitesMany', { most }) : undefined
}

interface Props {
  readonly dashboardId: string
  readonly onMade: (path: string) => void
}

export function NewLink({ dashboardId, onMade }: Props) {
  const [websites, setWebsites] = useState('')
  const [after, setAfter] = useState<After>('quarter')
  const problems = useProblems({ websites: websitesProblem(websites) })
  const create = useAction(calls.create, { refreshes: [calls.list, calls.listAll], silent: true })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!problems.accept()) return
    const days = DAYS[after]
    const expiresAt = days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString()
    const origins = [...new Set(linesOf(websites).flatMap((address) => originIn(address) ?? []))]
    const made = await create.mutateAsync({ dashboardId, origins, expiresAt }).catch(() => null)
    if (made) onMade(made.path)
  }
  return (
    <form className={styles['dialog']} onSubmit={(event) => void submit(event)} noValidate>
      <CodeArea
        {...problems.of('websites')}
        label={t('embed.websites')}
        help={t('embed.websitesHelp')}
        rows={2}
        value={websites}
        onChange={({ target }) => setWebsites(target.value)}
      />
      <Select
        label={t('embed.expires')}
        value={after}
        options={AFTER.map((value) => ({ value, label: t(`embed.after.${value}`) }))}
        onChange={(next) => setAfter(AFTER.find((one) => one === next) ?? 'quarter')}
      />
      <Refusal text={create.error?.message} />
      <div>
        <Button type="submit" variant="primary" loading={create.isPending}>
          {t('embed.create')}
        </Button>
      </div>
    </form>
  )
}
