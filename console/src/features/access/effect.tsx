import type { Output } from '@boathouse/contract/call'
import { perms, type PlannedChange } from '@boathouse/contract/perms'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSettled } from '../../lib/settled.ts'
import { Skeleton } from '../../ui/index.ts'
import styles from './access.module.css'

type ShownEffect = Output<typeof perms.effect>
type Part = ShownEffect['grants'][number]

const gains = ({ change }: PlannedChange): boolean => change.startsWith('grant')

const textOf = ({ privileges, objectText }: Part): string =>
  t('access.effect.one', { privileges: privileges.join(', '), object: objectText })

function whatOf({ grants, moreGrants }: ShownEffect): string {
  const [only] = grants
  if (only && grants.length === 1 && moreGrants === 0) return textOf(only)
  return t('access.effect.many', { count: grants.length + moreGrants })
}

/** The same privileges on others: who gains them is the same. */
const withOthers = (effect: ShownEffect, others: readonly string[]): ShownEffect => ({
  ...effect,
  grants: [
    ...effect.grants,
    ...others.map((objectText) => ({ objectText, privileges: effect.grants[0]?.privileges ?? [] })),
  ],
})

/** What a change would do to whom, before it is made. */
export function Effect({ planned, alsoOn }: { planned: PlannedChange; alsoOn: readonly string[] }) {
  const asked = useSettled(JSON.stringify(planned))
  const { data, error } = useCall(
    perms.effect,
    { planned: JSON.parse(asked) as PlannedChange },
    { placeholderData: (before) => before, staleTime: 0 },
  )
  return (
    <section className={styles['effect']} aria-label={t('access.effect.title')} aria-live="polite">
      <h3>{t('access.effect.title')}</h3>
      {error && <p>{error.message}</p>}
      {!error && !data && <Skeleton height={20} />}
      {!error && data && <EffectText effect={withOthers(data, alsoOn)} isGain={gains(planned)} />}
      {!error && data && <PassedOn effect={data} />}
    </section>
  )
}

function EffectText({ effect, isGain }: { effect: ShownEffect; isGain: boolean }) {
  const { users, names, grants, moreGrants } = effect
  if (users === 0) return <p>{t('access.effect.nobody')}</p>
  const others = users - names.length
  const who = { names: names.join(', '), count: others }
  const isList = grants.length > 1 || moreGrants > 0
  return (
    <>
      {grants.length === 0 ? (
        <p>{t(isGain ? 'access.effect.nothing' : 'access.effect.nothingLost')}</p>
      ) : (
        <p className={styles['strong']}>
          {t(isGain ? 'access.effect.gain' : 'access.effect.lose', { count: users, what: whatOf(effect) })}
        </p>
      )}
      <p className={styles['note']}>
        {t(others > 0 ? 'access.effect.namesMore' : 'access.effect.names', who)}
      </p>
      {isList && (
        <ul className={styles['parts']}>
          {grants.map((part) => (
            <li key={part.objectText}>{textOf(part)}</li>
          ))}
          {moreGrants > 0 && <li>{t('access.effect.more', { count: moreGrants })}</li>}
        </ul>
      )}
      {!isGain && grants.length > 0 && <p className={styles['note']}>{t('access.effect.loseUnlessElse')}</p>}
    </>
  )
}

/** What others lose with it, because one of them passed it on to them. */
function PassedOn({ effect: { passedOn, morePassedOn } }: { effect: ShownEffect }) {
  if (passedOn.length === 0) return null
  return (
    <>
      <p className={styles['strong']}>
        {t('access.effect.passedOn', { count: passedOn.length + morePassedOn })}
      </p>
      <ul className={styles['parts']}>
        {passedOn.map((part) => {
          const { kind, name } = part.grantee
          const text = { name, what: textOf(part) }
          return (
            <li key={`${kind} ${name} ${part.objectText}`}>
              {t(kind === 'user' ? 'access.effect.passedOnUser' : 'access.effect.passedOnRole', text)}
            </li>
          )
        })}
        {morePassedOn > 0 && <li>{t('access.effect.morePassedOn', { count: morePassedOn })}</li>}
      </ul>
    </>
  )
}
