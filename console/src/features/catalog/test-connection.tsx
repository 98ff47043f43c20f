import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { isCallError, useAction } from '../../lib/api.ts'
import { IconAlertCircle, IconCircleCheck } from '../../ui/icons.ts'
import { useInView } from '../../ui/index.ts'
import styles from './catalog.module.css'

type Draft = Parameters<ReturnType<typeof useAction<typeof schema.testCatalog>>['mutateAsync']>[0]

interface Told {
  readonly isRead: boolean
  readonly text: string
  readonly problems: readonly string[]
}

/** Tries out what was entered, before it is saved. */
export function useConnectionTest() {
  const test = useAction(schema.testCatalog, { silent: true })
  const [told, setTold] = useState<Told | null>(null)
  return {
    told,
    isTesting: test.isPending,
    forget: () => setTold(null),
    async run(draft: Draft): Promise<void> {
      setTold(null)
      try {
        const { databases, tables, problems } = await test.mutateAsync(draft)
        const found = {
          databases: t('catalog.databases', { count: databases }),
          tables: t('catalog.createCatalog.tables', { count: tables }),
        }
        setTold({ isRead: true, text: t('catalog.createCatalog.found', found), problems })
      } catch (error) {
        if (!isCallError(error)) throw error
        setTold({ isRead: false, text: error.message, problems: [] })
      }
    },
  }
}

export function ConnectionTold({ told }: { told: Told | null }) {
  const shown = useInView<HTMLDivElement>(told)
  const Icon = told?.isRead ? IconCircleCheck : IconAlertCircle
  return (
    <div role="status" ref={shown}>
      {told && (
        <div className={styles[told.isRead ? 'read' : 'unread']}>
          <Icon size={16} aria-hidden />
          <div>
            <p>{told.text}</p>
            {told.problems.length > 0 && (
              <ul className={styles['problems']}>
                {told.problems.map((problem) => (
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
