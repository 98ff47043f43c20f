import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { isCallError, useAction } from '../../lib/api.ts'
import { IconAlertCircle, IconCircleCheck } from '../../ui/icons.ts'
import { useInView } from '../../ui/index.ts'
import styles from './catalog.module.css'

type Draft = Parameters<ReturnType<typeof useAction<typeof schema.testCatalog>>['mutateAsync']>[0]

interface TestResult {
  readonly isRead: boolean
  readonly text: string
  readonly problems: readonly string[]
}

/** Tries out what was entered, before it is saved. */
export function useConnectionTest() {
  const test = useAction(schema.testCatalog, { silent: true })
  const [result, setResult] = useState<TestResult | null>(null)
  return {
    result,
    isTesting: test.isPending,
    forget: () => setResult(null),
    async run(draft: Draft): Promise<void> {
      setResult(null)
      try {
        const { databases, tables, problems } = await test.mutateAsync(draft)
        const found = {
          databases: t('catalog.databases', { count: databases }),
          tables: t('catalog.createCatalog.tables', { count: tables }),
        }
        setResult({ isRead: true, text: t('catalog.createCatalog.found', found), problems })
      } catch (error) {
        if (!isCallError(error)) throw error
        setResult({ isRead: false, text: error.message, problems: [] })
      }
    },
  }
}

export function ConnectionResult({ result }: { result: TestResult | null }) {
  const shown = useInView<HTMLDivElement>(result)
  const Icon = result?.isRead ? IconCircleCheck : IconAlertCircle
  return (
    <div role="status" ref={shown}>
      {result && (
        <div className={styles[result.isRead ? 'read' : 'unread']}>
          <Icon size={16} aria-hidden />
          <div>
            <p>{result.text}</p>
            {result.problems.length > 0 && (
              <ul className={styles['problems']}>
                {result.problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            )}
          </div>
        </div>
      )}
    </div>
  )
}
