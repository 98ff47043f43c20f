import { CODES } from '@boathouse/contract/codes'
import { errorHelp } from '../../../i18n/en/error-help.ts'
import '../../../i18n/error-help.ts'
import { type TextKey, t } from '../../../i18n/texts.ts'
import { SqlColored } from '../../../statement/sql-colored.tsx'
import { sqlParts } from '../../../statement/sql-parts.ts'
import type { StatementResult } from '../running/run.ts'
import styles from './results.module.css'

type Topic = Exclude<keyof typeof errorHelp, 'label'>

const isTopic = (name: string | undefined): name is Topic =>
  name !== undefined && name !== 'label' && Object.hasOwn(errorHelp, name)

const codeNames = new Map<number, string>(Object.entries(CODES).map(([name, { code }]) => [code, name]))

type Failed = Pick<StatementResult, 'errCode' | 'errKind' | 'errDetail'>

/** What is most exactly the matter, of what there is help for; null: the message must do. */
export const topicOf = ({ errCode, errKind, errDetail }: Failed): Topic | null =>
  [errDetail, codeNames.get(errCode), errKind].find(isTopic) ?? null

/** What to change, said by the console itself: nothing is sent anywhere for it. */
export function ErrorHelp({ failed }: { failed: Failed }) {
  const topic = topicOf(failed)
  if (topic === null) return null
  const help = errorHelp[topic]
  return (
    <section className={styles['help']} aria-label={t('errorHelp.label')}>
      <p>{t(`errorHelp.${topic}.todo` as TextKey)}</p>
      {'example' in help && (
        <code className={styles['helpExample']}>
          <SqlColored parts={sqlParts(help.example)} />
        </code>
      )}
    </section>
  )
}
